/** The forms in which a report is printed, by the name that the command line gives them; each is loaded when it is asked for. */
import type { Format } from '../arguments.ts';
import type { Report } from '../report.ts';
import type { Terminal } from '../terminal.ts';

export type Print = (report: Report, screen: Pick<Terminal, 'paint' | 'width'>) => string;

const byName: Record<Format, () => Promise<Print>> = {
  stylish: async () => (await import('./stylish.ts')).asText,
  json: async () => (await import('./json.ts')).asJson,
  markdown: async () => (await import('./markdown.ts')).asMarkdown,
  github: async () => (await import('./github.ts')).asGithub,
  gitlab: async () => (await import('./gitlab.ts')).asGitlab,
  rdjson: async () => (await import('./rdjson.ts')).asRdjson,
  sarif: async () => (await import('./sarif.ts')).asSarif,
  html: async () => (await import('./html.ts')).asHtml,
};

export const formOf = (format: Format): Promise<Print> => byName[format]();
