/** The scan of the workspace: findings of files that are not open, shown until the file is opened, scanned again or cleared. */
import * as vscode from 'vscode';
import { scanRequest, type ScanParams, type ScanProgress, type ScanResult } from '../server/messages.ts';
import type { Client } from './client.ts';

export function registerScan(client: Client): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection('fencepost');
  /** What the scan found in files that are open now: their own diagnostics count until they are closed. */
  const aside = new Map<string, vscode.Diagnostic[]>();

  async function scan(): Promise<void> {
    const folders = (vscode.workspace.workspaceFolders ?? []).map((it) => it.uri.toString());
    if (folders.length === 0) {
      void vscode.window.showInformationMessage('Open a folder to scan it.');
      return;
    }
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title: 'Fencepost: scanning the workspace', cancellable: true }, async (progress, token) => {
      let last = 0;
      const listening = client.onScanProgress(({ done, total }: ScanProgress) => {
        progress.report({ message: `${done} of ${total} files`, increment: total > 0 ? ((done - last) / total) * 100 : 0 });
        last = done;
      });
      try {
        const result = await client.request<ScanResult>(scanRequest, { folders } satisfies ScanParams, token);
        collection.clear();
        aside.clear();
        for (const { uri, diagnostics } of result.files) put(uri, client.asDiagnostics(diagnostics));
        void vscode.window.showInformationMessage(summaryOf(result, token.isCancellationRequested));
      } catch (error) {
        if (!token.isCancellationRequested) void vscode.window.showErrorMessage(`The scan failed: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        listening.dispose();
      }
    });
  }

  function put(uri: string, diagnostics: vscode.Diagnostic[]): void {
    const target = vscode.Uri.parse(uri);
    if (vscode.workspace.textDocuments.some((it) => it.uri.toString() === target.toString())) aside.set(target.toString(), diagnostics);
    else collection.set(target, diagnostics);
  }

  return vscode.Disposable.from(
    collection,
    vscode.commands.registerCommand('fencepost.scan', scan),
    vscode.commands.registerCommand('fencepost.clearScan', () => {
      collection.clear();
      aside.clear();
    }),
    vscode.workspace.onDidOpenTextDocument(({ uri }) => {
      const known = collection.get(uri);
      if (!known?.length) return;
      aside.set(uri.toString(), [...known]);
      collection.delete(uri);
    }),
    // What was edited has other findings now; they come with the next scan.
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => void (contentChanges.length > 0 && aside.delete(document.uri.toString()))),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      const known = aside.get(uri.toString());
      if (known) collection.set(uri, known);
      aside.delete(uri.toString());
    }),
    vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => collection.delete(uri))),
  );
}

function summaryOf({ files, checked, unchecked }: ScanResult, isCancelled: boolean): string {
  const found = files.reduce((n, it) => n + it.diagnostics.length, 0);
  const told = `${found} ${found === 1 ? 'finding' : 'findings'} in ${files.length} of ${checked} ${checked === 1 ? 'file that is' : 'files that are'} not open`;
  return `Fencepost: ${told}${unchecked.length > 0 ? `; ${unchecked.length} could not be checked` : ''}${isCancelled ? ' (cancelled)' : ''}.`;
}
