/** The forms in which a report is printed, by the name that the command line gives them. */
import type { Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';
import type { Format } from '../arguments.ts';
import { asGithub } from './github.ts';
import { asGitlab } from './gitlab.ts';
import { asHtml } from './html.ts';
import { asJson } from './json.ts';
import { asMarkdown } from './markdown.ts';
import { asRdjson } from './rdjson.ts';
import { asSarif } from './sarif.ts';
import { asText } from './stylish.ts';

const byName: Record<Format, (report: Report, screen: Pick<Terminal, 'paint' | 'width'>) => string> = {
  stylish: asText,
  json: asJson,
  markdown: asMarkdown,
  github: asGithub,
  gitlab: asGitlab,
  rdjson: asRdjson,
  sarif: asSarif,
  html: asHtml,
};

export const formatted = (format: Format, report: Report, screen: Pick<Terminal, 'paint' | 'width'>): string => byName[format](report, screen);
