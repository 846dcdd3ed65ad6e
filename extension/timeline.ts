/** The timeline view: a panel beside the editor that shows how the finding at the cursor loses data. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { commands, timelineRequest, type ExplainParams, type Timeline } from '../server/messages.ts';
import { timelinePage } from './timeline-page.ts';

/** Registers the command; `request` asks the server. One panel serves all findings. */
export function registerTimeline(request: (method: string, params: ExplainParams) => Promise<Timeline[]>): vscode.Disposable {
  let panel: vscode.WebviewPanel | undefined;

  async function show(given?: ExplainParams): Promise<void> {
    const params = given ?? atCursor();
    if (!params) return;
    let timelines: Timeline[];
    try {
      timelines = await request(timelineRequest, params);
    } catch (error) {
      void vscode.window.showErrorMessage(`Fencepost cannot show the timeline: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    if (!panel) {
      panel = vscode.window.createWebviewPanel('fencepost.timeline', 'How this loses data', { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, { enableScripts: true, localResourceRoots: [] });
      panel.onDidDispose(() => (panel = undefined));
      panel.webview.onDidReceiveMessage((it: { uri: string; line: number; character: number }) => void open(it));
    }
    panel.webview.html = timelinePage(timelines, randomBytes(16).toString('base64url'));
    panel.reveal(undefined, true);
  }

  return vscode.Disposable.from(vscode.commands.registerCommand(commands.showTimeline, show), { dispose: () => panel?.dispose() });
}

function atCursor(): ExplainParams | undefined {
  const editor = vscode.window.activeTextEditor;
  return editor && { textDocument: { uri: editor.document.uri.toString() }, position: { line: editor.selection.active.line, character: editor.selection.active.character } };
}

/** Shows a line in the column of the code, not over the timeline. */
async function open({ uri, line, character }: { uri: string; line: number; character: number }): Promise<void> {
  const position = new vscode.Position(line, character);
  const target = vscode.Uri.parse(uri);
  const visible = vscode.window.visibleTextEditors.find((it) => it.document.uri.toString() === target.toString());
  await vscode.window.showTextDocument(target, { viewColumn: visible?.viewColumn ?? vscode.ViewColumn.One, selection: new vscode.Range(position, position) });
}
