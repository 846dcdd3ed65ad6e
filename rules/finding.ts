/** What a rule yields. No face's types: ESLint, the server and the command each show as much of it as they can. */
import type { Place, Span } from '../model/place.ts';

/** One step of the interleaving by which two holders lose data, told on the user's own lines. */
export interface Step {
  /** Milliseconds since the first step, on one clock for both instances. */
  at: number;
  /** `A` pauses, `B` overtakes; `service` is the lock service (a lease that ends). */
  who: 'A' | 'B' | 'service';
  /** A sentence fragment: `takes the lease on "report:{id}" (30 s)`. */
  says: string;
  /** The user's line that does it. */
  place?: Place;
  /** What the resource holds after this step: `A's`, `B's`. */
  resource?: string;
  /** The step in which the data is lost. */
  loses?: true;
  /** What that step does instead once the finding is mended. */
  mended?: { says: string; resource: string };
}

/** One text change in the file of the finding (or in `file`). */
export interface Change extends Span {
  file?: string;
  text: string;
}

/** An edit that mends the finding. */
export interface Edit {
  /** Stable name of the kind of edit, for `fix all of this kind`. */
  kind: string;
  /** What it does, in the imperative: `Release only if still ours (Lua)`. */
  title: string;
  changes: Change[];
  /** Shown with the edit: the migration it needs, the setting it honours. */
  note?: string;
}

export interface Finding {
  /** Rule name without prefix: `no-blind-release`. */
  rule: string;
  messageId: string;
  /** Whole message: what, why, what to do. Its first sentence stands alone. */
  message: string;
  place: Place;
  /** The acquire, the lease, the statement, the exit … each with a short text. */
  related: { place: Place; text: string }[];
  interleaving?: Step[];
  edits: Edit[];
}
