/** Annotations of GitHub Actions: workflow commands, a line each. What a change only touches is a notice. */
import { splitMessage } from '../prose.ts';
import { type Report, pathFrom } from '../report.ts';

export function asGithub(report: Report): string {
  return [...annotationsOf(report), ...mendedIn(report)].join('\n');
}

/** What a change mends has no line any more; the runner shows these with the job. */
const mendedIn = ({ review, cwd }: Report): string[] =>
  (review?.mended ?? []).flatMap(({ file, problems }) => problems.map((it) => `::notice title=${escapeProperty('Fencepost: mended')}::${escapeData(`${splitMessage(it.message).first} (${it.rule}, was at ${pathFrom(cwd, file)}:${it.line})`)}`));

function annotationsOf(report: Report): string[] {
  return report.files
    .flatMap(({ file, problems }) =>
      problems.map((it) => {
        const kind = it.change === 'touched' ? 'notice' : it.severity === 'error' ? 'error' : 'warning';
        const properties = { file: pathFrom(report.cwd, file), line: it.line, endLine: it.endLine, ...(it.line === it.endLine && { col: it.column, endColumn: it.endColumn }), title: `fencepost/${it.rule}` };
        return `::${kind} ${Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`).join(',')}::${escapeData(`${it.message}\n${it.url}`)}`;
      }),
    );
}

/** The runner takes these back: a line break would end the command. */
const escapeData = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapeProperty = (text: string): string => escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
