/** Statements put into a `try` or taken out of it, with their lines and comments; void where other code shares their lines. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Span } from '../../../model/place.ts';
import type { Draft } from './draft.ts';
import { indentAt, isFirstOnLine } from './style.ts';
import { type Block, type Node, type Statement, type Tree } from './tree.ts';

/** The statements of a block, one after another. */
export const statementsOf = (block: Block): readonly Statement[] => (block.type === 'SwitchCase' ? block.consequent : (block.body as readonly Statement[]));

/** The whole lines of a run of statements in a block, with the comments above and behind them; undefined where they share a line with something else. */
export function linesOf(block: Block, from: number, to: number, draft: Draft): Span | undefined {
  const { source } = draft.tree;
  const list = statementsOf(block);
  const [first, last, before] = [list[from], list[to], list[from - 1]];
  if (!first || !last || block.type === 'Program' || block.type === 'SwitchCase') return undefined;
  const end = draft.lineEnd(last);
  const above = before ? draft.lineEnd(before) : endOfLine(source, block.range[0] + 1);
  if (end === undefined || above === undefined || !isFirstOnLine(source, first.range[0])) return undefined;
  const text = source.slice(above, first.range[0]);
  const blank = /^(?:[^\S\n]*\n)+/.exec(text);
  return blank ? { start: above + blank[0].length, end } : undefined;
}

/** The end of a line on which nothing but white space follows. */
function endOfLine(source: string, offset: number): number | undefined {
  const rest = /^[^\S\r\n]*(?=\r?\n)/.exec(source.slice(offset));
  return rest ? offset + rest[0].length : undefined;
}

/** Moves lines one step to the right or to the left; the inside of a template stays as it is. False where a line has no step to give. */
export function shiftLines({ start, end }: Span, step: 1 | -1, draft: Draft): boolean {
  const { tree, style } = draft;
  const { source } = tree;
  for (let at = start; at < end; at = source.indexOf('\n', at) + 1 || end) {
    if (/^[^\S\n]*\r?$/.test(source.slice(at, source.indexOf('\n', at) < 0 ? end : source.indexOf('\n', at))) || isInTemplate(at, tree) || draft.isGone(at)) continue;
    if (step === 1) draft.insert(at, style.indent);
    else if (source.startsWith(style.indent, at)) draft.replace({ start: at, end: at + style.indent.length }, '');
    else return false;
  }
  return true;
}

const templates = new WeakMap<Tree, Span[]>();

function isInTemplate(offset: number, tree: Tree): boolean {
  let known = templates.get(tree);
  if (!known) templates.set(tree, (known = tree.nodes.filter((it) => it.type === 'TemplateElement').map((it) => ({ start: it.range[0], end: it.range[1] }))));
  return known.some((it) => it.start < offset && offset < it.end);
}

/** The white space with which the line of a node begins, and the end of a line as the file has it. */
function layoutAt(node: Node, draft: Draft): { outer: string; newline: string } {
  return { outer: indentAt(draft.tree.source, node.range[0]), newline: draft.style.newline };
}

/** `try { from … to } finally { last }`, where `last` is the statement behind them. */
export function tryFinally(block: Block, from: number, last: number, draft: Draft): boolean {
  const [body, end] = [linesOf(block, from, last - 1, draft), linesOf(block, last, last, draft)];
  if (!body || !end) return false;
  const { outer, newline } = layoutAt(statementsOf(block)[from]!, draft);
  draft.insert(body.start, `${outer}try {${newline}`);
  draft.replace({ start: body.end, end: end.start }, `${newline}${outer}} finally {${newline}`);
  draft.insert(end.end, `${newline}${outer}}`);
  return shiftLines(body, 1, draft) && shiftLines(end, 1, draft);
}

/** The same, with what follows the `last` statement inside as well: it runs before that statement then. */
export function tryAllFinally(block: Block, from: number, last: number, draft: Draft): boolean {
  const list = statementsOf(block);
  const to = list.length - 1;
  const [body, rest, end] = [linesOf(block, from, last - 1, draft), linesOf(block, last + 1, to, draft), linesOf(block, last, last, draft)];
  if (!body || !rest || !end || end.start !== draft.tree.source.lastIndexOf('\n', list[last]!.range[0]) + 1) return false;
  const { outer, newline } = layoutAt(list[from]!, draft);
  draft.insert(body.start, `${outer}try {${newline}`);
  draft.removeLine(list[last]!);
  draft.insert(rest.end, `${newline}${outer}} finally {${newline}${outer}${draft.style.indent}${draft.tree.source.slice(list[last]!.range[0], end.end)}${newline}${outer}}`);
  return shiftLines(body, 1, draft) && shiftLines(rest, 1, draft);
}

/** Takes the first statements of a `try` out of it: it opens behind them. `count` is how many. */
export function openTryLater(it: TSESTree.TryStatement, count: number, draft: Draft): boolean {
  const { block } = it;
  const { source } = draft.tree;
  const [moved, kept] = [linesOf(block, 0, count - 1, draft), linesOf(block, count, block.body.length - 1, draft)];
  if (!moved || !kept || !isFirstOnLine(source, it.range[0])) return false;
  const { outer, newline } = layoutAt(it, draft);
  draft.replace({ start: it.range[0] - outer.length, end: moved.start }, '');
  draft.insert(kept.start, `${outer}try {${newline}`);
  return shiftLines(moved, -1, draft);
}

/** Puts the body of a `try` in the place of the whole: its `finally` has nothing left to do. */
export function unwrapTry(it: TSESTree.TryStatement, draft: Draft): boolean {
  const { block } = it;
  const body = linesOf(block, 0, block.body.length - 1, draft);
  const { source } = draft.tree;
  if (!body || it.handler || !isFirstOnLine(source, it.range[0])) return false;
  const { outer, newline } = layoutAt(it, draft);
  const tail = { start: body.end, end: draft.lineEnd(it) ?? it.range[1] };
  draft.replace({ start: it.range[0] - outer.length, end: body.start }, '');
  draft.replace(tail, draft.tree.commentsWithin(tail).map(({ span }) => newline + outer + draft.tree.text(span)).join(''));
  return shiftLines(body, -1, draft);
}
