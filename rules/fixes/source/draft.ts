/**
 * An edit under construction: insertions and replacements of one file, and statements put beside
 * others. What would overlap, or would swallow a comment, makes the draft void: an edit is right or
 * it is not offered.
 */
import type { Span } from '../../../model/place.ts';
import type { Change, Edit } from '../../finding.ts';
import { freeName } from './scopes.ts';
import { type Style, indentAt, isFirstOnLine, styleOf } from './style.ts';
import { type Node, type Statement, type Tree, isBlock, spanOf } from './tree.ts';

export class Draft {
  readonly style: Style;
  private readonly changes: Change[] = [];
  private readonly closing: Change[] = [];
  private readonly braced = new Set<Node>();
  private readonly given: { name: string; block: Node }[] = [];
  private readonly known = new Map<string, string | undefined>();
  private readonly gone = new Set<number>();
  private isVoid = false;

  constructor(readonly tree: Tree) {
    this.style = styleOf(tree);
  }

  /** The first of the names that is free in the block, and that this edit has not given away yet. */
  freeName(block: Node, ...wanted: string[]): string {
    const isGiven = (name: string): boolean => this.given.some((it) => it.name === name && it.block.range[0] < block.range[1] && block.range[0] < it.block.range[1]);
    const name = freeName(block, this.tree, isGiven, ...wanted);
    this.given.push({ name, block });
    return name;
  }

  /** What several parts of an edit need is made by the first of them. */
  once(id: string, make: () => string | undefined): string | undefined {
    if (!this.known.has(id)) this.known.set(id, make());
    return this.known.get(id);
  }

  insert(at: number, text: string): void {
    this.changes.push({ start: at, end: at, text });
  }

  /** Replaces a node or span. A comment inside it must stand in the new text as well. */
  replace(of: Node | Span, text: string): void {
    const span = spanOf(of);
    if (this.tree.commentsWithin(span).some((it) => !text.includes(this.tree.text(it.span)))) this.isVoid = true;
    if (this.tree.text(span) !== text) this.changes.push({ ...span, text });
  }

  /** Replaces an expression; a shorthand property keeps its name. */
  replaceValue(node: Node, text: string): void {
    const parent = this.tree.parent(node);
    this.replace(node, parent?.type === 'Property' && parent.shorthand && parent.value === node ? `${this.tree.text(node)}: ${text}` : text);
  }

  /** Takes a statement out, with its line where nothing else stands on it. */
  removeLine(statement: Statement): void {
    const { source } = this.tree;
    const [start, end] = statement.range;
    const rest = /^[^\S\r\n]*\r?\n/.exec(source.slice(end));
    const gap = /^[^\S\r\n]*(?=\/[/*])/.exec(source.slice(end));
    if (gap && isFirstOnLine(source, start)) this.replace({ start, end: end + gap[0].length }, '');
    else if (!rest || !isFirstOnLine(source, start)) this.replace(statement, '');
    else {
      const line = source.lastIndexOf('\n', start - 1) + 1;
      this.gone.add(line);
      this.replace({ start: line, end: end + rest[0].length }, '');
    }
  }

  /** Whether the line that begins here is taken out. */
  isGone(line: number): boolean {
    return this.gone.has(line);
  }

  /** Takes a text out that the same edit puts in elsewhere, with its comments. */
  cut(span: Span): void {
    this.changes.push({ ...span, text: '' });
  }

  /** Gives up: the edit cannot be made right. */
  abandon(): void {
    this.isVoid = true;
  }

  /** Puts a statement on a line of its own before another one. */
  before(statement: Statement, text: string): void {
    this.brace(statement);
    const start = statement.range[0];
    const isOwnLine = this.braced.has(statement) || isFirstOnLine(this.tree.source, start);
    this.insert(start, isOwnLine ? `${text}${this.style.newline}${this.indentOf(statement)}` : `${text} `);
  }

  /** Puts a statement on a line of its own after another one, behind a comment that ends its line. */
  after(statement: Statement, text: string): void {
    this.brace(statement);
    const end = this.lineEnd(statement);
    if (end === undefined && !this.braced.has(statement)) this.insert(statement.range[1], ` ${text}`);
    else this.insert(end ?? statement.range[1], `${this.style.newline}${this.indentOf(statement)}${text}`);
  }

  /** Puts text behind a statement of the module and the comment that ends its line. */
  behind(statement: Statement, text: string): void {
    this.insert(this.lineEnd(statement) ?? statement.range[1], text);
  }

  /** The indentation that a statement beside this one has. */
  indentOf(statement: Statement): string {
    const { source } = this.tree;
    const indent = indentAt(source, statement.range[0]);
    return this.braced.has(statement) && !isFirstOnLine(source, statement.range[0]) ? indent + this.style.indent : indent;
  }

  /** Where the line of a statement ends, when only comments follow it there. */
  lineEnd(statement: Statement): number | undefined {
    const end = statement.range[1];
    const rest = /^[^\S\r\n]*(?:\/\*(?:(?!\*\/)[^\n])*\*\/[^\S\r\n]*)*(?:\/\/[^\r\n]*)?(?=\r?\n|$)/.exec(this.tree.source.slice(end));
    return rest ? end + rest[0].trimEnd().length : undefined;
  }

  /** A statement that is the whole body of an `if` or a loop gets braces, so that it can have neighbours. */
  private brace(statement: Statement): void {
    const { source, module } = this.tree;
    const parent = this.tree.parent(statement);
    if (!parent || isBlock(parent) || this.braced.has(statement)) return;
    this.braced.add(statement);
    const start = statement.range[0];
    const outer = indentAt(source, parent.range[0]);
    if (isFirstOnLine(source, start)) {
      const before = source.slice(0, start).trimEnd().length;
      if (module.comments.some((it) => it.span.end >= before && it.span.end <= start)) this.isVoid = true;
      this.insert(before, ' {');
    } else this.insert(start, `{${this.style.newline}${outer}${this.style.indent}`);
    if (parent.type.startsWith('Export') || parent.type === 'LabeledStatement') this.isVoid = true;
    const end = this.lineEnd(statement) ?? statement.range[1];
    this.closing.push({ start: end, end, text: `${this.style.newline}${outer}}` });
  }

  /** The finished edit, or nothing where it could not be made right. */
  finish(edit: Omit<Edit, 'changes'>): Edit[] {
    const made = this.made();
    return made?.length ? [{ ...edit, changes: made }] : [];
  }

  /** What the edit changes in this file; undefined where it could not be made right. */
  made(): Change[] | undefined {
    const ordered = [...this.changes, ...this.closing].map((change, order) => ({ change, order })).sort((a, b) => a.change.start - b.change.start || a.change.end - b.change.end || a.order - b.order);
    const merged: Change[] = [];
    for (const { change } of ordered) {
      const last = merged[merged.length - 1];
      if (last && change.start < last.end) return undefined;
      if (last && last.start === last.end && last.end === change.start) merged[merged.length - 1] = { ...change, text: last.text + change.text };
      else if (last && last.end === change.start && change.start === change.end) merged[merged.length - 1] = { ...last, text: last.text + change.text };
      else merged.push({ ...change });
    }
    return this.isVoid ? undefined : merged;
  }
}

/** Edits that cannot be made are not offered: a defect in one of them must not end the caller's run. */
export function attempt(make: () => Edit[]): Edit[] {
  try {
    return make();
  } catch {
    return [];
  }
}
