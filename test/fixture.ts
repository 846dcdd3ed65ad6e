/** Fixtures as files: where they are, what their comments expect, and how that is compared with what was reported. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { ruleTable } from '../rules/table.gen.ts';
import { root } from './root.ts';

export const fixturesFolder = join(root, 'test/fixtures');

export interface Fixture {
  /** `topic/name`, by which a test is found. */
  name: string;
  files: { path: string; text: string }[];
}

export interface Expectation {
  rule: string;
  /** 1-based. */
  line: number;
  wantsEdit: boolean;
  related?: string;
}

/** What a face reports, as far as fixtures compare it. Lines are 1-based. */
export interface Report {
  rule: string;
  line: number;
  endLine: number;
  message: string;
}

const isSource = (name: string): boolean => /\.[cm]?[jt]sx?$/.test(name) && !name.endsWith('.d.ts');

function sourcesBelow(path: string): string[] {
  if (statSync(path).isFile()) return isSource(path) ? [path] : [];
  return readdirSync(path).sort().flatMap((name) => sourcesBelow(join(path, name)));
}

/** Every fixture: each file, and each folder as one case, directly below a topic's folder. */
export function allFixtures(): Fixture[] {
  const topics = existsSync(fixturesFolder) ? readdirSync(fixturesFolder).sort() : [];
  return topics.flatMap((topic) =>
    readdirSync(join(fixturesFolder, topic)).sort().flatMap((entry) => {
      const files = sourcesBelow(join(fixturesFolder, topic, entry)).map((path) => ({ path, text: readFileSync(path, 'utf8') }));
      return files.length > 0 ? [{ name: `${topic}/${basename(entry, extname(entry))}`, files }] : [];
    }),
  );
}

/** The topics' own rules: a topic that is named like no rule is about something else. */
export const existingRules: ReadonlySet<string> = new Set(ruleTable.map((rule) => rule.name));

/** The expectations in a text that rules which exist can meet. */
export function expectationsIn(text: string, rules = existingRules): Expectation[] {
  return text.split('\n').flatMap((content, index) => {
    const related = /\/\/ related: (.+?)\s*(?:\/\/|$)/.exec(content)?.[1];
    return [...content.matchAll(/\/\/ expect(-fix)?: ([a-z, -]+?)\s*(?=\/\/|$)/g)].flatMap(([, fix, names]) =>
      names!.split(',').map((name) => name.trim()).filter((name) => rules.has(name)).map((rule) => ({ rule, line: index + 1, wantsEdit: fix !== undefined, related })),
    );
  });
}

const covers = (report: Pick<Report, 'rule' | 'line' | 'endLine'>, wanted: Expectation): boolean => report.rule === wanted.rule && report.line <= wanted.line && wanted.line <= report.endLine;

/** Pairs what was wanted with what was reported, each once; what stays over is told. */
export function compare<T extends Report>(wanted: readonly Expectation[], reports: readonly T[]): { pairs: [Expectation, T][]; problems: string[] } {
  const left = new Set(reports);
  const pairs: [Expectation, T][] = [];
  const problems: string[] = [];
  for (const it of wanted) {
    // The shortest that covers the line: a report inside another one's lines is nearer to it.
    const match = [...left].filter((report) => covers(report, it)).sort((a, b) => a.endLine - a.line - (b.endLine - b.line))[0];
    if (match) {
      left.delete(match);
      pairs.push([it, match]);
    } else problems.push(`missing: ${it.rule} at line ${it.line}`);
  }
  for (const { rule, line, message } of left) problems.push(`unexpected: ${rule} at line ${line}: ${message}`);
  return { pairs, problems };
}
