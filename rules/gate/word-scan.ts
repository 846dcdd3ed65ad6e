/**
 * Which of some hundred words stand in a text, in one pass over its characters: a regular expression of as
 * many alternatives tries each of them at every place, and costs ten times as much.
 */

/** ASCII characters that continue a word: letters, digits, `_` and `-`. */
const continues = Uint8Array.from({ length: 128 }, (_, code) => (/[\w-]/.test(String.fromCharCode(code)) ? 1 : 0));

/** Words are found by their first two characters. */
const slot = (first: number, second: number): number => ((first & 127) << 7) | (second & 127);

export class WordScan {
  /** By slot: the number of a list of words, or 0. */
  private readonly listAt = new Uint16Array(1 << 14);
  private readonly lists: { word: string; flag: number; isPrefix: boolean }[][] = [[]];

  /** Words by the flag, one bit, that stands for them. Each has two characters or more; one that ends with `*` may go on. */
  constructor(words: readonly (readonly [flag: number, words: readonly string[]])[]) {
    for (const [flag, of] of words) for (const word of of) this.add(word.replace(/\*$/, ''), flag, word.endsWith('*'));
  }

  private add(word: string, flag: number, isPrefix: boolean): void {
    const at = slot(word.charCodeAt(0), word.charCodeAt(1));
    this.listAt[at] ||= this.lists.push([]) - 1;
    this.lists[this.listAt[at]!]!.push({ word, flag, isPrefix });
  }

  /** The flags of the words that stand in `text` with no word character and no hyphen on either side. */
  flagsOf(text: string): number {
    const { listAt } = this;
    let flags = 0;
    let isInWord = false;
    let code = text.charCodeAt(0);
    for (let i = 0; i < text.length; i++) {
      const next = text.charCodeAt(i + 1);
      if (!isInWord) {
        const list = listAt[slot(code, next)]!;
        if (list !== 0) flags |= this.flagsAt(text, i, list);
      }
      isInWord = code < 128 && continues[code] === 1;
      code = next;
    }
    return flags;
  }

  private flagsAt(text: string, at: number, list: number): number {
    let flags = 0;
    for (const { word, flag, isPrefix } of this.lists[list]!) {
      if (!text.startsWith(word, at)) continue;
      const after = text.charCodeAt(at + word.length);
      if (isPrefix || !(after < 128 && continues[after] === 1)) flags |= flag;
    }
    return flags;
  }
}
