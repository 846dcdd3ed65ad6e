/** Texts of files for the command, each read once while it is wanted. */
import { readFileSync } from 'node:fs';
import { reasonOf } from '../server/files.ts';
import { splitLines } from './report.ts';

/** The text of a file, or why it has none that could be checked: the end of a sentence that begins with the path. */
export function readSource(path: string, maxFileSize: number): { text: string } | { why: string } {
  let text: string;
  try {
    // As text at once, for which Node has a shorter way than for bytes.
    text = readFileSync(path, 'utf8');
  } catch (error) {
    return { why: reasonOf(error) };
  }
  if (text.length > maxFileSize / 3 && Buffer.byteLength(text) > maxFileSize) return { why: `it has more than ${maxFileSize} bytes` };
  return text.includes('\0') ? { why: 'it is binary' } : { text };
}

/** Reads each file once, when the first of its lines is wanted. */
export function textReader(maxFileSize: number): { textOf(file: string): string; linesOf(file: string): readonly string[] } {
  const texts = new Map<string, string>();
  const lines = new Map<string, string[]>();
  const textOf = (file: string): string => {
    let text = texts.get(file);
    if (text === undefined) {
      const read = readSource(file, maxFileSize);
      texts.set(file, (text = 'text' in read ? read.text : ''));
    }
    return text;
  };
  return {
    textOf,
    linesOf(file) {
      let known = lines.get(file);
      if (!known) lines.set(file, (known = splitLines(textOf(file))));
      return known;
    },
  };
}
