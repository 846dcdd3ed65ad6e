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

/** Request: how the findings at a position lose data. Params {@link ExplainParams}, answer a list of {@link Timeline}. */
export const timelineRequest = 'fencepost/timeline';

export interface TimelineStep {
  /** Milliseconds since the first step. */
  at: number;
  who: 'A' | 'B' | 'service';
  says: string;
  /** What the resource holds afterwards. */
  resource?: string;
  loses?: true;
  mended?: { says: string; resource: string };
  /** The line that does it, 0-based. */
  uri?: string;
  line?: number;
  character?: number;
}

export interface Timeline {
  rule: string;
  message: string;
  /** Address of the rule's page. */
  page: string;
  /** The document of the finding. */
  uri: string;
  steps: TimelineStep[];
}

/** Commands of Fencepost's own client that code actions and lenses call; announced in `experimental.fencepost.commands`. */
export const commands = {
  /** Arguments: {@link ExplainParams}. */
  showTimeline: 'fencepost.showTimeline',
  /** Arguments: {@link EfficiencyParams}. Asks for the reason and inserts the comment. */
  markEfficiency: 'fencepost.markEfficiency',
  /** Argument: an address. */
  openPage: 'fencepost.openPage',
} as const;

export interface EfficiencyParams {
  uri: string;
  version: number;
  /** 0-based line above which the comment goes, and what it is indented by. */
  line: number;
  indent: string;
}

/** Request: checks every file below the folders. Params {@link ScanParams}, answer {@link ScanResult}. Can be cancelled. */
export const scanRequest = 'fencepost/scan';
/** Notification while a scan runs. Params {@link ScanProgress}. */
export const scanProgress = 'fencepost/scanProgress';

export interface ScanParams {
  /** URIs of folders. */
  folders: string[];
}

export interface ScanProgress {
  done: number;
  total: number;
}

export interface ScanResult {
  /** Files with findings; `diagnostics` are LSP diagnostics. */
  files: { uri: string; diagnostics: unknown[] }[];
  checked: number;
  /** Files that could not be checked, with the end of a sentence that begins with the file. */
  unchecked: { uri: string; why: string }[];
}
