/** A small editor: starts the server over stdio, speaks the protocol with it and applies its edits, versions checked. */
import { spawn, type ChildProcess } from 'node:child_process';
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type CodeAction,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type Hover,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  type Range,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { StatusParams } from '../../server/messages.ts';

/** What VS Code can do, as far as the server asks. */
export const able: ClientCapabilities = {
  textDocument: {
    diagnostic: { dynamicRegistration: false },
    publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
    hover: { contentFormat: ['markdown', 'plaintext'] },
  },
  workspace: { configuration: true, workspaceEdit: { documentChanges: true }, diagnostics: { refreshSupport: true } },
  experimental: { fencepost: { status: true } },
};

/** The same editor without pull diagnostics. */
export const pushed: ClientCapabilities = { ...able, textDocument: { ...able.textDocument, diagnostic: undefined } };

export interface Session {
  initialized: InitializeResult;
  connection: ProtocolConnection;
  process: ChildProcess;
  open(uri: string, text: string, languageId?: string): TextDocument;
  /** Replaces the first occurrence of `old`, or the whole text. */
  edit(uri: string, old: string | undefined, text: string): void;
  save(uri: string): void;
  close(uri: string): void;
  /** Closes every document and forgets what the server said about them. */
  closeAll(): Promise<void>;
  pull(uri: string, previousResultId?: string): Promise<DocumentDiagnosticReport>;
  /** The diagnostics that a pull gives, whole. */
  diagnostics(uri: string): Promise<Diagnostic[]>;
  actions(uri: string, range: Range, only?: string[]): Promise<CodeAction[]>;
  /** Applies an action as an editor does: refused when a document has another version. */
  apply(action: CodeAction): void;
  hover(uri: string, text: string): Promise<string | undefined>;
  request<T>(method: string, params?: unknown): Promise<T>;
  notify(method: string, params?: unknown): void;
  text(uri: string): string;
  /** Everything that was published, oldest first. */
  published: PublishDiagnosticsParams[];
  /** The publication for the document's present version, as soon as it is there. */
  publishedFor(uri: string): Promise<PublishDiagnosticsParams>;
  /** The next publication for a document after the first `count` ones. */
  publishedAfter(count: number, uri: string): Promise<PublishDiagnosticsParams>;
  statuses: StatusParams[];
  /** The next status that fits. */
  status(fits: (status: StatusParams) => boolean): Promise<StatusParams>;
  /** Resolves when the server asks for diagnostics to be pulled again. */
  refreshed(): Promise<void>;
  logged: string[];
  settings: Record<string, unknown>;
  /** The settings of a document, where they are others. */
  settingsFor?: (uri: string) => Record<string, unknown> | undefined;
  /** Shuts the server down and gives its exit code. */
  stop(): Promise<number | null>;
}

/** Starts `command` and initializes it; `settings` is what the editor answers for the section `fencepost`. */
export async function startSession(command: string[], options: { capabilities?: ClientCapabilities; settings?: Record<string, unknown>; initializationOptions?: unknown; folders?: string[] } = {}): Promise<Session> {
  const child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  let complaint = '';
  child.stderr.on('data', (data) => (complaint += data));
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
  const documents = new Map<string, TextDocument>();
  const waiting = new Set<() => void>();
  let refreshes = 0;

  /** Waits, event by event, until `look` finds something. */
  async function until<T>(look: () => T | undefined): Promise<T> {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}. ${complaint}`);
      await new Promise<void>((resolve) => waiting.add(resolve));
    }
  }
  const happened = () => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  void ended.then(happened);

  const session: Session = {
    initialized: undefined!,
    connection,
    process: child,
    published: [],
    statuses: [],
    logged: [],
    settings: options.settings ?? {},
    open(uri, text, languageId = 'typescript') {
      const document = TextDocument.create(uri, languageId, 1, text);
      documents.set(uri, document);
      session.notify('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
      return document;
    },
    edit(uri, old, text) {
      const document = documents.get(uri)!;
      const at = old === undefined ? 0 : document.getText().indexOf(old);
      if (at < 0) throw new Error(`${old} is not in the text.`);
      change(uri, [{ range: { start: document.positionAt(at), end: document.positionAt(old === undefined ? Infinity : at + old.length) }, text }]);
    },
    save: (uri) => session.notify('textDocument/didSave', { textDocument: { uri } }),
    close(uri) {
      documents.delete(uri);
      session.notify('textDocument/didClose', { textDocument: { uri } });
    },
    async closeAll() {
      for (const uri of [...documents.keys()]) session.close(uri);
      // What the server had still to say about them is said before it answers.
      await session.pull('file:///nothing.ts');
      for (const heard of [session.published, session.statuses, session.logged]) heard.length = 0;
    },
    pull: (uri, previousResultId) => session.request('textDocument/diagnostic', { textDocument: { uri }, identifier: 'fencepost', previousResultId }),
    async diagnostics(uri) {
      const report = await session.pull(uri);
      if (report.kind !== 'full') throw new Error('Asked without a result id, the server answered "unchanged".');
      return report.items;
    },
    async actions(uri, range, only) {
      return (await session.request<CodeAction[] | null>('textDocument/codeAction', { textDocument: { uri }, range, context: { diagnostics: [], only } })) ?? [];
    },
    apply({ edit }) {
      for (const it of edit?.documentChanges ?? []) {
        if (!('edits' in it)) throw new Error('Only text edits are expected.');
        const { uri, version } = it.textDocument;
        if (version !== documents.get(uri)?.version) throw new Error(`The edit is for version ${version} of ${uri}, which is no more.`);
        // From the end, so that earlier ranges stay right.
        const edits = [...it.edits].sort((a, b) => b.range.start.line - a.range.start.line || b.range.start.character - a.range.start.character);
        change(uri, edits.map((one) => ({ range: one.range, text: 'newText' in one ? one.newText : '' })));
      }
    },
    async hover(uri, text) {
      const document = documents.get(uri)!;
      const position = document.positionAt(document.getText().indexOf(text));
      const hover = await session.request<Hover | null>('textDocument/hover', { textDocument: { uri }, position });
      return hover ? (hover.contents as { value: string }).value : undefined;
    },
    request: (method, params) => connection.sendRequest(method, params),
    notify: (method, params) => void connection.sendNotification(method, params),
    text: (uri) => documents.get(uri)!.getText(),
    publishedFor: (uri) => until(() => session.published.findLast((it) => it.uri === uri && it.version === documents.get(uri)?.version)),
    publishedAfter: (count, uri) => until(() => session.published.slice(count).find((it) => it.uri === uri)),
    status: (fits) => until(() => session.statuses.find(fits)),
    async refreshed() {
      const before = refreshes;
      await until(() => (refreshes > before ? true : undefined));
    },
    async stop() {
      await session.request('shutdown');
      session.notify('exit');
      const code = await ended;
      connection.dispose();
      return code;
    },
  };

  function change(uri: string, contentChanges: { range: Range; text: string }[]): void {
    const document = documents.get(uri)!;
    TextDocument.update(document, contentChanges, document.version + 1);
    session.notify('textDocument/didChange', { textDocument: { uri, version: document.version }, contentChanges });
  }

  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => (session.published.push(params), happened()));
  connection.onNotification('fencepost/status', (params: StatusParams) => (session.statuses.push(params), happened()));
  connection.onNotification('window/logMessage', ({ message }: { message: string }) => (session.logged.push(message), happened()));
  connection.onRequest('workspace/configuration', ({ items }: { items: { scopeUri: string }[] }) => items.map(({ scopeUri }) => session.settingsFor?.(scopeUri) ?? session.settings));
  connection.onRequest('workspace/diagnostic/refresh', () => (refreshes++, happened(), null));
  connection.onRequest('client/registerCapability', () => null);
  connection.listen();

  session.initialized = await session.request('initialize', {
    processId: process.pid,
    rootUri: null,
    workspaceFolders: options.folders?.map((uri) => ({ uri, name: uri })) ?? null,
    capabilities: options.capabilities ?? able,
    initializationOptions: options.initializationOptions,
  });
  session.notify('initialized', {});
  return session;
}
