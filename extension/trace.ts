/** Where the trace goes: the output channel, as long as the setting `fencepost.trace.server` wants one. */
import * as vscode from 'vscode';

/**
 * The language client traces when the log level of its channel is the lowest one, and asks the setting only for
 * how much. Through this channel, the setting alone says whether.
 */
export function traceChannel(output: vscode.LogOutputChannel): vscode.LogOutputChannel {
  const changed = new vscode.EventEmitter<vscode.LogLevel>();
  const level = () => (vscode.workspace.getConfiguration('fencepost').get('trace.server', 'off') === 'off' ? vscode.LogLevel.Info : vscode.LogLevel.Trace);
  const listening = vscode.workspace.onDidChangeConfiguration((it) => void (it.affectsConfiguration('fencepost.trace') && changed.fire(level())));
  return {
    name: output.name,
    get logLevel() {
      return level();
    },
    onDidChangeLogLevel: changed.event,
    // What the user has asked for is shown at whatever level the channel is.
    trace: output.info,
    debug: output.debug,
    info: output.info,
    warn: output.warn,
    error: output.error,
    append: output.append,
    appendLine: output.appendLine,
    replace: output.replace,
    clear: output.clear,
    show: () => output.show(),
    hide: output.hide,
    dispose() {
      listening.dispose();
      changed.dispose();
    },
  };
}
