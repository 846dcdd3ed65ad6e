/** The words of `--help`. */
import manifest from '../package.json';
import { ruleTable } from '../rules/table.gen.ts';
import type { Topic } from './arguments.ts';
import type { Paint } from './terminal.ts';

const { version } = manifest;

const common = `  -f, --format NAME                        how findings are printed: stylish (the
                                           default), json, markdown, github, gitlab,
                                           rdjson, sarif or html
  -p, --preset recommended|strict|all      which rules run (recommended)
  -r, --rules NAME[,NAME]                  only these of them`;

export function usage(topic: Topic, paint: Paint): string {
  const title = (text: string): string => paint.bold(text);
  switch (topic) {
    case 'check':
      return `${title('fencepost check')} [paths] [options]

Checks the JavaScript and TypeScript files below the paths (by default the
current folder). Needs no configuration, and leaves out what .gitignore does.

${title('Options')}
${common}
      --baseline FILE                      leave out the findings that FILE knows
      --create-baseline                    write what there is now into it
      --prune-baseline                     take out of it what is gone
      --stats                              say where the time went

${title('Rules')}
${ruleTable.map((rule) => `  ${rule.name.padEnd(28)} ${rule.recommended === 'off' ? `${rule.strict}, only in strict` : rule.recommended}`).join('\n')}

${title('Exit codes')}
  0  nothing of severity error    1  something    2  could not run`;
    case 'review':
      return `${title('fencepost review')} [paths] [options]

Says what a change does to the locks: findings that it brings or touches, also
in files that it leaves alone but that call what it changes, and findings that
it mends. By default the change is everything since the branch left the
default branch, with what is not committed yet.

${title('Options')}
      --since REF                          the change is everything since REF
      --diff FILE                          the change is this unified diff (- for standard input)
      --staged                             the change is what is staged
${common}

${title('Exit codes')}
  0  no new finding of severity error    1  some    2  could not run`;
    case 'explain':
      return `${title('fencepost explain')} FILE[:LINE] [--timeline [--format text|svg]]

Prints the story of each lock in the file (or of those that a line is part of):
where it is taken, guarded, written under and released, on every path, and what
was not understood. With --timeline, how each finding loses data: the steps of
two instances in time, on the file's own lines.`;
    case 'server':
      return `${title('fencepost server')} --stdio

Starts the language server, which speaks LSP over standard input and output.`;
    case undefined:
      return `${title('fencepost')} ${version}: finds distributed-lock misuse

${title('Commands')}
  check [paths]          check files; needs no configuration
  review                 what a change does to the locks
  explain FILE[:LINE]    print the story of each lock, and what was not understood
  server --stdio         start the language server

${title('Options')}
  -h, --help             this, or help for a command: fencepost check --help
  -v, --version          the version`;
  }
}
