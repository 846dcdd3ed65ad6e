/** The command that explains the lock at the cursor, and the read-only documents in which it does. */
import * as vscode from 'vscode';
import { explainRequest, type ExplainParams, type Explanation } from '../server/messages.ts';

const scheme = 'fencepost-explanation';

/** Registers the command and the documents; `request` asks the server. */
export function registerExplanations(request: (method: string, params: ExplainParams) => Promise<Explanation>): vscode.Disposable {
  const texts = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();

  async function explain(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const { document, selection } = editor;
    let text: string;
    try {
      ({ text } = await request(explainRequest, { textDocument: { uri: document.uri.toString() }, position: { line: selection.active.line, character: selection.active.character } }));
    } catch (error) {
      const restart = 'Restart Server';
      const chosen = await vscode.window.showErrorMessage(`Fencepost cannot explain: ${error instanceof Error ? error.message : String(error)}`, restart);
      if (chosen === restart) await vscode.commands.executeCommand('fencepost.restart');
      return;
    }
    // One document per file: explaining again, elsewhere in it, changes its text and opens no second tab.
    const name = document.uri.path.slice(document.uri.path.lastIndexOf('/') + 1);
    const uri = vscode.Uri.from({ scheme, path: `/${name} locks.txt`, query: document.uri.toString() });
    texts.set(uri.toString(), text);
    changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { viewColumn: vscode.ViewColumn.Beside, preview: true, preserveFocus: true });
  }

  return vscode.Disposable.from(
    changed,
    vscode.workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri) => texts.get(uri.toString()) ?? 'Run the command again: this explanation is of an earlier session.\n',
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => texts.delete(uri.toString())),
    vscode.commands.registerCommand('fencepost.explain', explain),
  );
}
