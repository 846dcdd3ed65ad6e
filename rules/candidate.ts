/** Whether a file is worth a look, by the catalog and the rows of a team: all that runs of the analysis where nothing speaks of locks. */
import type { Library } from '../catalog/schema.ts';
import type { ModuleHost } from '../model/host.ts';
import type { Touch } from '../model/project.ts';
import { behindImports, mayReachLock, mentionsLock } from './gate/gate.ts';
import { Gate } from './gate/text.ts';
import { builtIn } from './gate/words.gen.ts';
import { wordsOf } from './gate/words.ts';
import { analysing } from './load.ts';
import type { Settings } from './settings.ts';

/** Longer texts (in UTF-16 units) are generated, and hold no one's locks. */
const maxText = 1_000_000;

/** What a bundler has put into lines of this length on average holds, in any readable form, what it was made from. */
const [maxLine, minBundle] = [400, 20_000];

function isBundle(text: string): boolean {
  if (text.length < minBundle) return false;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.length / lines > maxLine;
}

/** Whether `analyse` would look at a text. Nothing is parsed for the answer where the text and what it imports do not ask for it. */
export function isCandidate(file: string, text: string, host: ModuleHost, settings: Settings): boolean {
  return text.length <= maxText && !isBundle(text) && mentionsLock(file, text, host, gateFor(settings.catalog), (other, names) => analysing().exposes(other, names, host, settings));
}

/**
 * Whether anything of a lock can be behind a file, itself or a module that it takes something from, however
 * far away; `touches` says it of a module whose text speaks of them.
 */
export const mayReach = (file: string, touch: Touch, host: ModuleHost, settings: Pick<Settings, 'catalog'>, touches: (file: string) => boolean): boolean => mayReachLock(file, touch, host, gateFor(settings.catalog), touches);

/** The files in which that stands which a file imports, past modules that only hand it on. Nothing is parsed for the answer. */
export const filesBehind = (file: string, host: ModuleHost, settings: Pick<Settings, 'catalog'>): string[] => behindImports(file, host, gateFor(settings.catalog));

const gates = new WeakMap<readonly Library[], Gate>();
let plain: Gate | undefined;

function gateFor(own: readonly Library[]): Gate {
  if (own.length === 0) return (plain ??= new Gate(builtIn));
  let known = gates.get(own);
  if (!known) gates.set(own, (known = new Gate(both(own))));
  return known;
}

function both(own: readonly Library[]): typeof builtIn {
  const more = wordsOf(own);
  return {
    marks: [...builtIn.marks, ...more.marks],
    clients: [...builtIn.clients, ...more.clients],
    stores: [...builtIn.stores, ...more.stores],
    shapes: [...builtIn.shapes, ...more.shapes],
    folders: [...builtIn.folders, ...more.folders],
  };
}
