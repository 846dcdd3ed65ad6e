/** The LSP shell: which message asks which feature what, and when diagnostics are made. Decides nothing about findings. */
import { fileURLToPath } from 'node:url';
import {
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  FileChangeType,
  LSPErrorCodes,
  ResponseError,
  TextDocumentSyncKind,
  TextDocuments,
  type CancellationToken,
  type Connection,
  type DocumentDiagnosticReport,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver';
import { version } from '../package.json';
import { clientSettings, type ClientSettings } from './client-settings.ts';
import { codeActionsFor, mendAll, type MendData } from './code-actions.ts';
import { codeLensesFor } from './code-lens.ts';
import { diagnosticOf, resultIdOf } from './diagnostics.ts';
import type { EditorSettings } from './editor-settings.ts';
import { explainAt } from './explain.ts';
import { hoverAt } from './hover.ts';
import { importersIn } from './importers.ts';
import type { Problem } from './lint.ts';
import { explainRequest, scanProgress, scanRequest, statusNotification, timelineRequest, type ExplainParams, type Explanation, type ScanParams, type StatusParams } from './messages.ts';
import { CodeActionKind, DocumentDiagnosticReportKind, TextDocument, abilitiesOf, rangeOf, type ClientAbilities, type CodeAction, type Diagnostic } from './protocol.ts';
import { isEslintConfig } from './project-settings.ts';
import { scan } from './scan.ts';
import { timelinesAt } from './timeline.ts';
import { createWorkspace, isChecked, type Answer, type Status, type WorkspaceParts } from './workspace.ts';

/** A text that is checked in less is checked after every edit; one that takes longer waits for the next edit as long as it takes beyond that, up to a limit. */
const quickMs = 50;
const longestWaitMs = 250;
/** How long answers of other documents may change before the client is told to ask again. */
const refreshMs = 50;

export interface ServerParts extends Omit<WorkspaceParts, 'log' | 'importersOver'> {
  /** Files have changed on disk: what was read of them is no more. */
  forgetDisk(): void;
  /** The settings of a document with those of its project; the same object as long as both are the same. */
  projectSettings(settings: EditorSettings, uri: string, say: (sentence: string) => void): EditorSettings;
}

/** Serves one client. Returns when the handlers are in place; the connection then lives by itself. */
export function serve(connection: Connection, parts: ServerParts): void {
  let client: ClientAbilities;
  let settings: ClientSettings;
  /** The settings that hold for a document: the client's, with what its project's ESLint configuration says. */
  const settingsOf = async (uri: string): Promise<EditorSettings> => parts.projectSettings(await settings.of(uri), uri, (sentence) => connection.console.info(sentence));
  /** The same, not kept for a document that is not open. */
  const settingsOnce = async (uri: string): Promise<EditorSettings> => {
    const its = await settingsOf(uri);
    if (!workspace.isOpen(uri)) settings.closed(uri);
    return its;
  };
  const documents = new TextDocuments(TextDocument);
  /** The open folders; another list whenever they have changed. */
  let folders: readonly string[] = [];
  const workspace = createWorkspace({
    ...parts,
    importersOver: (host) => importersIn(() => folders, host),
    log: (level, message) => connection.console[level](message),
  });

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    client = abilitiesOf(params.capabilities);
    const ask = client.configuration ? (uri: string) => connection.workspace.getConfiguration({ scopeUri: uri, section: 'fencepost' }) : undefined;
    folders = pathsOf(params.workspaceFolders?.map((it) => it.uri) ?? (params.rootUri ? [params.rootUri] : []));
    settings = clientSettings(ask, params.initializationOptions, (sentence) => connection.console.warn(sentence));
    return {
      serverInfo: { name: 'fencepost', version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix], resolveProvider: client.resolvesEdits },
        codeLensProvider: {},
        hoverProvider: true,
        ...(client.workspaceFolders && { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } }),
        ...(client.pull && { diagnosticProvider: { identifier: 'fencepost', interFileDependencies: true, workspaceDiagnostics: false } }),
      },
    };
  });

  connection.onInitialized(() => {
    connection.console.info(`Fencepost ${version} on Node ${process.version}; diagnostics are ${client.pull ? 'pulled' : 'published'}.`);
    if (client.configuration) void connection.client.register(DidChangeConfigurationNotification.type, { section: 'fencepost' }).catch(() => {});
    if (client.workspaceFolders) {
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = pathsOf(removed.map((it) => it.uri));
        folders = [...folders.filter((it) => !gone.includes(it)), ...pathsOf(added.map((it) => it.uri))];
      });
    }
    if (client.watchFiles) {
      const globs = ['**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}', '**/{package,tsconfig*,jsconfig*,eslint-suppressions}.json'];
      void connection.client.register(DidChangeWatchedFilesNotification.type, { watchers: globs.map((globPattern) => ({ globPattern })) }).catch(() => {});
    }
  });

  // Diagnostics: asked for by the client, else made here and published; never both.

  /** The newest answer for a document. Lets what has arrived meanwhile be read first, so that the latest wins. */
  async function answerFor(uri: string, token?: CancellationToken) {
    if (!workspace.isOpen(uri)) return undefined;
    const its = await settingsOf(uri);
    await new Promise((resolve) => setImmediate(resolve));
    if (token?.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled.');
    const given = workspace.answer(uri, its, its.run === 'onType' ? 'analyse' : 'carry');
    if (!given) return undefined;
    tellStatus(uri, given.status);
    spread(given.affected);
    return given;
  }

  type Given = NonNullable<Awaited<ReturnType<typeof answerFor>>>;
  const diagnosticsOf = ({ answer, document }: Given): Diagnostic[] =>
    answer.problems.map((problem) => diagnosticOf(problem, answer, document, client, workspace.documentOf));

  connection.languages.diagnostics.on(async ({ textDocument, previousResultId }, token): Promise<DocumentDiagnosticReport> => {
    const given = await answerFor(textDocument.uri, token);
    if (!given) return { kind: DocumentDiagnosticReportKind.Full, items: [] };
    const items = diagnosticsOf(given);
    const resultId = resultIdOf(items);
    if (resultId === previousResultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId };
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items };
  });

  const due = new Set<string>();
  let settling: NodeJS.Timeout | undefined;
  let lastTook = 0;
  /** Has documents checked, slow ones once the edits have settled; each edit starts the wait anew. */
  function schedule(uris: Iterable<string>): void {
    for (const uri of uris) due.add(uri);
    clearTimeout(settling);
    settling = setTimeout(() => void checkDue(), Math.max(0, Math.min(lastTook - quickMs, longestWaitMs)));
  }

  async function checkDue(): Promise<void> {
    // One at a time, with room for messages between them: what is due may change meanwhile.
    for (const uri of due) {
      due.delete(uri);
      const given = await answerFor(uri);
      lastTook = given?.status.ms ?? 0;
      if (!given || client.pull) continue;
      void connection.sendDiagnostics({ uri, version: given.answer.version, diagnostics: diagnosticsOf(given) });
    }
  }

  let refreshing: NodeJS.Timeout | undefined;
  /** Brings the answers of other documents up to date at the client. */
  function spread(uris: readonly string[]): void {
    if (uris.length === 0) return;
    if (!client.pull) return schedule(uris);
    if (!client.refresh) return;
    clearTimeout(refreshing);
    refreshing = setTimeout(() => void connection.languages.diagnostics.refresh().catch(() => {}), refreshMs);
  }

  const lastStatus = new Map<string, Status>();
  function tellStatus(uri: string, status: Status): void {
    if (!client.status || lastStatus.get(uri) === status) return;
    lastStatus.set(uri, status);
    void connection.sendNotification(statusNotification, { ...status, uri } satisfies StatusParams);
  }

  documents.onDidOpen(({ document }) => {
    if (!isChecked(document.languageId)) return;
    spread(workspace.opened(document));
    schedule([document.uri]);
  });
  documents.onDidChangeContent(({ document }) => {
    if (!workspace.isOpen(document.uri)) return;
    workspace.edited(document.uri);
    schedule([document.uri]);
  });
  documents.onDidSave(async ({ document: { uri } }) => {
    if (!workspace.isOpen(uri)) return;
    const { run } = await settingsOf(uri);
    if (run === 'onType') return;
    workspace.saved(uri);
    schedule([uri]);
    // The client has asked when the text was edited; it does not know that only now the answer is a new one.
    spread([uri]);
  });
  documents.onDidClose(({ document: { uri } }) => {
    if (!workspace.isOpen(uri)) return;
    spread(workspace.closed(uri));
    due.delete(uri);
    settings.closed(uri);
    lastStatus.delete(uri);
    if (!client.pull) void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  connection.onDidChangeConfiguration((params) => {
    const sent: { fencepost?: unknown } | null | undefined = params.settings;
    settings.changed(sent?.fencepost);
    schedule(workspace.openUris());
    spread(workspace.openUris());
  });
  connection.onDidChangeWatchedFiles(({ changes }) => {
    const files = new Set(pathsOf(changes.map((it) => it.uri)));
    parts.forgetDisk();
    const structural = changes.some(({ uri, type }) => type !== FileChangeType.Changed || uri.endsWith('.json'));
    const affected = workspace.changedOnDisk(files, structural);
    // Whose settings have changed is seen when they are asked for.
    spread([...files].some(isEslintConfig) ? workspace.openUris() : affected);
  });

  connection.onCodeAction(async ({ textDocument, range, context }, token) => {
    const given = await answerFor(textDocument.uri, token);
    const its = await settingsOf(textDocument.uri);
    const others = { ...workspace, editsAcross: (problem: Problem, answer: Answer) => workspace.editsAcross(problem, answer, its) };
    return given && codeActionsFor({ range, only: context.only }, given.answer, given.document, client, others);
  });
  connection.onCodeActionResolve(async (action): Promise<CodeAction> => {
    const data = action.data as MendData | undefined;
    const given = data && (await answerFor(data.uri));
    if (!given || given.document.version !== data.version) return action;
    const { document } = given;
    const its = await settingsOf(data.uri);
    const text = document.getText();
    const mended = mendAll(text, data.rule, (each) => {
      const found = workspace.checkClosed(workspace.fileOf(data.uri)!, each, its);
      return 'problems' in found ? found.problems : [];
    });
    if (mended === undefined) return action;
    return { ...action, edit: { documentChanges: [{ textDocument: { uri: data.uri, version: data.version }, edits: [{ range: rangeOf(document, { start: 0, end: text.length }), newText: mended }] }] } };
  });
  connection.onCodeLens(async ({ textDocument: { uri } }, token) => {
    if (!workspace.isOpen(uri) || !(await settingsOf(uri)).codeLens) return [];
    const given = await answerFor(uri, token);
    return given ? codeLensesFor(given.answer, given.document, client) : [];
  });
  connection.onHover(async ({ textDocument, position }, token) => {
    const given = await answerFor(textDocument.uri, token);
    return given && hoverAt(position, given.answer, given.document, client, workspace.documentOf);
  });
  connection.onRequest(explainRequest, async ({ textDocument, position }: ExplainParams, token: CancellationToken): Promise<Explanation> => {
    const given = await answerFor(textDocument.uri, token);
    return { text: given ? explainAt(position, given.answer, given.document, given.status) : 'This document is not one that Fencepost checks.\n' };
  });

  connection.onRequest(timelineRequest, async ({ textDocument, position }: ExplainParams, token: CancellationToken) => {
    const given = await answerFor(textDocument.uri, token);
    return given ? timelinesAt(position, given.answer, given.document, workspace.documentOf) : [];
  });
  connection.onRequest(scanRequest, ({ folders }: ScanParams, token: CancellationToken) =>
    scan(folders, { workspace, client, settingsOf: settingsOnce, isCancelled: () => token.isCancellationRequested, progress: (it) => void connection.sendNotification(scanProgress, it) }),
  );

  documents.listen(connection);
  connection.listen();
}

/** Paths of those that lie on this disk. */
const pathsOf = (uris: readonly string[]): string[] => uris.filter((uri) => uri.startsWith('file:///')).map((uri) => fileURLToPath(uri));
