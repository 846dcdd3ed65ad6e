/**
 * The analysis, loaded when a first file passes the gate: it is nine tenths of what the plugin weighs, and most
 * files have no use for it. In the package it is a file beside the plugin; whoever has it in one piece provides it.
 */
import { createRequire } from 'node:module';
import type * as Analysing from './analysing.ts';

/** The build says which file. */
declare const ANALYSIS: string | undefined;

let loaded: typeof Analysing | undefined;

export const provideAnalysis = (analysing: typeof Analysing): void => void (loaded = analysing);

/** Whether it is there or can be loaded at once. */
export const canAnalyse = (): boolean => loaded !== undefined || typeof ANALYSIS !== 'undefined';

export function analysing(): typeof Analysing {
  if (typeof ANALYSIS !== 'undefined') loaded ??= createRequire(import.meta.url)(ANALYSIS) as typeof Analysing;
  return loaded!;
}
