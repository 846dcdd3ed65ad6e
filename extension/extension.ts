/** The VS Code extension: what is registered at activation. The findings are the server's. */
import * as vscode from 'vscode';
import { createClient } from './client.ts';
import { onEslintChange, withoutDoubles } from './doubles.ts';
import { registerActions } from './efficiency.ts';
import { registerExplanations } from './explanation.ts';
import { registerScan } from './scan.ts';
import { createStatusItem } from './status.ts';
import { registerTimeline } from './timeline.ts';
import { traceChannel } from './trace.ts';

let stop: (() => Promise<void>) | undefined;

/** Called by VS Code when a document in one of our languages is there. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel('Fencepost', { log: true });
  const trace = traceChannel(output);
  const status = createStatusItem();
  const client = createClient(context.asAbsolutePath('dist/server.cjs'), { output, trace }, status, withoutDoubles);
  stop = client.stop;
  context.subscriptions.push(
    output,
    trace,
    status,
    registerExplanations(client.request),
    registerTimeline(client.request),
    registerActions(),
    registerScan(client),
    onEslintChange(client.refresh),
    vscode.commands.registerCommand('fencepost.restart', client.restart),
    vscode.commands.registerCommand('fencepost.showOutput', () => output.show()),
  );
  await client.start();
}

/** Called by VS Code when it goes; it waits for the server to end. */
export const deactivate = (): Promise<void> | undefined => stop?.();
