/** What oxc's binary or its WebAssembly answers, as much of it as is read here. */
import type * as Oxc from 'oxc-parser';
// Its own way from the answer to a tree. It is imported by path, so that the rest of the package is not loaded with it.
// @ts-expect-error: plain JavaScript
import { jsonParseAst } from '../../node_modules/oxc-parser/src-js/wrap.js';

export type Answer = Pick<Oxc.ParseResult, 'program' | 'comments' | 'errors'>;
export type ParseSync = (...given: Parameters<typeof Oxc.parseSync>) => Answer;

/** What the package's own entry point wraps: its tree is JSON. */
export interface Binding {
  parseSync(...given: Parameters<typeof Oxc.parseSync>): Omit<Answer, 'program'> & { program: string };
}

/** What it says of imports and exports is left where it is: that is a large part of the time, and nobody reads it. */
export function readAnswer({ program, comments, errors }: ReturnType<Binding['parseSync']>): Answer {
  return { program: jsonParseAst(program) as Answer['program'], comments, errors };
}
