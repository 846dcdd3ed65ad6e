/** Nothing is shown twice: where the ESLint extension reports a finding of the plugin, ours gives way. */
import * as vscode from 'vscode';

/** Without those that ESLint shows for the document: the same rule at an overlapping place. */
export function withoutDoubles(uri: vscode.Uri, diagnostics: readonly vscode.Diagnostic[]): vscode.Diagnostic[] {
  const theirs = eslintFindings(uri);
  return theirs.length === 0 ? [...diagnostics] : diagnostics.filter((it) => !theirs.some((other) => codeOf(other) === `fencepost/${codeOf(it)}` && other.range.intersection(it.range) !== undefined));
}

/** Calls back when what ESLint shows of the plugin's findings in a document has changed. */
export function onEslintChange(changed: (document: vscode.TextDocument) => void): vscode.Disposable {
  const known = new Map<string, string>();
  return vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) {
      const now = eslintFindings(uri).map((it) => `${codeOf(it)} ${it.range.start.line}:${it.range.start.character}`).sort().join(' ');
      if ((known.get(uri.toString()) ?? '') === now) continue;
      if (now === '') known.delete(uri.toString());
      else known.set(uri.toString(), now);
      const document = vscode.workspace.textDocuments.find((it) => it.uri.toString() === uri.toString());
      if (document) changed(document);
    }
  });
}

const eslintFindings = (uri: vscode.Uri): vscode.Diagnostic[] => vscode.languages.getDiagnostics(uri).filter((it) => it.source === 'eslint' && codeOf(it).startsWith('fencepost/'));
const codeOf = ({ code }: vscode.Diagnostic): string => String(typeof code === 'object' ? code.value : (code ?? ''));
