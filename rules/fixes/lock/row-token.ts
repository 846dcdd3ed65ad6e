/** A token counted in the row of the lock: the statement that takes it raises a column and answers the number, which is kept behind the guard. */
import type { TSESTree } from '@typescript-eslint/types';
import type { Section } from '../../../model/sections.ts';
import { addMint } from '../../../model/sql/index.ts';
import type { Model } from '../../../model/story.ts';
import type { Draft } from '../source/draft.ts';
import { type Node, type Statement, type Tree, isBlock } from '../source/tree.ts';
import { statementsOf } from '../source/blocks.ts';
import { type WrittenStatement, statementOf } from '../write/fence-sql.ts';
import { holesOf, insertSql, writtenSql } from '../write/sql-text.ts';
import { answerName, answerOf, takeOut } from './acquire-answer.ts';
import type { Minted } from './mint.ts';
import { behindGuard, hasState } from './states.ts';

/** Names that the counter's column may have: the first that the statement does not use. */
const columns = ['token', 'fencing_token'];

/** Makes the statement that takes the lock row mint; undefined where its answer or its guard cannot be read for certain. */
export function mintInStatement(section: Section, write: Node, draft: Draft, model: Model): Minted | undefined {
  const { tree } = draft;
  const { acquire } = section;
  if (acquire.form !== 'statement' || section.at !== acquire.call || acquire.call.func.module !== tree.module) return undefined;
  const statement = statementOf(acquire.call, tree, model);
  const written = statement && writtenSql(statement.text, tree);
  if (!statement || !written || !statement.effect.rows || statement.call.typeArguments || isDeleted(section, model)) return undefined;
  const rewritten = columns.map((column) => ({ column, rewrite: addMint(written.text, { column, dialect: statement.effect.dialect }) })).find((it) => it.rewrite);
  if (!rewritten) return undefined;
  const { column } = rewritten;
  const answered = answerAt(statement, statement.effect.rows, draft);
  const behind = answered && firstHeld(section, answered.statement, write, tree);
  const block = behind && tree.parent(behind);
  if (!answered || !behind || !block || !insertSql(written, rewritten.rewrite!, '', holesOf(statement.text, tree), draft)) return undefined;
  const token = draft.freeName(block, 'token', 'fencingToken');
  const row = draft.style.isTypeScript && statement.matched.library.edits?.hidesColumns ? `(${answered.row} as { ${column}: unknown })` : answered.row;
  draft.before(behind, `const ${token} = Number(${row}.${column})${draft.style.semi}`);
  // A row that is put in is the first grant.
  const first = statement.facts.kind === 'insert' ? 1 : 0;
  return { token, block, note: `ALTER TABLE ${statement.facts.target ?? 'the_lock_table'} ADD COLUMN ${column} BIGINT NOT NULL DEFAULT ${first}` };
}

/** The row goes when the lock is given back, or is swept, and its counter would begin anew. */
function isDeleted({ acquire, lock, releases }: Section, model: Model): boolean {
  const all = [...releases, ...acquire.call.func.module.functions.flatMap((func) => model.summaries.of(func).deep)];
  return all.some(({ event }) => {
    const done = event.kind === 'write' ? event : event.kind === 'release' ? event.statement : undefined;
    return done?.op === 'delete' && done.target === (lock.table ?? acquire.statement?.target);
  });
}

interface Answered {
  statement: Statement;
  /** How the first row of the answer is written. */
  row: string;
}

/** The first row of what the statement answers; `path` leads to the rows. */
function answerAt({ call }: WrittenStatement, path: readonly string[], draft: Draft): Answered | undefined {
  const { tree } = draft;
  const answer = answerOf(call, tree);
  const of = (name: string): string => `${[name, ...path].join('.')}[0]`;
  if (answer?.kind === 'kept') return { statement: answer.statement, row: of(answer.name) };
  if (answer?.kind === 'tested') {
    const name = answerName(answer.statement, draft, 'taken', 'granted');
    takeOut(answer, name, name, draft);
    return { statement: answer.statement, row: of(name) };
  }
  const value = tree.parent(call);
  const declarator = value?.type === 'AwaitExpression' ? tree.parent(value) : undefined;
  const statement = declarator && tree.parent(declarator);
  if (declarator?.type !== 'VariableDeclarator' || statement?.type !== 'VariableDeclaration' || statement.kind !== 'const' || statement.declarations.length !== 1) return undefined;
  const row = inPattern(declarator.id, path, statement, draft);
  return row === undefined ? undefined : { statement, row };
}

/** `const { rowCount } = …`, `const { rows } = …`, `const [row] = …`. */
function inPattern(pattern: TSESTree.BindingName, path: readonly string[], statement: Statement, draft: Draft): string | undefined {
  if (pattern.type === 'ArrayPattern') {
    const [first] = pattern.elements;
    return path.length === 0 && first?.type === 'Identifier' ? first.name : undefined;
  }
  const [name, ...rest] = path;
  if (pattern.type !== 'ObjectPattern' || name === undefined || rest.length > 0 || pattern.properties.some((it) => it.type !== 'Property')) return undefined;
  const found = pattern.properties.find((it): it is TSESTree.Property => it.type === 'Property' && it.key.type === 'Identifier' && it.key.name === name);
  if (found) return found.value.type === 'Identifier' ? `${found.value.name}[0]` : found.value.type === 'ArrayPattern' && found.value.elements[0]?.type === 'Identifier' ? found.value.elements[0].name : undefined;
  const last = pattern.properties[pattern.properties.length - 1];
  if (!last) return undefined;
  const local = draft.freeName(draft.tree.parent(statement)!, name);
  draft.insert(last.range[1], `, ${local === name ? name : `${name}: ${local}`}`);
  return `${local}[0]`;
}

/** The first statement that only a holder reaches behind an acquire: behind a guard that leaves, or inside of one that lets the holder in. */
export function firstHeld(section: Section, acquire: Statement, write: Node, tree: Tree): Statement | undefined {
  const block = tree.parent(acquire);
  if (!block || !isBlock(block)) return undefined;
  const list = statementsOf(block);
  const index = list.indexOf(acquire);
  // A test that was around the acquire itself is its guard.
  const next = list[index + 1];
  if (next?.type === 'IfStatement' && next.consequent.type === 'BlockStatement' && tree.isWithin(write, next.consequent) && !hasState(section, next.consequent, 'before', 'refused')) return next.consequent.body[0];
  const at = list[behindGuard(section, list, index + 1)];
  return at && (tree.isWithin(write, at) || list.slice(list.indexOf(at)).some((it) => tree.isWithin(write, it))) ? at : undefined;
}
