/** How keys and calls are named for people. */
import type { Site } from './arguments.ts';
import { type Value, printValue } from './value.ts';

/** `a key` where it has no short form. */
export function keyName(key: Value): string {
  return key.kind === 'text' || key.kind === 'const' || key.kind === 'param' || key.kind === 'field' ? `\`${printValue(key)}\`` : 'a key';
}

/** As it is written: `this.redis.set`. */
export function describe(site: Site): string {
  return site.name === '()' ? printValue(site.callee) : `${site.receiver ? `${printValue(site.receiver)}.` : ''}${site.name}`;
}
