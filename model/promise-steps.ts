/** Steps of a chain of promises. */
import type { Site } from './arguments.ts';
import type { ModelEvent } from './events.ts';
import type { Meaning } from './interpret.ts';
import { alternatives, unknown } from './value.ts';

/** `then`, `catch` and `finally`: their callbacks run before the chain's own promise is done. */
export function promiseStep(site: Site): Meaning | undefined {
  const { call, receiver, name } = site;
  if (!receiver || (name !== 'then' && name !== 'catch' && name !== 'finally') || site.args.length === 0) return undefined;
  const events: ModelEvent[] = [];
  for (const [i, it] of site.args.entries()) {
    for (const each of alternatives(it)) {
      const args = name === 'then' && i === 0 ? [receiver] : name === 'finally' ? [] : [unknown('an error')];
      if (each.kind === 'func' || each.kind === 'param') events.push({ kind: 'runs', call, library: undefined, body: each, args, when: 'now' });
    }
  }
  return { events, entered: [] };
}
