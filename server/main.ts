/** The server as a process: its connection, its file system, its clock, and what becomes of errors that nobody expected. */
import { fileURLToPath } from 'node:url';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { fileHost, forgetFiles, overlayHost } from '../rules/file-host.ts';
import { baselineAbove, forgetBaselines } from './baseline-file.ts';
import { serve } from './connection.ts';
import { lint } from './lint.ts';
import { parseFile } from './parser.ts';
import { forgetProjects, withProject } from './project-settings.ts';
import { compileWasmLate } from './compiling.ts';

/** Serves the client at the other end of this process's transport, which the command line names: `--stdio`, `--node-ipc`, `--socket=`, `--pipe=`. */
export function startServer(): void {
  compileWasmLate();
  const connection = createConnection(ProposedFeatures.all);
  const told = new Set<string>();
  const keepRunning = (error: unknown) => {
    // An editor session must not end with one bad request; the text says where to look.
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (!told.has(text)) connection.console.error(`Unexpected: ${text}`);
    told.add(text);
  };
  process.on('uncaughtException', keepRunning);
  process.on('unhandledRejection', keepRunning);
  const disk = fileHost({ parse: parseFile });
  serve(connection, {
    lint,
    hostOver: (openDocument) => overlayHost(disk, openDocument),
    baselineFor: baselineAbove,
    forgetDisk() {
      forgetFiles();
      forgetBaselines();
      forgetProjects();
    },
    projectSettings: (settings, uri, say) => (/^file:\/\/\//.test(uri) ? withProject(settings, fileURLToPath(uri), say) : settings),
    now: () => performance.now(),
  });
}
