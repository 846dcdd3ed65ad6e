/**
 * What a text imports and hands on, by name, as far as the text alone tells: a module that is reached through
 * an index of hundreds is asked for where its name stands. Only which files to look at is decided by it; what
 * they import is told by their trees.
 */

/** What a text takes from a module. */
export class Import {
  private taken: readonly string[] | 'all' | undefined;

  constructor(readonly specifier: string, private readonly clause?: string) {}

  /** The names of it; undefined where they cannot be told, or all is taken. Most are never asked for. */
  get names(): readonly string[] | undefined {
    if (this.taken === undefined) {
      const entries = this.clause === undefined ? undefined : entriesIn(this.clause);
      this.taken = entries?.every((it) => it.name !== undefined) ? entries.map((it) => it.name!) : 'all';
    }
    return this.taken === 'all' ? undefined : this.taken;
  }

  isSame(other: Import): boolean {
    return this.specifier === other.specifier && this.clause === other.clause;
  }

  /** What its names stand for in the text. */
  locals(): { local: string; from: HandedOn }[] {
    return (this.clause === undefined ? [] : (entriesIn(this.clause) ?? [])).flatMap(({ name, local }) => (local === undefined ? [] : [{ local, from: { specifier: this.specifier, name } }]));
  }
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

const modules = /(?:from|import|require\(|import\()\s*['"]([^'"\n]+)['"]/g;

/** What a text seems to import, each specifier as often as it stands there. */
export const specifiersIn = (text: string): string[] => [...text.matchAll(modules)].map((match) => match[1]!);

/** Longer lists are not read. */
const maxClause = 5000;
const comments = /\/\/.*|\/\*[\s\S]*?\*\//g;

/** `a`, `a as b`, `type a`. */
const listed = /^(?:type\s+)?([\w$]+)(?:\s+as\s+([\w$]+))?$/;

/** Names that a text hands on without saying from where: it may have them from an import. */
const ownList = /\bexport\s*\{([^{}]*)\}(?!\s*from\b)/g;
const ownDefault = /\bexport\s+default\s+([\w$]+)\s*;?\s*$/m;

/** A module in the old form that hands on what it requires. So many characters at most, for a long text without semicolons is one statement. */
const handsOnAll = /\bexports\b[^;=\n]{0,200}=[^;\n]{0,500}\brequire\(|\bmodule\.exports\s*=\s*\{/;

export function trafficOf(text: string): Traffic {
  const imports: Import[] = [];
  const handsOn: HandedOn[] = [];
  for (const match of text.matchAll(modules)) {
    const specifier = match[1]!;
    const found = match[0].charCodeAt(0) === 0x66 ? clauseBefore(text, match.index) : undefined;
    const entries = found?.keyword === 'export' ? entriesIn(found.clause) : undefined;
    if (entries) for (const { name, local } of entries) handsOn.push({ specifier, as: local, name });
    else imports.push(new Import(specifier, found?.keyword === 'import' ? found.clause : undefined));
  }
  if (imports.length > 0) handedOnBelow(text, imports, handsOn);
  if (text.includes('exports') && handsOnAll.test(text)) for (const { specifier } of imports) handsOn.push({ specifier });
  return { imports, handsOn };
}

/** The clause of a `from`: what stands between it and the keyword that begins a line before it. */
function clauseBefore(text: string, from: number): { keyword: 'import' | 'export'; clause: string } | undefined {
  const [imported, exported] = [text.lastIndexOf('\nimport', from), text.lastIndexOf('\nexport', from)];
  const start = Math.max(imported, exported);
  if (start >= 0) return from - start > maxClause ? undefined : { keyword: imported > exported ? 'import' : 'export', clause: text.slice(start + 7, from) };
  if (from > maxClause) return undefined;
  return text.startsWith('import') ? { keyword: 'import', clause: text.slice(6, from) } : text.startsWith('export') ? { keyword: 'export', clause: text.slice(6, from) } : undefined;
}

/** The names of a clause, `name` undefined for the whole; or undefined when they cannot be told. */
function entriesIn(clause: string): { name?: string; local?: string }[] | undefined {
  const found: { name?: string; local?: string }[] = [];
  const [, before, list, after] = /^([^{]*)(?:\{([^{}]*)\}([^{}]*))?$/.exec(clause.includes('/') ? clause.replace(comments, '') : clause) ?? [];
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
function handedOnBelow(text: string, imports: readonly Import[], to: HandedOn[]): void {
  const lists = text.includes('export {') || text.includes('export{') ? [...text.matchAll(ownList)] : [];
  const own = text.includes('export default') ? ownDefault.exec(text)?.[1] : undefined;
  if (lists.length === 0 && own === undefined) return;
  const locals = new Map(imports.flatMap((it) => it.locals()).map(({ local, from }) => [local, from]));
  const add = (local: string, as: string): void => {
    const it = locals.get(local);
    if (it) to.push({ ...it, as });
  };
  for (const [, list] of lists) {
    for (const part of list!.split(',')) {
      const [, local, as] = listed.exec(part.trim()) ?? [];
      if (local !== undefined) add(local, as ?? local);
    }
  }
  if (own !== undefined) add(own, 'default');
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
