/** All of the analysis that a face loads at once, and when it must. */
import { provideAnalysis } from './load.ts';
import './sql-engine.ts';

export { analyse, exposes, look } from './analysis.ts';
export { readCatalog } from './catalog-setting.ts';
export { rules } from './index.gen.ts';
export { parseNatively, parseText } from './syntax/parse.ts';

import * as self from './analysing.ts';
provideAnalysis(self);
