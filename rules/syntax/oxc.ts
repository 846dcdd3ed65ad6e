/**
 * oxc's parser: a native binary that npm installs for the machine where there is one. It is never
 * required; the packages for editors do without it.
 */
import { createRequire } from 'node:module';
import type * as Oxc from 'oxc-parser';
import type { Program } from '../../model/host.ts';

export type Parse = (file: string, text: string) => Program | undefined;

let found: Parse | false | undefined;

/** Undefined where the binary is not installed, or is not for this machine. */
export function fastParser(): Parse | undefined {
  if (found === undefined) found = load() ?? false;
  return found || undefined;
}

function load(): Parse | undefined {
  let parseSync: typeof Oxc.parseSync;
  try {
    ({ parseSync } = createRequire(import.meta.url)('oxc-parser') as typeof Oxc);
    // A binary that loads and does not work is as good as none.
    if (parseSync('a.ts', 'let a', { range: true }).program.body.length !== 1) return undefined;
  } catch {
    return undefined;
  }
  return (file, text) => tree(parseSync, file, text);
}

const languageOf = (file: string): 'ts' | 'tsx' | 'jsx' => (/\.[cm]?ts$/.test(file) ? 'ts' : file.endsWith('.tsx') ? 'tsx' : 'jsx');

/** Undefined when oxc refuses the text: whether it has an error is for the more patient parser to say. */
function tree(parseSync: typeof Oxc.parseSync, file: string, text: string): Program | undefined {
  // Whether a `return` may stand at the top of a CommonJS file is not written on it.
  for (const sourceType of file.endsWith('.cjs') || file.endsWith('.cts') ? (['commonjs'] as const) : (['module', 'commonjs'] as const)) {
    const parsed = parseSync(file, text, { lang: languageOf(file), sourceType, astType: 'ts', range: true, preserveParens: false });
    if (parsed.errors.some((it) => it.severity === 'Error')) continue;
    const program = parsed.program as unknown as Program;
    program.comments = parsed.comments.map((it) => ({ type: it.type, value: it.value, range: [it.start, it.end] }));
    return program;
  }
  return undefined;
}
