/** What the benchmarks call, in one bundle, so that the SQL engine is the same for all of it. */
import '../rules/sql-engine.ts';

export { analyse } from '../rules/analysis.ts';
export { fileHost } from '../rules/file-host.ts';
export { defaultSettings } from '../rules/settings.ts';
export { parseFile } from '../server/parser.ts';
