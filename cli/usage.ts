/** The words of `--help`. */
import manifest from '../package.json';
import { ruleTable } from '../rules/index.gen.ts';
import type { Topic } from './arguments.ts';
import type { Paint } from './terminal.ts';

const { version } = manifest;

export function usage(topic: Topic, paint: Paint): string {
  const title = (text: string): string => paint.bold(text);
  switch (topic) {
    case 'check':
      return `${title('fencepost check')} [paths] [options]

Checks the JavaScript and TypeScript files below the paths (by default the
current folder). Needs no configuration, and leaves out what .gitignore does.

${title('Options')}
  -f, --format stylish|json                how findings are printed (stylish)
  -p, --preset recommended|strict|all      which rules run (recommended)
  -r, --rules NAME[,NAME]                  only these of them

${title('Rules')}
${ruleTable.map((rule) => `  ${rule.name.padEnd(28)} ${rule.recommended === 'off' ? `${rule.strict}, only in strict` : rule.recommended}`).join('\n')}

${title('Exit codes')}
  0  nothing of severity error    1  something    2  could not run`;
    case 'explain':
      return `${title('fencepost explain')} FILE[:LINE]

Prints the story of each lock in the file (or of those that a line is part of):
where it is taken, guarded, written under and released, on every path, and what
was not understood.`;
    case 'server':
      return `${title('fencepost server')} --stdio

Starts the language server, which speaks LSP over standard input and output.`;
    case undefined:
      return `${title('fencepost')} ${version}: finds distributed-lock misuse

${title('Commands')}
  check [paths]          check files; needs no configuration
  explain FILE[:LINE]    print the story of each lock, and what was not understood
  server --stdio         start the language server

${title('Options')}
  -h, --help             this, or help for a command: fencepost check --help
  -v, --version          the version`;
  }
}
