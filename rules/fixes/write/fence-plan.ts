/** What a fence is made of, whatever the write looks like. */
export interface FencePlan {
  token: string;
  /** The same as a number, for clients that do not turn texts into numbers; or as the file declares the column. */
  number: string;
  column: string;
  /** One grant writes the row more than once: an equal token is no refusal. */
  isRepeated: boolean;
  /** The statement that throws when the write was refused. */
  refusal: string;
}
