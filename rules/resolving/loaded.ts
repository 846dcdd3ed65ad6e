/** The packages that resolve, loaded when a path beside the file, or the absence of any configuration, does not say enough. */
import { createRequire } from 'node:module';
import type * as Packages from './packages.ts';

/** In the package they are a file beside this one; the build says which. */
declare const RESOLVING: string | undefined;

const load = createRequire(import.meta.url);
let loaded: typeof Packages | undefined;

export const packages = (): typeof Packages => (loaded ??= typeof RESOLVING === 'undefined' ? fromSources() : (load(RESOLVING) as typeof Packages));

function fromSources(): typeof Packages {
  const { createPathsMatcher, getTsconfig } = load('get-tsconfig') as typeof Packages;
  return { enhanced: load('enhanced-resolve') as typeof Packages.enhanced, createPathsMatcher, getTsconfig, JSON5: load('json5') as typeof Packages.JSON5 };
}
