/** Sentences in columns: cutting, wrapping, counting. Knows nothing of findings. */

/** The first sentence, which stands alone, and the rest. A period inside a word or a call ends nothing. */
export function splitMessage(message: string): { first: string; rest: string } {
  const [whole, first] = /^(.+?[.!?])(?:\s+|$)/s.exec(message) ?? [message, message];
  return { first: first!, rest: message.slice(whole!.length) };
}

/** Lines of at most `width` columns; a word that is longer has a line of its own. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split('\n')) {
    let line = '';
    for (const word of paragraph.split(/\s+/).filter(Boolean)) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line);
        line = word;
      } else line = line === '' ? word : `${line} ${word}`;
    }
    if (line !== '') lines.push(line);
  }
  return lines;
}

export const cut = (text: string, width: number): string => (text.length <= width ? text : `${text.slice(0, Math.max(1, width - 1)).trimEnd()}…`);

export const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;
