/** What stands on the command line, read into what is wanted. Every slip is answered by a sentence. */
import { parseArgs } from 'node:util';

export const presets = ['recommended', 'strict', 'all'] as const;
export const formats = ['stylish', 'json', 'markdown', 'github', 'gitlab', 'rdjson', 'sarif', 'html'] as const;
export type Format = (typeof formats)[number];
export type PresetName = (typeof presets)[number];


export interface CheckArguments {
  command: 'check';
  paths: string[];
  format: Format;
  preset: PresetName;
  /** Only these rules, by name without prefix; all of the preset when undefined. */
  rules: string[] | undefined;
  baseline: { file: string; how: 'use' | 'create' | 'prune' } | undefined;
  /** Says where the time went. */
  isTold: boolean;
}

export interface ReviewArguments {
  command: 'review';
  paths: string[];
  format: Format;
  preset: PresetName;
  rules: string[] | undefined;
  /** Against this commit or branch. Without any of these: where the branch left the default one. */
  since?: string;
  /** The change is the unified diff in this file; `-` is standard input. */
  diff?: string;
  /** The change is what is staged. */
  isStaged: boolean;
}

export interface ExplainArguments {
  command: 'explain';
  file: string;
  /** 1-based; the whole file when undefined. */
  line: number | undefined;
  /** Instead of the story, the interleaving of each finding: as text, or as a drawing. */
  timeline: 'text' | 'svg' | undefined;
}

export type Topic = 'check' | 'review' | 'explain' | 'server' | undefined;

export type Arguments =
  | CheckArguments
  | ReviewArguments
  | ExplainArguments
  | { command: 'server' }
  | { command: 'version' }
  | { command: 'help'; topic: Topic }
  | { command: 'problem'; problem: string };

const options = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
  format: { type: 'string', short: 'f' },
  preset: { type: 'string', short: 'p' },
  rules: { type: 'string', short: 'r', multiple: true },
  stdio: { type: 'boolean' },
  baseline: { type: 'string' },
  'create-baseline': { type: 'boolean' },
  'prune-baseline': { type: 'boolean' },
  since: { type: 'string' },
  diff: { type: 'string' },
  staged: { type: 'boolean' },
  timeline: { type: 'boolean' },
  stats: { type: 'boolean' },
} as const;

/** Which options each command knows; `help` goes with all of them. */
const known: Record<'check' | 'review' | 'explain' | 'server', readonly string[]> = {
  check: ['format', 'preset', 'rules', 'baseline', 'create-baseline', 'prune-baseline', 'stats'],
  review: ['format', 'preset', 'rules', 'since', 'diff', 'staged'],
  explain: ['timeline', 'format'],
  server: ['stdio'],
};

const problem = (text: string): Arguments => ({ command: 'problem', problem: text });
const either = (words: readonly string[]): string => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
const isOneOf = <T extends string>(words: readonly T[], word: string): word is T => (words as readonly string[]).includes(word);

const topicOf = (word: string | undefined): Topic => (word !== undefined && isOneOf(Object.keys(known) as (keyof typeof known)[], word) ? word : undefined);

export function readArguments(words: readonly string[]): Arguments {
  let parsed;
  try {
    parsed = parseArgs({ args: [...words], options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node's own sentence, up to the advice about `--` that it appends.
    return problem(`${(error as Error).message.split(/\.(?:\s|$)/)[0]}.`);
  }
  const { values, positionals } = parsed;
  const [command, ...rest] = positionals;
  const topic = topicOf(command);
  if (values.help) return { command: 'help', topic };
  if (values.version) return { command: 'version' };
  if (command === undefined) return words.length === 0 ? { command: 'help', topic: undefined } : problem('Name a command: check, review, explain or server.');
  if (command === 'help' && (rest[0] === undefined || topicOf(rest[0]))) return { command: 'help', topic: topicOf(rest[0]) };
  if (topic === undefined) return problem(`There is no command "${command === 'help' ? rest[0] : command}"; there are check, review, explain and server.`);

  const stray = Object.keys(values).find((name) => !known[topic].includes(name));
  if (stray !== undefined) return problem(`The command ${topic} has no option --${stray}.`);

  if (topic === 'server') {
    if (rest.length > 0) return problem('The command server takes no paths.');
    return values.stdio ? { command: 'server' } : problem('The server speaks over standard input and output only: say fencepost server --stdio.');
  }
  if (topic === 'explain') return readExplain(rest, values.timeline === true, values.format);

  const { format = 'stylish', preset = 'recommended', rules } = values;
  if (!isOneOf(formats, format)) return problem(`The format is ${either(formats)}, not "${format}".`);
  if (!isOneOf(presets, preset)) return problem(`The preset is ${either(presets)}, not "${preset}".`);
  const names = rules?.flatMap((it) => it.split(',')).map((it) => it.trim().replace(/^fencepost\//, '')).filter(Boolean);
  if (names?.length === 0) return problem('The option --rules wants names, separated by commas.');
  const common = { paths: rest.length > 0 ? rest : ['.'], format, preset, rules: names };
  if (topic === 'review') {
    const { since, diff, staged: isStaged = false } = values;
    if ([since !== undefined, diff !== undefined, isStaged].filter(Boolean).length > 1) return problem('A review takes one of --since, --diff and --staged.');
    return { command: 'review', ...common, since, diff, isStaged };
  }
  const { baseline, 'create-baseline': isCreated, 'prune-baseline': isPruned } = values;
  if ((isCreated || isPruned) && baseline === undefined) return problem(`The option --${isCreated ? 'create' : 'prune'}-baseline wants the file: --baseline FILE.`);
  if (isCreated && isPruned) return problem('A baseline is created or pruned, not both.');
  return { command: 'check', ...common, isTold: values.stats === true, baseline: baseline === undefined ? undefined : { file: baseline, how: isCreated ? 'create' : isPruned ? 'prune' : 'use' } };
}

function readExplain(rest: readonly string[], isTimeline: boolean, format: string | undefined): Arguments {
  const [place, ...more] = rest;
  if (place === undefined || more.length > 0) return problem('The command explain takes one place: FILE or FILE:LINE.');
  const [, file, line] = /^(.+?)(?::(\d+)(?::\d+)?)?$/.exec(place) ?? [];
  if (file === undefined) return problem('The command explain takes one place: FILE or FILE:LINE.');
  if (line === '0') return problem('Lines are counted from 1.');
  if (format !== undefined && (!isTimeline || (format !== 'text' && format !== 'svg'))) return problem('The command explain takes --format text or svg, with --timeline.');
  return { command: 'explain', file, line: line === undefined ? undefined : Number(line), timeline: isTimeline ? (format ?? 'text') as 'text' | 'svg' : undefined };
}
