/** The answer to `fencepost/scan`: every file below some folders, checked one after the other with room for other requests in between. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { diagnosticOf } from './diagnostics.ts';
import type { EditorSettings } from './editor-settings.ts';
import { findFiles, reasonOf } from './files.ts';
import type { ScanProgress, ScanResult } from './messages.ts';
import { createTextDocument, uriOfFile, type ClientAbilities } from './protocol.ts';
import type { Workspace } from './workspace.ts';

export interface ScanParts {
  workspace: Workspace;
  client: ClientAbilities;
  settingsOf(uri: string): Promise<EditorSettings>;
  isCancelled(): boolean;
  progress(it: ScanProgress): void;
}

/** How many files may be looked at before the client hears of it. */
const step = 50;

/** Files that are open are left out: they have their own diagnostics. Ends early, with what there is, when cancelled. */
export async function scan(folders: readonly string[], { workspace, client, settingsOf, isCancelled, progress }: ScanParts): Promise<ScanResult> {
  const paths = folders.filter((uri) => uri.startsWith('file:')).map((uri) => fileURLToPath(uri));
  const { files } = findFiles(paths, process.cwd());
  const result: ScanResult = { files: [], checked: 0, unchecked: [] };
  for (const [i, { path }] of files.entries()) {
    if (i % step === 0) progress({ done: i, total: files.length });
    // Typing goes on while a scan runs.
    await new Promise((resolve) => setImmediate(resolve));
    if (isCancelled()) break;
    const uri = uriOfFile(path);
    if (workspace.documentOf(path)) continue;
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      result.unchecked.push({ uri, why: reasonOf(error) });
      continue;
    }
    const settings = await settingsOf(uri);
    if (!settings.enable || text.includes('\0')) continue;
    if (Buffer.byteLength(text) > settings.maxFileSize) {
      result.unchecked.push({ uri, why: `it has more than ${settings.maxFileSize} bytes, the limit set by fencepost.maxFileSize` });
      continue;
    }
    const found = workspace.checkClosed(path, text, settings);
    if ('why' in found) {
      result.unchecked.push({ uri, why: found.why });
      continue;
    }
    result.checked++;
    if (found.problems.length === 0) continue;
    const document = createTextDocument(uri, text);
    result.files.push({ uri, diagnostics: found.problems.map((it) => diagnosticOf(it, found, document, client, workspace.documentOf)) });
  }
  progress({ done: files.length, total: files.length });
  return result;
}
