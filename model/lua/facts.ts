// Owns the vocabulary in which the room answers: what a script calls, under which conditions, and what that means for a lock.

/** A value as the script sees it, traced back to where it came from. */
export type LuaOperand =
  | LuaInput
  | { readonly kind: 'const'; readonly value: string | number | boolean | null }
  | { readonly kind: 'concat'; readonly parts: readonly LuaOperand[] }
  | LuaReply
  | { readonly kind: 'field'; readonly of: LuaOperand; readonly name: string }
  | { readonly kind: 'arithmetic'; readonly operator: string; readonly left: LuaOperand; readonly right: LuaOperand }
  /** What a function made of other values: a hash, a part of a string, a formatted number. */
  | { readonly kind: 'derived'; readonly by: string; readonly from: readonly LuaOperand[] }
  /** A table that the script encodes (JSON or MessagePack). */
  | { readonly kind: 'encoded'; readonly of: LuaOperand | undefined; readonly fields: readonly LuaField[] }
  /** `#KEYS` or `#ARGV`, or a counter that a loop over them raises. */
  | { readonly kind: 'count'; readonly of: 'keys' | 'args' }
  /** Different on different paths. */
  | { readonly kind: 'either'; readonly options: readonly LuaOperand[] }
  /** Unknown; `at` is equal for the same evaluation. */
  | { readonly kind: 'other'; readonly at: number };

/** `KEYS[1]` is index 0; `each` stands for every key (or argument) of a loop. */
export type LuaInput =
  | { readonly kind: 'key'; readonly index: number | 'each' }
  | { readonly kind: 'arg'; readonly index: number | 'each' };

/** What a Redis command answered; `at` is equal for the same answer. */
export interface LuaReply {
  readonly kind: 'reply';
  readonly command: string;
  /** The key that the command names first. */
  readonly of: LuaOperand | undefined;
  /** The operands after that key. */
  readonly args: readonly LuaOperand[];
  readonly at: number;
}

export interface LuaField {
  readonly name: string;
  readonly value: LuaOperand;
}

export type LuaComparison = '==' | '~=' | '<' | '<=' | '>' | '>=';

/** A test that held on the way. A value read from Redis stands on the left, a constant on the right. */
export type LuaCondition =
  | { readonly operator: LuaComparison; readonly left: LuaOperand; readonly right: LuaOperand }
  | { readonly operator: 'truthy' | 'falsy'; readonly left: LuaOperand };

export interface LuaLease {
  readonly unit: 'ms' | 's';
  readonly value: LuaOperand;
  /** The value is a point in time (`PXAT`, `EXPIREAT`), not a length. */
  readonly absolute: boolean;
}

/** One call of `redis.call` or `redis.pcall`. */
export interface LuaCall {
  /** In upper case; empty when the script computes the name. */
  readonly command: string;
  readonly args: readonly LuaOperand[];
  readonly keys: readonly LuaOperand[];
  /** The tests that hold whenever it runs. */
  readonly conditions: readonly LuaCondition[];
  readonly nx: boolean;
  readonly xx: boolean;
  readonly lease: LuaLease | undefined;
}

/** What a client receives. `false` and `nil` are `null`, `true` is 1. */
export type LuaReturn =
  | { readonly kind: 'const'; readonly value: string | number | null }
  /** The number that the script minted. */
  | { readonly kind: 'token' }
  | { readonly kind: 'reply'; readonly command: string; readonly of: LuaOperand | undefined }
  | { readonly kind: 'arg'; readonly index: number | 'each' }
  /** The number of keys that were handled. */
  | { readonly kind: 'count'; readonly of: 'keys' | 'args' }
  | { readonly kind: 'array'; readonly items: readonly LuaReturn[] }
  /** The client throws. */
  | { readonly kind: 'error'; readonly message: string | undefined }
  | { readonly kind: 'other' };

/** What the script returns where the step was done, and where it was not. */
export interface LuaOutcomes {
  readonly done: readonly LuaReturn[];
  readonly refused: readonly LuaReturn[];
}

interface LuaStep extends LuaOutcomes {
  readonly key: LuaOperand;
  /** Its place in `LuaFacts.calls`. */
  readonly call: number;
}

export interface LuaAcquire extends LuaStep {
  readonly owner: LuaOperand | undefined;
  /** Missing when some path leaves the key without one. */
  readonly lease: LuaLease | undefined;
  /** It also succeeds for the caller whose owner value is stored. */
  readonly reentrant: boolean;
}

interface LuaOwnerCheck {
  /** The step only runs where stored content equals what the caller sent. */
  readonly ownerChecked: boolean;
  /** What the content was compared with, a constant included. */
  readonly comparedWith: LuaOperand | undefined;
  /** Whose content was compared: usually the key itself. */
  readonly checkedKey: LuaOperand | undefined;
}

export interface LuaRelease extends LuaStep, LuaOwnerCheck {
  /** The script hands the deleted value to its caller: a one-time token. */
  readonly consumes: boolean;
  /** It gives back what this same run had taken, after another step failed. */
  readonly undoesAcquire: boolean;
  /** Set when the deletion is bound to an order of tokens or versions instead. */
  readonly fencedBy: LuaFence | undefined;
}

export interface LuaRenewal extends LuaStep, LuaOwnerCheck {
  readonly lease: LuaLease | undefined;
}

export interface LuaMint {
  readonly key: LuaOperand;
  readonly call: number;
  /** The field, where the counter lives in a hash. */
  readonly field: LuaOperand | undefined;
  /** It only counts where an acquire of the same run succeeded. */
  readonly insideAcquire: boolean;
  /** Some path lets the counter expire or deletes it. */
  readonly expires: boolean;
}

/** Why a write cannot be a stale holder's. */
export type LuaFence =
  | {
      readonly by: 'order';
      readonly key: LuaOperand | undefined;
      readonly stored: LuaOperand;
      /** How the stored value relates to the sent one when the write runs: `<` and `<=` let the newer one through. */
      readonly operator: '<' | '<=' | '>' | '>=';
      readonly comparedWith: LuaOperand;
      /** The script stores the value that it compared, so that the next comparison sees it. */
      readonly recorded: boolean;
    }
  | { readonly by: 'owner'; readonly key: LuaOperand | undefined; readonly stored: LuaOperand; readonly comparedWith: LuaOperand }
  /** A relative change (`INCRBY`, `DECR`) that stays within a bound on the same key. */
  | { readonly by: 'bound'; readonly key: LuaOperand | undefined; readonly stored: LuaOperand; readonly comparedWith: LuaOperand }
  /** It only runs where an acquire of the same run succeeded. */
  | { readonly by: 'grant'; readonly key: LuaOperand }
  /** It only runs where nothing was stored yet. */
  | { readonly by: 'absence'; readonly key: LuaOperand | undefined };

/** Compare and set: the written key's own content equals what the caller, or the script, expects. */
export interface LuaEqualityGuard {
  readonly stored: LuaOperand;
  readonly comparedWith: LuaOperand;
}

export interface LuaWrite extends LuaStep {
  readonly command: string;
  readonly values: readonly LuaOperand[];
  readonly lease: LuaLease | undefined;
  readonly fencedBy: LuaFence | undefined;
  readonly equalityGuard: LuaEqualityGuard | undefined;
}

/** What one script does. */
export interface LuaFacts {
  readonly calls: readonly LuaCall[];
  readonly acquires: readonly LuaAcquire[];
  readonly releases: readonly LuaRelease[];
  readonly renewals: readonly LuaRenewal[];
  readonly mints: readonly LuaMint[];
  readonly writes: readonly LuaWrite[];
  /** What it returns, over all paths. */
  readonly returns: readonly LuaReturn[];
  /** False when the script has more paths than were followed: then a verdict may miss one. */
  readonly complete: boolean;
}
