/** Places in source files. Everything that is reported, related or edited is named by one of these. */

/** Half-open range of 0-based UTF-16 offsets into a file's text. */
export interface Span {
  start: number;
  end: number;
}

/** A span in a file. `file` is the absolute path (or URI) under which the module host knows the text. */
export interface Place extends Span {
  file: string;
  /** 1-based, as people count. */
  line: number;
  /** 0-based. */
  column: number;
  endLine: number;
  endColumn: number;
}

/** Offsets at which the lines of `text` begin; line separators are those of ECMAScript. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 10 || c === 0x2028 || c === 0x2029 || (c === 13 && text.charCodeAt(i + 1) !== 10)) starts.push(i + 1);
  }
  return starts;
}

/** The line (1-based) and column (0-based) of an offset, by binary search. */
export function lineAndColumn(starts: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - starts[low]! };
}
