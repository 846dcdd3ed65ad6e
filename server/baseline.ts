/** ESLint's bulk suppressions, read: how many findings of a rule a file is known to have. No I/O. */

/** By path (relative, with slashes) and by rule with prefix. */
export type Baseline = Record<string, Record<string, { count: number }>>;

/** A baseline that cannot be used: the message says what to do. */
export class BaselineError extends Error {}

/** `name` is the file's name, for messages. Throws a `BaselineError` for a text of another form. */
export function readBaseline(text: string, name: string): Baseline {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BaselineError(`The baseline ${name} is not JSON: ${(error as Error).message}.`);
  }
  const isObject = (it: unknown): it is Record<string, unknown> => typeof it === 'object' && it !== null && !Array.isArray(it);
  if (!isObject(value)) throw new BaselineError(`The baseline ${name} must be an object of files.`);
  for (const [file, counts] of Object.entries(value)) {
    if (!isObject(counts)) throw new BaselineError(`The baseline ${name} must give an object of rules for ${file}.`);
    for (const [rule, it] of Object.entries(counts)) {
      if (!isObject(it) || !Number.isInteger(it.count)) throw new BaselineError(`The baseline ${name} must give a count for ${rule} in ${file}, as { "count": 1 }.`);
    }
  }
  return value as Baseline;
}

/** Which of a file's problems are known. As in ESLint, more of a rule than are known are all shown: nobody can say which one is new. */
export function hiddenBy<P extends { rule: string }>(baseline: Baseline, path: string, problems: readonly P[]): (problem: P) => boolean {
  const counts = baseline[path];
  if (!counts) return () => false;
  const found = new Map<string, number>();
  for (const { rule } of problems) found.set(rule, (found.get(rule) ?? 0) + 1);
  return ({ rule }) => found.get(rule)! <= (counts[`fencepost/${rule}`]?.count ?? 0);
}
