/** How problems found in one text are kept through an edit, until the new text can be checked. */
import type { Place, Span } from '../model/place.ts';
import type { Problem } from './lint.ts';

/** The one region in which two texts differ: `oldText[start, oldEnd)` became `newText[start, newEnd)`. */
interface Difference {
  start: number;
  oldEnd: number;
  newEnd: number;
}

function differenceOf(oldText: string, newText: string): Difference {
  const shorter = Math.min(oldText.length, newText.length);
  let start = 0;
  while (start < shorter && oldText.charCodeAt(start) === newText.charCodeAt(start)) start++;
  let same = 0;
  while (same < shorter - start && oldText.charCodeAt(oldText.length - 1 - same) === newText.charCodeAt(newText.length - 1 - same)) same++;
  return { start, oldEnd: oldText.length - same, newEnd: newText.length - same };
}

/**
 * A span after an edit. One that was edited from within grows or shrinks; one that the edit covers
 * or reaches into from outside is gone, because nobody can say whether it still means the same.
 */
function carrySpan<T extends Span>(span: T, { start, oldEnd, newEnd }: Difference): T | undefined {
  const moved = newEnd - oldEnd;
  if (span.end <= start) return span;
  if (span.start >= oldEnd) return { ...span, start: span.start + moved, end: span.end + moved };
  if (span.start < start && oldEnd < span.end) return { ...span, end: span.end + moved };
  return undefined;
}

/**
 * The problems of `file` that outlive an edit, with what they relate to, at their new offsets. The
 * lines and columns of the places inside are not brought up to date, and their edits are dropped.
 */
export function carry(problems: readonly Problem[], file: string, oldText: string, newText: string): Problem[] {
  if (oldText === newText) return [...problems];
  const difference = differenceOf(oldText, newText);
  const carryPlace = (place: Place) => (place.file === file ? carrySpan(place, difference) : place);
  return problems.flatMap((problem) => {
    const span = carrySpan(problem.span, difference);
    if (!span) return [];
    const { finding } = problem;
    if (!finding) return [{ ...problem, span }];
    const related = finding.related.flatMap(({ place, text }) => {
      const carried = carryPlace(place);
      return carried ? [{ place: carried, text }] : [];
    });
    const interleaving = finding.interleaving?.map((step) => ({ ...step, place: step.place && carryPlace(step.place) }));
    return [{ ...problem, span, finding: { ...finding, related, interleaving, edits: [] } }];
  });
}
