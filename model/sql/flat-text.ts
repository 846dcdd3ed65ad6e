/**
 * Owns the way from a text with holes to one string and back: each hole becomes a marker that
 * reads as an identifier, so that it may stand for a value, a name or part of one.
 */

import type { HoleOperand, ParamOperand, SqlText } from './facts.ts';

export interface FlatText {
  text: string;
  /** Where each part starts in the flat text. */
  starts: number[];
  parts: SqlText['parts'];
}

/** The markers name a position, not a hole number, because a text may hold the same hole twice. */
export function holeMarker(part: number): string {
  return `fencepost_hole_${part}_`;
}

export function paramMarker(occurrence: number): string {
  return `fencepost_param_${occurrence}_`;
}

const MARKER = /fencepost_(hole|param)_(\d+)_/gi;

export interface Marker { type: 'hole' | 'param'; number: number; start: number; end: number }

/** The markers inside a name or a string of the parsed tree. */
export function findMarkers(text: string): Marker[] {
  return [...text.matchAll(MARKER)].map((match) => ({
    type: match[1]!.toLowerCase() as Marker['type'],
    number: Number(match[2]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Replaces every marker in a text. */
export function replaceMarkers(text: string, by: (type: Marker['type'], number: number) => string): string {
  return text.replaceAll(MARKER, (_, type: string, number: string) => by(type.toLowerCase() as Marker['type'], Number(number)));
}

/** A text for reading, in which the markers of holes are `${n}`. */
export function renderHoles(text: string, flat: FlatText): string {
  return replaceMarkers(text, (type, number) => {
    const part = flat.parts[number];
    return type === 'hole' && typeof part === 'object' ? `\${${part.hole}}` : '';
  });
}

/** Is the whole text one marker? */
export function soleMarker(text: string): Marker | undefined {
  const [first, ...rest] = findMarkers(text);
  return first !== undefined && rest.length === 0 && first.start === 0 && first.end === text.length ? first : undefined;
}

export function flatten(source: SqlText): FlatText {
  const starts: number[] = [];
  let text = '';
  source.parts.forEach((part, index) => {
    starts.push(text.length);
    text += typeof part === 'string' ? part : holeMarker(index);
  });
  return { text, starts, parts: source.parts };
}

/**
 * Where an offset of the flat text lies in the source: in a string part wherever one touches it,
 * else at a hole, whose offset is 0 before and 1 after it.
 */
export function placeOf(flat: FlatText, offset: number): { part: number; offset: number } {
  let beside = { part: 0, offset: 0 };
  for (const [index, part] of flat.parts.entries()) {
    const within = offset - flat.starts[index]!;
    if (within < 0) break;
    if (typeof part === 'string' && within <= part.length) return { part: index, offset: within };
    if (typeof part !== 'string') beside = { part: index, offset: within === 0 ? 0 : 1 };
  }
  return beside;
}

/** What a marker stands for. */
export function markedOperand(marker: Marker, flat: FlatText, params: readonly ParamOperand[]): HoleOperand | ParamOperand | undefined {
  if (marker.type === 'hole') {
    const part = flat.parts[marker.number];
    return typeof part === 'object' ? { kind: 'hole', hole: part.hole } : undefined;
  }
  const param = params[marker.number];
  return param && { kind: 'param', name: param.name, index: param.index };
}
