/** The life of the server process: started, stopped, started anew whatever became of it before. */
import type { CancellationToken, Diagnostic, Disposable, LogOutputChannel, TextDocument, Uri } from 'vscode';
import { CloseAction, DocumentDiagnosticRequest, ErrorAction, LanguageClient, State, TransportKind, type ErrorHandler, type LanguageClientOptions, type ServerOptions, type StaticFeature } from 'vscode-languageclient/node';
import { scanProgress, statusNotification, type ScanProgress, type StatusParams } from '../server/messages.ts';
import { documents } from './languages.ts';
import type { StatusItem } from './status.ts';

export interface Client {
  /** Starts the server. A failure is shown and leaves everything ready for `restart`. */
  start(): Promise<void>;
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** Asks the running server; rejects when there is none. */
  request<Answer>(method: string, params: unknown, token?: CancellationToken): Promise<Answer>;
  onScanProgress(listener: (it: ScanProgress) => void): Disposable;
  /** Diagnostics as the server sends them, as VS Code shows them. */
  asDiagnostics(sent: readonly unknown[]): Diagnostic[];
  /** Asks the server for the diagnostics of a document again. */
  refresh(document: TextDocument): void;
}

/** A server that goes while it works is started again, up to this often within this time. */
const maxRestarts = 3;
const restartsWithinMs = 180_000;

/** Starts a crashed server again, unless it never ran or crashes over and over; then the status item offers to. */
function errorHandlerFor(hasRun: () => boolean): ErrorHandler {
  let crashes: number[] = [];
  return {
    error: (_error, _message, count) => ({ action: (count ?? 0) <= 3 ? ErrorAction.Continue : ErrorAction.Shutdown }),
    closed() {
      const now = Date.now();
      crashes = [...crashes.filter((it) => now - it < restartsWithinMs), now];
      return { action: hasRun() && crashes.length <= maxRestarts ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
    },
  };
}

/** Announces what only this client understands. */
const showsStatus: StaticFeature = {
  fillClientCapabilities: (capabilities) => void (capabilities.experimental = { ...capabilities.experimental, fencepost: { status: true, commands: true } }),
  initialize: () => {},
  getState: () => ({ kind: 'static' }),
  clear: () => {},
};

/** A client of the server in `module`, started by `start`. `shown` says which of a document's diagnostics are shown. */
export function createClient(module: string, { output, trace }: { output: LogOutputChannel; trace: LogOutputChannel }, status: StatusItem, shown: (uri: Uri, diagnostics: Diagnostic[]) => Diagnostic[]): Client {
  let running: LanguageClient | undefined;
  /** Starting and stopping wait for each other, however fast the command is repeated. */
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (act: () => Promise<void>): Promise<void> => (turn = turn.then(act));

  async function start(): Promise<void> {
    const server: ServerOptions = {
      run: { module, transport: TransportKind.ipc },
      debug: { module, transport: TransportKind.ipc, options: { execArgv: ['--nolazy', '--inspect=6019'] } },
    };
    let hasRun = false;
    const options: LanguageClientOptions = {
      documentSelector: documents,
      outputChannel: output,
      traceOutputChannel: trace,
      diagnosticPullOptions: { onChange: true, onSave: true, onTabs: true },
      middleware: {
        async provideDiagnostics(document, previous, token, next) {
          const report = await next(document, previous, token);
          // Without the name of the list the next answer is whole again: what is shown of it hangs on what others show, too.
          return report?.kind === 'full' ? { ...report, resultId: undefined, items: shown('uri' in document ? document.uri : document, report.items) } : report;
        },
      },
      markdown: { supportHtml: false },
      errorHandler: errorHandlerFor(() => hasRun),
      initializationFailedHandler: () => false,
    };
    // A client whose start failed cannot be started again: every start has its own.
    const client = new LanguageClient('fencepost', 'Fencepost', server, options);
    running = client;
    client.registerFeature(showsStatus);
    client.onNotification(statusNotification, (params: StatusParams) => status.checked(params));
    client.onDidChangeState(({ newState }) => {
      hasRun ||= newState === State.Running;
      if (running !== client) return;
      if (newState === State.Starting) status.starting();
      else if (newState === State.Running) status.running();
      else status.stopped('The server has stopped.');
    });
    try {
      await client.start();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      output.error(`The server could not be started: ${reason}`);
      status.stopped('The server could not be started.');
    }
  }

  async function stop(): Promise<void> {
    const client = running;
    running = undefined;
    try {
      await client?.dispose();
    } catch {
      // It was not running, or did not answer in time; either way it is gone.
    }
  }

  return {
    start: () => inTurn(start),
    stop: () => inTurn(stop),
    restart: () => inTurn(async () => (await stop(), await start())),
    async request<Answer>(method: string, params: unknown, token?: CancellationToken) {
      await turn;
      if (!running?.isRunning()) throw new Error('The server is not running.');
      return token ? running.sendRequest<Answer>(method, params, token) : running.sendRequest<Answer>(method, params);
    },
    onScanProgress: (listener) => running?.onNotification(scanProgress, listener) ?? { dispose() {} },
    asDiagnostics: (sent) => (running ? sent.map((it) => running!.protocol2CodeConverter.asDiagnostic(it as never)) : []),
    refresh: (document) => running?.getFeature(DocumentDiagnosticRequest.method).getProvider(document)?.onDidChangeDiagnosticsEmitter.fire(),
  };
}
