/** Modules as they are on disk when a run begins: nothing is asked twice, because nothing changes until it ends. */
import type { ModuleHost, SourceText } from '../../model/host.ts';
import { fileHost, type ParseFunction } from '../../rules/file-host.ts';
import { analysing } from '../../rules/load.ts';
import type { Stats } from './stats.ts';
import type { Texts } from './texts.ts';

/** A run ends soon, and what it lets go of it has to compute again. */
export const roomOfRun = 8_000_000;

/** The host of a run that counts and times what is parsed. */
export function timedHost(texts: Texts, stats: Stats): ModuleHost {
  return hostOfRun(texts, (file, text) => {
    stats.counts.parsed++;
    return stats.during('parsing', () => analysing().parseText(file, text));
  });
}

function hostOfRun(texts: Texts, parse: ParseFunction): ModuleHost {
  // A parse function of its own keeps the trees of a run apart from those of others.
  const disk = fileHost({ parse: (file, text) => parse(file, text) });
  const sources = new Map<string, SourceText | undefined>();
  const resolved = new Map<string, string | undefined>();
  return {
    ...disk,
    skim: undefined,
    snapshot: {},
    room: roomOfRun,
    read(file) {
      if (sources.has(file)) return sources.get(file);
      const source = 'text' in texts.of(file) ? sourceOf(file, texts) : undefined;
      sources.set(file, source);
      return source;
    },
    resolve(from, specifier) {
      const key = `${from.slice(0, from.lastIndexOf('/'))}\0${specifier}`;
      if (!resolved.has(key)) resolved.set(key, disk.resolve(from, specifier));
      const found = resolved.get(key);
      return found === from ? undefined : found;
    },
  };
}

/** The text itself stays with the texts of the run, which may let go of it. */
const sourceOf = (file: string, texts: Texts): SourceText => ({
  version: 'run',
  get text() {
    const read = texts.of(file);
    const text = 'text' in read ? read.text : '';
    return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  },
});
