/** A token that the lock service keeps with the lock: read behind the guard in one step with who holds it, so that it is that of the own grant or none. */
import type { Section } from '../../../model/sections.ts';
import type { Model } from '../../../model/story.ts';
import type { Draft } from '../source/draft.ts';
import { keepsItsValue } from '../source/paths.ts';
import { quoted } from '../source/style.ts';
import { type Node, isPath } from '../source/tree.ts';
import { matchedRow, methodOf } from './client-calls.ts';
import type { Minted } from './mint.ts';
import { firstHeld } from './row-token.ts';

/** Reads the token of a section's own grant; undefined where its library keeps none, or the session is not at hand. */
export function readOwnToken(section: Section, write: Node, draft: Draft, model: Model): Minted | undefined {
  const { tree, style } = draft;
  const { acquire } = section;
  const row = section.at === acquire.call && acquire.call.func.module === tree.module ? matchedRow(acquire.call, model) : undefined;
  const effect = row?.effects.find((it) => it.kind === 'acquire');
  const form = row?.library.edits?.tokens?.find((it) => it.on === row.row.on);
  const call = tree.callAt(acquire.call.span);
  const method = call?.type === 'CallExpression' ? methodOf(call) : undefined;
  const statement = call && tree.parent(call)?.type === 'AwaitExpression' ? tree.statementOf(call) : undefined;
  if (!row || !effect?.key || !effect.session || !form || !method || !statement) return undefined;
  const [key, session] = [effect.key, effect.session].map((path) => {
    const expr = model.calls.exprAt(path, row.site);
    return expr && tree.expressionAt(expr.span);
  });
  const held = firstHeld(section, statement, write, tree);
  // Inside of the `try` that follows, a read that fails gives the lock back.
  const behind = held?.type === 'TryStatement' && tree.isWithin(write, held.block) ? held.block.body[0] : held;
  const block = behind && tree.parent(behind);
  if (!key || !session || !behind || !block || !isPath(session) || !keepsItsValue(session, behind, tree)) return undefined;
  const token = draft.freeName(block, 'token', 'fencingToken');
  const seen = draft.freeName(block, 'held', 'holder');
  const asked = `await ${tree.text(method.receiver)}.${form.method}(${form.arguments.replace('{key}', tree.text(key))})`;
  const answer = style.isTypeScript && form.type ? `(${asked}) as ${form.type}` : asked;
  draft.before(behind, `const ${seen} = ${answer}${style.semi}`);
  draft.before(behind, `if (${seen}?.${form.holder} !== ${tree.text(session)}) throw new Error(${quoted(form.refused, style)})${style.semi}`);
  draft.before(behind, `const ${token} = ${seen}.${form.token}${style.semi}`);
  return { token, block, note: '', isRead: true };
}
