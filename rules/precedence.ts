/**
 * Which rule speaks where several have found something in the same expression: the more specific one
 * stands alone, for it says what is wrong first, and mending it changes what the others would say.
 */
import type { Place } from '../model/place.ts';
import type { Finding } from './finding.ts';

/** Rules that leave nothing else to be said of an expression, strongest first. */
const alone = ['no-ineffective-acquire', 'no-racy-takeover'];

/** Among these the first one speaks; any other rule may speak beside it. */
const ranked = ['no-unchecked-token', 'no-blind-release', 'require-fencing-token'];

/** Names of the rules, without prefix, that silence `rule` at an expression which both have found. */
export function strongerThan(rule: string): string[] {
  const place = alone.indexOf(rule);
  if (place >= 0) return alone.slice(0, place);
  return [...alone, ...ranked.slice(0, Math.max(0, ranked.indexOf(rule)))];
}

/** The findings that no finding of a stronger rule stands over. */
export function standing(findings: readonly Finding[], stronger: readonly Finding[]): Finding[] {
  return findings.filter((it) => !stronger.some((other) => isSame(it.place, other.place)));
}

export const isSame = (a: Place, b: Place): boolean => a.file === b.file && a.start === b.start && a.end === b.end;
