#!/usr/bin/env node
/** The command `fencepost`: which of its parts runs, and with which exit code the process ends. */
import { compileWasmLate, optimizeLate } from '../server/compiling.ts';
import { readArguments } from './arguments.ts';
import { terminal, type ExitCode } from './terminal.ts';
import manifest from '../package.json';

/** Each command is loaded when it is wanted: the analysis is large, and a version is not. */
async function run(words: readonly string[]): Promise<ExitCode | undefined> {
  const asked = readArguments(words);
  // A server goes on for hours.
  if (asked.command !== 'server') optimizeLate();
  switch (asked.command) {
    case 'problem':
      terminal.complain(`${asked.problem} See fencepost --help.`);
      return 2;
    case 'help':
      terminal.print((await import('./usage.ts')).usage(asked.topic, terminal.paint));
      return 0;
    case 'version':
      terminal.print(manifest.version);
      return 0;
    case 'check':
      return (await import('./check.ts')).check(asked, terminal, { signal: cancelled() });
    case 'review':
      return (await import('./review.ts')).review(asked, terminal);
    case 'explain':
      return (await import('./explain.ts')).explain(asked, terminal);
    case 'server':
      (await import('../server/main.ts')).startServer();
      return undefined;
  }
}

/** The first Ctrl-C ends the run in good order; a second one ends the process. */
function cancelled(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort());
  return controller.signal;
}

// A reader that has seen enough (`| head`) closes the pipe; that is no failure of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2));

compileWasmLate();
run(process.argv.slice(2)).then(
  (code) => {
    // A server goes on; its process ends when its client says so.
    if (code !== undefined) process.exitCode = code;
  },
  (error: unknown) => {
    terminal.complain(`Something went wrong inside Fencepost: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    process.exitCode = 2;
  },
);
