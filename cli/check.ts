/** `fencepost check`: files → a report, and the exit code that it earns. */
import { ruleTable } from '../rules/table.gen.ts';
import { readEditorSettings, type EditorSettings, type RuleSeverity } from '../server/editor-settings.ts';
import { ruleNamed } from '../server/severities.ts';
import type { CheckArguments, PresetName } from './arguments.ts';
import { BaselineError, applyBaseline } from './baseline.ts';
import { formOf } from './formats/index.ts';
import { type LintText, type Report, counted } from './report.ts';
import { runOver } from './run/run.ts';
import { Stats } from './run/stats.ts';
import { textReader } from './sources.ts';
import type { ExitCode, Terminal } from './terminal.ts';

export async function check(asked: CheckArguments, terminal: Terminal, { cwd = process.cwd(), lintText, signal = new AbortController().signal }: { cwd?: string; lintText?: LintText; signal?: AbortSignal } = {}): Promise<ExitCode> {
  const unknown = unknownRule(asked.rules);
  if (unknown !== undefined) {
    terminal.complain(`There is no rule "${unknown}". See fencepost check --help.`);
    return 2;
  }
  const settings = settingsFor(asked);
  const stats = new Stats();
  const { progress } = terminal;
  const report: Report = { cwd, ...textReader(settings.maxFileSize), files: [], unchecked: [], checked: 0, errors: 0, warnings: 0 };
  try {
    await runOver(report, { paths: asked.paths, cwd, settings, lintText, progress, stats, signal });
  } finally {
    progress.end();
  }
  if (signal.aborted) {
    terminal.complain('Cancelled; nothing is said of what was not looked at.');
    return 130;
  }
  counted(report);
  try {
    if (asked.baseline) applyBaseline(report, asked.baseline, (said) => terminal.complain(said));
  } catch (error) {
    if (!(error instanceof BaselineError)) throw error;
    terminal.complain(error.message);
    return 2;
  }
  const form = await formOf(asked.format);
  terminal.print(stats.during('printing', () => form(report, terminal)));
  if (asked.isTold) terminal.complain(stats.asText((await import('../rules/syntax/parse.ts')).parserName()));

  for (const { file, why } of report.unchecked.filter((it) => it.named)) terminal.complain(`${file} was not checked: ${why}.`);
  if (report.checked === 0 && report.unchecked.length === 0) terminal.complain(`There is nothing to check: no JavaScript or TypeScript file in ${asked.paths.join(', ')}.`);
  // A green answer about a file that was asked for and not read would be a lie.
  if (report.unchecked.some((it) => it.named) || report.checked === 0) return 2;
  return report.errors > 0 ? 1 : 0;
}

/** The first of these names that is no rule. */
export const unknownRule = (rules: readonly string[] | undefined): string | undefined => rules?.find((rule) => !ruleNamed.has(rule));

/** A preset as the severities of its rules; what is not asked for is off. */
export function settingsFor(asked: { preset: PresetName; rules: readonly string[] | undefined }): EditorSettings {
  const rules: Record<string, RuleSeverity> = {};
  for (const rule of ruleTable) {
    const isWanted = asked.rules?.includes(rule.name) ?? true;
    // A rule that is named outright runs whether the preset has it or not.
    const severity = asked.preset === 'recommended' && !asked.rules ? rule.recommended : rule.strict;
    rules[rule.name] = isWanted ? severity : 'off';
  }
  const options = Object.fromEntries(ruleTable.flatMap((rule) => (rule.strictly && asked.preset !== 'recommended' ? [[rule.name, rule.strictly]] : [])));
  return { ...readEditorSettings({ rules }).settings, options };
}
