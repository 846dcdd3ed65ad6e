/** How edits write calls of a library. */
import type { TypeId, When } from './arguments.ts';
import type { Count } from './store-effects.ts';

/**
 * How an edit writes a call. In the templates `{name}` is a slot; texts in single quotes take the
 * quotes of the file that is edited.
 */
export interface CallForm {
  /** Receivers whose calls are written so; `any` for receivers that are known only by the shape of their calls. */
  on: TypeId | readonly TypeId[];
  /** Methods that it may take the place of; any, without it. */
  instead?: readonly string[];
  versions?: string;
  /** What must hold of the acquire that the same receiver makes: tells clients apart whose type is not known. */
  when?: readonly When[];
  method: string;
  arguments: string;
  /** Values go in as text only. */
  isText?: boolean;
}

/** Runs a script. Slots: `{script}`, `{count}` of keys, `{keys}` and `{args}`, each with commas between. */
export interface ScriptForm extends CallForm {
  /** The script is not handed over as text: how a value of the module is made of the `{text}`, and the export that it takes. */
  prepared?: { text: string; from: string; name: string };
}

/** Compares the owner value and deletes, by a command of the server. Slots: `{key}`, `{owner}`. */
export interface CommandForm extends CallForm {
  command: 'DELEX' | 'DELIFEQ';
}

/** Takes a key with its lease where there is none, in one step. Slots: `{key}`, `{owner}`, `{unit}` (`EX` or `PX`; `{lower}` in small letters), `{length}`. */
export interface GrantForm extends CallForm {
  /** What it answers when granted. */
  answers: string;
}

/** A write of one call with a filter and data, as an edit fences it. Slot: `{token}`. */
export interface FenceForm {
  on: TypeId | readonly TypeId[];
  name: string;
  versions?: string;
  /** The method that takes the filter with a fence in it, and tells the count. */
  becomes: string;
  /** Properties of argument 0 that hold the filter and the data; with any other one the write is not fenced so. */
  filter: string;
  data: string;
  /** The condition on the column: below the token, or not above it. */
  below: string;
  notAbove: string;
  /** The only operators that a value of the data, and of the filter, may be made with. */
  operators: readonly string[];
  conditions: readonly string[];
  /** How `becomes` tells what it touched. */
  count: Count;
}

/** How a column is compared by order in a filter: below a token, or not above it. Slots: `{column}`, `{token}`. */
export interface OrderForm {
  below: string;
  notAbove: string;
  /** Exports that the two are written with, imported where they are missing. */
  uses?: { from: string; below: string; notAbove: string };
}

/** A filter object that is an argument of its own, beside the data: the condition is the value of the column. */
export interface FilterForm extends OrderForm {
  on: readonly TypeId[];
  /** The operator under which data stands whose other parts are operators: `$set`. */
  set?: string;
}

/** A condition beside those that are there, joined with them by an export. Slot: `{table}`. */
export interface BesideForm extends OrderForm {
  join: string;
}

/** A statement that a chain of steps builds, as an edit fences it. */
export interface ChainForm {
  /** Types of the steps. */
  on: readonly TypeId[];
  /** Steps whose first argument is the data. */
  data: readonly string[];
  /** Steps that add a condition to the filter, all of which must hold. */
  filter: readonly string[];
  /** Steps beside which a further condition would not hold for the whole filter. */
  refuses?: readonly string[];
  /** The condition is a further step. */
  step?: OrderForm;
  /** The condition stands in the filter's argument. */
  beside?: BesideForm;
  /** How the column is called in the data: by its name, or by the property that stands for it. */
  names: 'column' | 'property';
}

/**
 * A write of one call whose options hold expressions as texts, with their values beside them; what is
 * refused is thrown. Slots: `{column}`, `{value}` (what stands for the value), and `{value}` itself in
 * the wraps.
 */
export interface ExpressionForm {
  on: TypeId | 'module';
  name: readonly string[];
  /** The option with what is stored: an update expression, or the whole item as an object. A deletion has neither. */
  update?: string;
  item?: string;
  /** The options with the condition, the values, and the names that stand for columns. */
  condition: string;
  values: string;
  names: string;
  below: string;
  notAbove: string;
  equals: string;
  /** How a number and a text are written among the values, where they are wrapped. */
  number?: string;
  text?: string;
  /** The name of the error that is thrown when the condition does not hold. */
  refused: string;
}

/** A write that takes, as a precondition, the version of the same thing as it was read before. A miss is thrown. */
export interface VersionForm {
  on: TypeId | 'module';
  name: readonly string[];
  /** The argument with the options, and where the precondition stands in them. */
  options: number;
  at: readonly string[];
  /** Where the version stands in what was read. */
  version: readonly string[];
  /** The reads that answer the version, together with the content or before it is read. */
  reads: readonly string[];
  /** What the reader of the edit should know. */
  note?: string;
}

/** How the token of a grant is read: in one step with who holds the lock, so that it is that of the own grant or none. */
export interface TokenForm {
  on: TypeId;
  method: string;
  /** With the slot `{key}`. */
  arguments: string;
  /** The property that names the session which holds the lock, and the one that is the token. */
  holder: string;
  token: string;
  /** What TypeScript is told of the answer, where its type lacks one of the two. */
  type?: string;
  refused: string;
}

/** How edits write calls of a library. */
export interface Edits {
  scripts?: readonly ScriptForm[];
  commands?: readonly CommandForm[];
  grants?: readonly GrantForm[];
  fences?: readonly FenceForm[];
  orders?: readonly FilterForm[];
  chains?: readonly ChainForm[];
  expressions?: readonly ExpressionForm[];
  versions?: readonly VersionForm[];
  tokens?: readonly TokenForm[];
  /** Exports that make a fresh owner value: called without arguments, they answer a text. The first one is the one to import. */
  makers?: readonly { from: string; name: string }[];
  /** The type argument with which the answer of a statement shows its count to TypeScript. */
  countType?: { on: readonly TypeId[]; name: string; from: string };
  /** To TypeScript the rows that a statement answers have no columns. */
  hidesColumns?: boolean;
  /** Statements answer at once, without a promise. */
  isSync?: boolean;
}
