/** GitLab's code quality report: a list of issues with fingerprints, by which the merge request tells new ones from old ones. */
import { fingerprintsOf } from '../fingerprint.ts';
import { type Report, pathFrom } from '../report.ts';

/** An issue, in the part of the Code Climate form that GitLab reads. */
export interface CodeQualityIssue {
  description: string;
  check_name: string;
  fingerprint: string;
  severity: 'info' | 'minor' | 'major' | 'critical' | 'blocker';
  location: { path: string; lines: { begin: number; end: number } };
}

export function asGitlab(report: Report): string {
  const issues = report.files.flatMap(({ file, problems }) => {
    const path = pathFrom(report.cwd, file);
    const fingerprints = fingerprintsOf(problems, path, report.linesOf(file));
    return problems.map(
      (it, i): CodeQualityIssue => ({
        description: it.message,
        check_name: `fencepost/${it.rule}`,
        fingerprint: fingerprints[i]!,
        severity: it.severity === 'error' ? 'major' : 'minor',
        location: { path, lines: { begin: it.line, end: it.endLine } },
      }),
    );
  });
  return JSON.stringify(issues, null, 2);
}
