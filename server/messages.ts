/** What Fencepost's server and its VS Code client say to each other beyond the standard protocol. */

/** Request: the story of the lock at a position, as text. Params {@link ExplainParams}, answer {@link Explanation}. */
export const explainRequest = 'fencepost/explain';

export interface ExplainParams {
  textDocument: { uri: string };
  position: { line: number; character: number };
}

export interface Explanation {
  /** Plain text; says so where there is nothing to explain. */
  text: string;
}

/** Notification to clients that announce `experimental.fencepost.status`: how the last check of a document went. */
export const statusNotification = 'fencepost/status';

export interface StatusParams {
  /** `ok`: checked; `idle`: there was nothing to do, `reason` says why; `error`: the check failed, `reason` says how. */
  state: 'ok' | 'idle' | 'error';
  /** A sentence. */
  reason: string;
  /** Time that the check took. */
  ms: number;
  /** The document that was checked. */
  uri: string;
}
