/**
 * What VS Code's ESLint extension does that matters here: it shows findings of the plugin, under ESLint's
 * name. The extension itself comes from the marketplace, which a test does not have.
 */
import { createVSIX } from '@vscode/vsce';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const manifest = {
  name: 'eslint-stand-in',
  displayName: 'ESLint Stand-in',
  publisher: 'fencepost',
  version: '0.0.1',
  license: 'MIT',
  engines: { vscode: '^1.91.0' },
  main: './extension.cjs',
  activationEvents: ['onStartupFinished'],
  contributes: { commands: [{ command: 'standIn.report', title: 'Stand-in: Report' }, { command: 'standIn.clear', title: 'Stand-in: Clear' }] },
};

/** As vscode-eslint has them: the rule with its prefix, and a link behind it. */
const program = `const vscode = require('vscode');
exports.activate = ({ subscriptions }) => {
  const shown = vscode.languages.createDiagnosticCollection('eslint');
  const report = () => {
    const { document } = vscode.window.activeTextEditor;
    const line = document.getText().split('\\n').findIndex((it) => it.includes('redis.del('));
    const start = document.lineAt(line).text.indexOf('redis.del(');
    const it = new vscode.Diagnostic(new vscode.Range(line, start, line, document.lineAt(line).text.length - 1), 'Said by ESLint.', vscode.DiagnosticSeverity.Error);
    it.source = 'eslint';
    it.code = { value: 'fencepost/no-blind-release', target: vscode.Uri.parse('https://example.com') };
    shown.set(document.uri, [it]);
  };
  subscriptions.push(shown, vscode.commands.registerCommand('standIn.report', report), vscode.commands.registerCommand('standIn.clear', () => shown.clear()));
};
`;

/** Packs it into `outdir`; gives the path. */
export async function packStandIn(outdir: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-stand-in-'));
  try {
    mkdirSync(outdir, { recursive: true });
    for (const [name, text] of Object.entries({ 'package.json': JSON.stringify(manifest), 'extension.cjs': program, 'README.md': 'For a test.\n', LICENSE: 'MIT\n' })) writeFileSync(join(folder, name), text);
    const packagePath = join(outdir, 'eslint-stand-in.vsix');
    await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true });
    return packagePath;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
