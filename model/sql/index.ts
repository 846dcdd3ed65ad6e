/**
 * Owns the door of the SQL room: parse, classify and rewrite one SQL statement. Everything behind
 * it is pure but for the engine, which loads its bytes through the function it is given.
 */

export { analyzeSql, statementsWithin, writesOf } from './analyze.ts';
export { isEngineReady, provideSqlEngine } from './engine.ts';
export { sqlText } from './facts.ts';
export { lockProcedure } from './lock-calls.ts';
export { addFence, type FenceOptions, type FenceRewrite } from './fence.ts';
export { type InsertedParam, TOKEN_HOLE } from './fence-token.ts';
export { addMint, type MintOptions } from './mint.ts';
export { tellConditions, tellFacts } from './tell.ts';
export type {
  Assignment, ColumnCondition, ColumnOperand, ComparisonOp, Condition, Conflict, Dialect, HoleOperand, InsertFacts, LockCall, Mint,
  NowOperand, Operand, ParamOperand, ParamPlace, ParamStyle, RowLock, SqlFacts, SqlText, StatementKind,
} from './facts.ts';
