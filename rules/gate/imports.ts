/**
 * What a text imports and hands on, by name, as far as the text alone tells: a module that is reached through
 * an index of hundreds is asked for where its name stands. Only which files to look at is decided by it; what
 * they import is told by their trees.
 */

/** What a text takes from a module: these names of it, or, where they cannot be told, whatever it has. */
export interface Import {
  specifier: string;
  names?: readonly string[];
}

/** What a text hands on of another module: all of it, or one name under another. */
export interface HandedOn {
  specifier: string;
  /** The name that importers use; none for all. */
  as?: string;
  /** The name there; none for the module as a whole. */
  name?: string;
}

export interface Traffic {
  imports: readonly Import[];
  handsOn: readonly HandedOn[];
}

/** What a text seems to import, each specifier as often as it stands there. */
export const specifiersIn = (text: string): string[] => [...text.matchAll(/(?:from|import|require\(|import\()\s*['"]([^'"\n]+)['"]/g)].map((match) => match[1]!);

/** A keyword and the clause between it and its module; or a module without a clause that can be told. */
const modules = /\b(import|export)\b([\w$\s{},*]*?)\bfrom\s*['"]([^'"\n]+)['"]|(?:from|import|require\(|import\()\s*['"]([^'"\n]+)['"]/g;

/** Longer lists are not read. */
const maxClause = 5000;
const comments = /\/\/.*|\/\*[\s\S]*?\*\//g;

/** `a`, `a as b`, `type a`. */
const listed = /^(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?$/;

/** Names that a text hands on without saying from where: it may have them from an import. */
const ownList = /\bexport\s*\{([^{}]*)\}(?!\s*from\b)/g;
const ownDefault = /\bexport\s+default\s+([\w$]+)\s*;?\s*$/m;

/** A module in the old form that hands on what it requires. */
const handsOnAll = /\bexports\b[^;]*?=[^;]*\brequire\(|\bmodule\.exports\s*=\s*\{/;

export function trafficOf(text: string): Traffic {
  const imports: Import[] = [];
  const handsOn: HandedOn[] = [];
  /** What the names of imports stand for here. */
  let locals: Map<string, HandedOn> | undefined;
  for (const match of text.matchAll(modules)) {
    const specifier = (match[3] ?? match[4])!;
    const { keyword, clause } = match[1] !== undefined ? { keyword: match[1], clause: match[2]! } : (match[0].startsWith('from') && clauseBefore(text, match.index)) || {};
    const entries = clause === undefined ? undefined : entriesIn(clause);
    if (keyword === 'export' && entries) {
      for (const { name, local } of entries) handsOn.push({ specifier, as: local, name });
      continue;
    }
    if (!entries || entries.some((it) => it.name === undefined)) imports.push({ specifier });
    else imports.push({ specifier, names: entries.map((it) => it.name!) });
    for (const { name, local } of entries ?? []) if (local !== undefined) (locals ??= new Map()).set(local, { specifier, name });
  }
  if (locals && text.includes('export')) handsOn.push(...handedOnBelow(text, locals));
  if (text.includes('exports') && handsOnAll.test(text)) for (const { specifier } of [...imports]) handsOn.push({ specifier });
  return { imports, handsOn };
}

/** The clause of a `from` that has comments in it. */
function clauseBefore(text: string, from: number): { keyword: 'import' | 'export'; clause: string } | undefined {
  const before = text.slice(Math.max(0, from - maxClause), from);
  const keyword = before.lastIndexOf('import') > before.lastIndexOf('export') ? 'import' : 'export';
  const start = before.lastIndexOf(keyword);
  return start < 0 ? undefined : { keyword, clause: before.slice(start + keyword.length).replace(comments, '') };
}

/** The names of a clause, `name` undefined for the whole; or undefined when they cannot be told. */
function entriesIn(clause: string): { name?: string; local?: string }[] | undefined {
  const found: { name?: string; local?: string }[] = [];
  const [, before, list, after] = /^([^{]*)(?:\{([^{}]*)\}([^{}]*))?$/.exec(clause) ?? [];
  if (before === undefined || after?.trim()) return undefined;
  for (const part of before.split(',')) {
    const word = part.trim();
    if (word === '' || word === 'type') continue;
    const whole = /^(?:type\s+)?\*(?:\s+as\s+([\w$]+))?$/.exec(word);
    const local = whole ? whole[1] : /^(?:type\s+)?([\w$]+)$/.exec(word)?.[1];
    if (!whole && local === undefined) return undefined;
    found.push(whole ? { local } : { name: 'default', local });
  }
  for (const part of list?.split(',') ?? []) {
    if (part.trim() === '') continue;
    const [, name, local] = listed.exec(part.trim()) ?? [];
    if (name === undefined) return undefined;
    found.push({ name, local: local ?? name });
  }
  return found;
}

/** `import { a } from './a'; export { a as b };` */
function handedOnBelow(text: string, locals: ReadonlyMap<string, HandedOn>): HandedOn[] {
  const found: HandedOn[] = [];
  const add = (local: string, as: string): void => {
    const it = locals.get(local);
    if (it) found.push({ ...it, as });
  };
  for (const [, list] of text.matchAll(ownList)) {
    for (const part of list!.split(',')) {
      const [, local, as] = listed.exec(part.trim()) ?? [];
      if (local !== undefined) add(local, as ?? local);
    }
  }
  const own = ownDefault.exec(text)?.[1];
  if (own !== undefined) add(own, 'default');
  return found;
}

const declaration = /\bexport\s+(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const\s+enum|class|function\s*\*?|const|let|var|enum|interface|type|namespace)\s+([\w$]+)|\bexport\s+(default)\b|\bexports\.([\w$]+)\s*=|\bexport\s*\{([^{}]*)\}(?!\s*from\b)/g;

/** The names that a text declares and exports; those of a pattern are not among them. */
export function declaredIn(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [whole, name, unnamed, property, list] of text.matchAll(declaration)) {
    if (whole.includes('default')) names.add('default');
    for (const it of [name, unnamed, property]) if (it !== undefined) names.add(it);
    for (const part of list?.split(',') ?? []) {
      const [, local, as] = listed.exec(part.trim()) ?? [];
      if (local !== undefined) names.add(as ?? local);
    }
  }
  return names;
}
