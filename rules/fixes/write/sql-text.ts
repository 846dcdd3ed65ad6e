/** SQL as it is written in the source: literals, templates and their concatenation, and insertions into them in their own spelling. */
import type { TSESTree } from '@typescript-eslint/types';
import type { FenceRewrite, SqlText } from '../../../model/sql/index.ts';
import type { Draft } from '../source/draft.ts';
import { referencesTo, resolve } from '../source/scopes.ts';
import { type Node, type Tree, unwrap } from '../source/tree.ts';

/** One run of characters of the source. */
interface Piece {
  kind: 'template' | "'" | '"';
  /** Source offset of each character of the text, and of its end. */
  offsets: number[];
}

export interface WrittenSql {
  text: SqlText;
  /** By part of the text; holes have none. */
  pieces: (Piece | undefined)[];
}

/** The text of an expression; undefined where it is spelled in a way that cannot be inserted into. */
export function writtenSql(node: Node, tree: Tree): WrittenSql | undefined {
  const parts: (string | { hole: number })[] = [];
  const pieces: (Piece | undefined)[] = [];
  return gather(node, tree, parts, pieces) ? { text: { parts }, pieces } : undefined;
}

function gather(node: Node, tree: Tree, parts: (string | { hole: number })[], pieces: (Piece | undefined)[]): boolean {
  const it = unwrap(node);
  const add = (text: string, kind: Piece['kind'], start: number, end: number): boolean => {
    const offsets = offsetsOf(tree.source, start, end, text);
    if (!offsets) return false;
    parts.push(text);
    pieces.push({ kind, offsets });
    return true;
  };
  const hole = (): void => {
    parts.push({ hole: parts.filter((each) => typeof each !== 'string').length });
    pieces.push(undefined);
  };
  if (it.type === 'Literal' && typeof it.value === 'string') return add(it.value, it.raw[0] as '"' | "'", it.range[0] + 1, it.range[1] - 1);
  if (it.type === 'TemplateLiteral') {
    return it.quasis.every((quasi, i) => {
      const before = it.expressions[i - 1];
      const after = it.expressions[i];
      const start = before ? tree.source.indexOf('}', before.range[1]) + 1 : it.range[0] + 1;
      const end = after ? tree.source.lastIndexOf('${', after.range[0]) : it.range[1] - 1;
      if (!add(quasi.value.cooked ?? quasi.value.raw, 'template', start, end)) return false;
      if (after) hole();
      return true;
    });
  }
  if (it.type === 'BinaryExpression' && it.operator === '+') return gather(it.left, tree, parts, pieces) && gather(it.right, tree, parts, pieces);
  if (it.type === 'Identifier' || it.type === 'MemberExpression' || it.type === 'CallExpression') {
    if (parts.length === 0) return false;
    hole();
    return true;
  }
  return false;
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', 0: '\0' };

/** Where each character of a text stands in the source, with escapes and line ends taken into account. */
function offsetsOf(source: string, start: number, end: number, text: string): number[] | undefined {
  const offsets: number[] = [];
  let read = '';
  for (let at = start; at < end; ) {
    let length = 1;
    let char = source[at]!;
    if (char === '\r' && source[at + 1] === '\n') [char, length] = ['\n', 2];
    else if (char === '\\') {
      const next = source[at + 1]!;
      if (next === 'u' || next === 'x' || /[1-9]/.test(next)) return undefined;
      length = next === '\r' && source[at + 2] === '\n' ? 3 : 2;
      char = next === '\n' || next === '\r' ? '' : (escapes[next] ?? next);
    }
    if (char !== '') offsets.push(at);
    read += char;
    at += length;
  }
  offsets.push(end);
  return read === text ? offsets : undefined;
}

/** Writes the insertions of a rewrite into the source; `token` is what stands in a new hole. */
export function insertSql({ pieces }: WrittenSql, { insertions }: FenceRewrite, token: string, holes: readonly string[], draft: Draft): boolean {
  for (const { part, offset, parts } of insertions) {
    const piece = pieces[part];
    const at = piece?.offsets[offset];
    if (!piece || at === undefined) return false;
    let text = '';
    for (const each of parts) {
      if (typeof each === 'string') text += spelled(each, piece.kind, draft.style.newline);
      else if (piece.kind !== 'template') return false;
      else text += `\${${each.hole < 0 ? token : holes[each.hole]}}`;
    }
    draft.insert(at, text);
  }
  return true;
}

function spelled(text: string, kind: Piece['kind'], newline: string): string {
  const escaped = text.replaceAll('\\', '\\\\');
  if (kind === 'template') return escaped.replaceAll('`', '\\`').replaceAll('${', '\\${').replaceAll('\n', newline);
  return escaped.replaceAll(kind, `\\${kind}`).replaceAll('\n', '\\n');
}

/** The expressions in the holes, as they are written. */
export function holesOf(node: Node, tree: Tree): string[] {
  const it = unwrap(node);
  if (it.type === 'TemplateLiteral') return it.expressions.map((each) => tree.text(each));
  if (it.type === 'BinaryExpression') return [...holesOf(it.left, tree), ...holesOf(it.right, tree)];
  return it.type === 'Literal' ? [] : [tree.text(it)];
}

/** The expression that holds a text: the node itself, or the value of a constant that nothing else reads. */
export function sourceOfText(node: Node, tree: Tree): Node | undefined {
  const it = unwrap(node);
  if (it.type !== 'Identifier') return it;
  const binding = resolve(it.name, it, tree);
  if (binding?.kind !== 'const' || binding.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.id || isExported(binding.declaration, tree)) return undefined;
  return referencesTo(binding, tree).length === 1 ? (binding.declaration.init ?? undefined) : undefined;
}

export function isExported(declarator: TSESTree.VariableDeclarator, tree: Tree): boolean {
  const declaration = tree.parent(declarator);
  return declaration !== undefined && tree.parent(declaration)?.type === 'ExportNamedDeclaration';
}
