/**
 * Owns the statements that the parser rejects or misreads, and how each is spelled so that it
 * reads them rightly. A new misreading is one more function here.
 */

import { afterName, closingBracket, type Draft, endOfScope, insertAfter, isNamePart, reads, replaceTokens } from './draft.ts';

/** The function that stands for `NEXT VALUE FOR sequence`, and the operator for IS DISTINCT FROM. */
export const NEXT_VALUE_FUNCTION = 'fencepost_next_value';
export const DISTINCT_OPERATOR = '!~~*';
/** What stands for the cursor of WHERE CURRENT OF. */
export const CURSOR_CONDITION = 'fencepost_current_of';

type Respelling = (draft: Draft, at: number) => void;

/** Looks at every token once with every respelling that its word calls for. */
export function respell(draft: Draft): void {
  draft.tokens.forEach((token, i) => {
    if (Object.hasOwn(RESPELLINGS, token.word)) RESPELLINGS[token.word]!(draft, i);
  });
}

const RESPELLINGS: Record<string, Respelling> = {
  FOR: respellRowLock,
  LOCK: (draft, at) => {
    if (reads(draft, at, 'LOCK', 'IN', 'SHARE', 'MODE')) replaceTokens(draft, at, at + 3, 'FOR SHARE');
  },
  NEXT: (draft, at) => {
    if (!reads(draft, at, 'NEXT', 'VALUE', 'FOR')) return;
    const end = afterName(draft.tokens, at + 3);
    const name = draft.text.slice(draft.tokens[at + 3]?.start, draft.tokens[end - 1]?.end);
    if (end > at + 3) replaceTokens(draft, at, end - 1, `${NEXT_VALUE_FUNCTION}('${name}')`);
  },
  EXEC: respellExecute,
  EXECUTE: respellExecute,
  SAVE: (draft, at) => {
    if (isFirst(draft, at) && (reads(draft, at + 1, 'TRAN') || reads(draft, at + 1, 'TRANSACTION'))) replaceTokens(draft, at, at + 1, 'SAVEPOINT');
  },
  START: (draft, at) => {
    if (reads(draft, at, 'START', 'TRANSACTION', 'WITH', 'CONSISTENT', 'SNAPSHOT')) replaceTokens(draft, at + 2, at + 4, '');
  },
  // A DO block of PostgreSQL holds a string; MySQL's DO evaluates an expression.
  DO: (draft, at) => {
    if (isFirst(draft, at) && draft.tokens[at + 1]?.kind === 'word' && draft.tokens[at + 2]?.text === '(') replaceTokens(draft, at, at, 'SELECT');
  },
  SET: (draft, at) => {
    if (draft.tokens[at + 2]?.text === ':=' && isFirst(draft, at)) replaceTokens(draft, at + 2, at + 2, '=');
  },
  UPDATE: (draft, at) => {
    if (['FOR', 'KEY', 'DO', 'THEN', 'ON'].includes(draft.tokens[at - 1]?.word ?? '')) return;
    const next = dropModifiers(draft, at + 1);
    const set = draft.tokens.findIndex((token, i) => i > at && token.word === 'SET' && token.depth === draft.tokens[at]!.depth);
    // MySQL's list of tables is a join without a condition.
    for (let i = next; i < set; i++) if (draft.tokens[i]!.text === ',' && draft.tokens[i]!.depth === draft.tokens[at]!.depth) replaceTokens(draft, i, i, ' JOIN ');
  },
  DELETE: (draft, at) => {
    if (draft.tokens[at - 1]?.word === 'ON' || draft.tokens[at - 1]?.word === 'THEN') return;
    const next = dropModifiers(draft, at + 1);
    const last = endOfScope(draft.tokens, at);
    const hasFrom = draft.tokens.some((token, i) => i > at && i <= last && token.word === 'FROM' && token.depth === draft.tokens[at]!.depth);
    if (!hasFrom && isNamePart(draft.tokens[next])) insertAfter(draft, at, ' FROM');
  },
  INSERT: (draft, at) => {
    dropModifiers(draft, at + 1);
    const over = draft.tokens.findIndex((token, i) => i > at && token.word === 'OVERRIDING');
    if (over > 0 && reads(draft, over + 2, 'VALUE')) replaceTokens(draft, over, over + 2, '');
  },
  FROM: (draft, at) => { dropOnly(draft, at + 1); },
  JOIN: (draft, at) => { dropOnly(draft, at + 1); },
  MERGE: (draft, at) => {
    const name = reads(draft, at + 1, 'INTO') ? at + 2 : at + 1;
    const hint = afterName(draft.tokens, name);
    if (!reads(draft, hint, 'WITH', '(')) return;
    const close = closingBracket(draft.tokens, hint + 1);
    const alias = reads(draft, close + 1, 'AS') ? close + 2 : close + 1;
    if (!isNamePart(draft.tokens[alias]) || reads(draft, alias, 'USING')) return;
    const hints = draft.text.slice(draft.tokens[hint]!.start, draft.tokens[close]!.end);
    replaceTokens(draft, hint, alias, `AS ${draft.tokens[alias]!.text} ${hints}`);
  },
  OPTION: (draft, at) => {
    if (reads(draft, at + 1, '(')) replaceTokens(draft, at, closingBracket(draft.tokens, at + 1), '');
  },
  CURRENT: (draft, at) => {
    if (reads(draft, at, 'CURRENT', 'OF')) replaceTokens(draft, at, at + 2, CURSOR_CONDITION);
  },
  ON: respellConflict,
  IS: respellIs,
  ISNULL: (draft, at) => { if (!reads(draft, at + 1, '(')) replaceTokens(draft, at, at, 'IS NULL'); },
  NOTNULL: (draft, at) => { replaceTokens(draft, at, at, 'IS NOT NULL'); },
  // The parser lets the operand of these run on through the next AND.
  BINARY: (draft, at) => {
    const before = draft.tokens[at - 1];
    const isOperator = before?.kind === 'symbol' || ['WHERE', 'AND', 'OR', 'SELECT', 'NOT'].includes(before?.word ?? '');
    if (draft.dialect === 'mysql' && isOperator && !reads(draft, at + 1, '(')) replaceTokens(draft, at, at, '');
  },
  DIV: (draft, at) => { if (draft.dialect === 'mysql') replaceTokens(draft, at, at, '/'); },
  MOD: (draft, at) => { if (!reads(draft, at + 1, '(') && isOperand(draft, at - 1)) replaceTokens(draft, at, at, '%'); },
  GLOB: respellMatch,
  REGEXP: respellMatch,
  MATCH: respellMatch,
  '+=': respellCompound,
  '-=': respellCompound,
  '*=': respellCompound,
  '/=': respellCompound,
};

/** The lock of a SELECT: PostgreSQL has two weaker strengths, and lets LIMIT stand behind it. */
function respellRowLock(draft: Draft, at: number): void {
  const { tokens } = draft;
  let i = at + 1;
  if (reads(draft, i, 'NO', 'KEY')) i += 2;
  else if (reads(draft, i, 'KEY')) i += 1;
  if (!reads(draft, i, 'UPDATE') && !reads(draft, i, 'SHARE')) return;
  const strength = tokens[i]!.word;
  const weak = i > at + 1;
  i++;
  const afterStrength = i;
  if (reads(draft, i, 'OF')) {
    do i = afterName(tokens, i + 1); while (reads(draft, i, ','));
  }
  if (reads(draft, i, 'SKIP', 'LOCKED')) i += 2;
  else if (reads(draft, i, 'NOWAIT')) i += 1;
  const rest = draft.text.slice(tokens[afterStrength - 1]!.end, tokens[i - 1]!.end);
  const waits = reads(draft, i, 'WAIT') ? 2 : 0;
  const after = tokens.slice(i + waits).find((token) => token.kind !== 'hole');
  const misplaced = after?.depth === tokens[at]!.depth && ['LIMIT', 'OFFSET', 'FETCH'].includes(after.word);
  if (misplaced) {
    replaceTokens(draft, at, i + waits - 1, '');
    insertAfter(draft, endOfScope(tokens, at), ` FOR ${strength}${rest}`);
  } else if (weak || waits > 0) {
    replaceTokens(draft, at, i + waits - 1, `FOR ${strength}${rest}`);
  }
}

/** `EXEC @result = procedure @argument = value OUTPUT`. */
function respellExecute(draft: Draft, at: number): void {
  const { tokens } = draft;
  if (tokens[at + 1]?.text.startsWith('@') && tokens[at + 2]?.text === '=') replaceTokens(draft, at + 1, at + 2, '');
  const last = endOfScope(tokens, at);
  for (let i = at + 2; i <= last; i++) if (['OUT', 'OUTPUT'].includes(tokens[i]!.word)) replaceTokens(draft, i, i, '');
}

/**
 * The condition of a partial index behind ON CONFLICT is not known to the parser; and behind a
 * SELECT without FROM or WHERE it takes ON for an alias.
 */
function respellConflict(draft: Draft, at: number): void {
  const { tokens } = draft;
  const isConflict = reads(draft, at, 'ON', 'CONFLICT');
  if (!isConflict && !reads(draft, at, 'ON', 'DUPLICATE', 'KEY')) return;
  const { depth } = tokens[at]!;
  const clause = tokens.slice(0, at).findLast((token) => token.depth === depth && ['SELECT', 'FROM', 'WHERE', 'VALUES', 'INSERT'].includes(token.word));
  if (clause?.word === 'SELECT') draft.edits.push({ start: tokens[at]!.start, end: tokens[at]!.start, text: 'WHERE TRUE ' });
  if (!isConflict || !reads(draft, at + 2, '(')) return;
  const where = closingBracket(tokens, at + 2) + 1;
  const action = tokens.findIndex((token, i) => i > where && token.word === 'DO' && token.depth === depth);
  if (reads(draft, where, 'WHERE') && action > 0) replaceTokens(draft, where, action - 1, '');
}

/** IS DISTINCT FROM swallows what follows it; SQLite's IS compares values. */
function respellIs(draft: Draft, at: number): void {
  const not = reads(draft, at + 1, 'NOT');
  const i = not ? at + 2 : at + 1;
  const same = not ? '<=>' : DISTINCT_OPERATOR;
  if (reads(draft, i, 'DISTINCT', 'FROM')) return replaceTokens(draft, at, i + 1, same);
  const kind = draft.tokens[i]?.kind;
  if (kind === 'param' || kind === 'hole' || kind === 'string' || kind === 'number') replaceTokens(draft, at, i - 1, not ? DISTINCT_OPERATOR : '<=>');
}

/** T-SQL's `a += 1`. */
function respellCompound(draft: Draft, at: number): void {
  let from = at - 1;
  while (draft.tokens[from - 1]?.text === '.') from -= 2;
  if (from < 0 || !isNamePart(draft.tokens[from])) return;
  const column = draft.text.slice(draft.tokens[from]!.start, draft.tokens[at - 1]!.end);
  replaceTokens(draft, at, at, `= ${column} ${draft.tokens[at]!.text[0]}`);
}

function respellMatch(draft: Draft, at: number): void {
  if (draft.dialect === 'sqlite' && isOperand(draft, at - 1) && !reads(draft, at + 1, '(')) replaceTokens(draft, at, at, '~');
}

/** `UPDATE TOP (1) q`, `UPDATE ONLY t`, `DELETE LOW_PRIORITY`: read as tables. Gives the next index. */
function dropModifiers(draft: Draft, at: number): number {
  let i = at;
  for (;;) {
    if (reads(draft, i, 'TOP', '(')) {
      const close = closingBracket(draft.tokens, i + 1);
      const last = reads(draft, close + 1, 'PERCENT') ? close + 1 : close;
      replaceTokens(draft, i, last, '');
      i = last + 1;
    } else if (['ONLY', 'LOW_PRIORITY', 'HIGH_PRIORITY', 'DELAYED', 'QUICK'].includes(draft.tokens[i]?.word ?? '') && isNamePart(draft.tokens[i + 1])) {
      replaceTokens(draft, i, i, '');
      i++;
    } else if (reads(draft, i, 'IGNORE') && draft.tokens[at - 1]?.word !== 'INSERT' && isNamePart(draft.tokens[i + 1]) && !reads(draft, i + 1, 'SET')) {
      replaceTokens(draft, i, i, '');
      i++;
    } else {
      return i;
    }
  }
}

function dropOnly(draft: Draft, at: number): void {
  if (reads(draft, at, 'ONLY') && isNamePart(draft.tokens[at + 1])) replaceTokens(draft, at, at, '');
}

function isFirst(draft: Draft, at: number): boolean {
  const before = draft.tokens[at - 1];
  return before === undefined || before.text === ';';
}

function isOperand(draft: Draft, at: number): boolean {
  const token = draft.tokens[at];
  return token !== undefined && (token.kind !== 'symbol' || token.text === ')');
}
