/** The language status item: whether Fencepost works for the document in the editor, and if not why. */
import * as vscode from 'vscode';
import type { StatusParams } from '../server/messages.ts';
import { documents } from './languages.ts';

export interface StatusItem extends vscode.Disposable {
  starting(): void;
  running(): void;
  stopped(reason: string): void;
  /** A document has been checked. */
  checked(params: StatusParams): void;
}

const showOutput = { title: 'Show Output', command: 'fencepost.showOutput' };
const restart = { title: 'Restart Server', command: 'fencepost.restart' };

/** The item, which follows the active editor. */
export function createStatusItem(): StatusItem {
  const item = vscode.languages.createLanguageStatusItem('fencepost.status', documents);
  item.name = 'Fencepost';
  const byUri = new Map<string, StatusParams>();
  let server: { state: 'starting' | 'running' | 'stopped'; reason: string } = { state: 'starting', reason: '' };

  function show(): void {
    const uri = vscode.window.activeTextEditor?.document.uri.toString();
    const status = uri === undefined ? undefined : byUri.get(uri);
    item.busy = server.state === 'starting';
    item.command = server.state === 'stopped' ? restart : showOutput;
    if (server.state === 'stopped' || status?.state === 'error') {
      item.severity = vscode.LanguageStatusSeverity.Error;
      item.text = '$(error) Fencepost';
      item.detail = server.state === 'stopped' ? server.reason : status?.reason;
    } else {
      item.severity = vscode.LanguageStatusSeverity.Information;
      item.text = status?.state === 'ok' ? '$(lock) Fencepost' : '$(circle-outline) Fencepost';
      item.detail = server.state === 'starting' ? 'Starting.' : status ? `${status.reason}${status.ms > 0 ? ` ${status.ms} ms.` : ''}` : 'Not checked yet.';
    }
  }

  const subscriptions = [
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => byUri.delete(uri.toString())),
  ];
  const become = (state: typeof server.state, reason = ''): void => {
    server = { state, reason };
    if (state !== 'running') byUri.clear();
    show();
  };
  show();
  return {
    starting: () => become('starting'),
    running: () => become('running'),
    stopped: (reason) => become('stopped', reason),
    checked(params) {
      // The server and VS Code may write one URI in two ways; VS Code's is the one that is looked up.
      byUri.set(vscode.Uri.parse(params.uri).toString(), params);
      show();
    },
    dispose() {
      for (const it of subscriptions) it.dispose();
      item.dispose();
    },
  };
}
