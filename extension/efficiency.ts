/** The commands behind two code actions: marking a lock as an efficiency lock, and opening a rule's page. */
import * as vscode from 'vscode';
import { commands, type EfficiencyParams } from '../server/messages.ts';

export const registerActions = (): vscode.Disposable =>
  vscode.Disposable.from(
    vscode.commands.registerCommand(commands.markEfficiency, markEfficiency),
    vscode.commands.registerCommand(commands.openPage, (page: string) => vscode.env.openExternal(vscode.Uri.parse(page))),
  );

/** Asks why two holders at once do no harm, and writes it above the acquire. */
async function markEfficiency({ uri, version, line, indent }: EfficiencyParams): Promise<void> {
  const reason = await vscode.window.showInputBox({
    title: 'Mark as efficiency lock',
    prompt: 'Why do two holders at once do no harm?',
    placeHolder: 'the same image gives the same thumbnail, whoever draws it',
    validateInput: (value) => (value.trim() === '' ? 'The reason is for those who read the code later.' : undefined),
  });
  if (reason === undefined) return;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  // The line was that of another text.
  if (document.version !== version) {
    void vscode.window.showInformationMessage('The file has changed meanwhile. Choose the action again.');
    return;
  }
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(line, 0), `${indent}// fencepost: efficiency -- ${reason.trim().replace(/\s+/g, ' ')}\n`);
  await vscode.workspace.applyEdit(edit);
}
