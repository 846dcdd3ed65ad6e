/** Modules from the file system: resolved as TypeScript and Node do, each file read and parsed once per version. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ModuleHost, Program, SourceText } from '../model/host.ts';
import { Recent } from '../model/recent.ts';
import { extensions, forgetResolutions, keptMs, packageRange, resolveModule } from './resolving/resolve.ts';

/** Parses a text; undefined when it has a syntax error. */
export type ParseFunction = (file: string, text: string) => Program | undefined;

/** Larger files are generated, and hold no one's locks. */
const maxBytes = 1_000_000;

const restMs = 200;
/** Characters of text that are kept, and of text whose tree is: a tree takes about 120 bytes for each. */
const keptText = 20_000_000;
const keptTrees = 2_500_000;
const sources = new Recent<string, { source: SourceText | undefined; checked: number }>(keptText);
const programs = new WeakMap<ParseFunction, Recent<string, { version: string | number; program: Program | undefined }>>();
const folders = new Map<string, { files: string[]; listed: number }>();
const maxKept = 2000;

/** A host over the file system. Answers are shared by all hosts of the process; files are looked at again when they change. */
export function fileHost({ parse }: { parse: ParseFunction }): ModuleHost {
  let parsed = programs.get(parse);
  if (!parsed) programs.set(parse, (parsed = new Recent(keptTrees)));
  const byFile = parsed;
  return {
    parsesLike: byFile,
    snapshot: snapshotNow(),
    resolve: resolveModule,
    read: readSource,
    skim: (file) => readFrom(file, sources.get(file)?.source),
    parse(file, source) {
      const known = byFile.get(file);
      if (known && known.version === source.version) return known.program;
      const program = parse(file, source.text);
      byFile.set(file, { version: source.version, program }, source.text.length + 200);
      return program;
    },
    beside,
    packageRange,
  };
}

let snapshot: { begun: number; asked: number; token: object } | undefined;

/**
 * Within a run, in which one question follows the other, files are taken to stay what they are for as long
 * as what was found on disk is; after a moment's rest, in which somebody may have edited one, they are not.
 */
function snapshotNow(): object {
  const now = Date.now();
  if (!snapshot || now - snapshot.asked > restMs || now - snapshot.begun > keptMs) snapshot = { begun: now, asked: now, token: {} };
  snapshot.asked = now;
  return snapshot.token;
}

/** Forgets everything that was looked up on disk; for those who are told when something changes there. */
export function forgetFiles(): void {
  forgetResolutions();
  snapshot = undefined;
  sources.clear();
  folders.clear();
}

/** Puts open documents, by path, over another host. */
export function overlayHost(base: ModuleHost, openDocument: (file: string) => SourceText | undefined): ModuleHost {
  return { ...base, snapshot: undefined, skim: undefined, read: (file) => openDocument(file) ?? base.read(file) };
}

function readSource(file: string): SourceText | undefined {
  const known = sources.get(file);
  const now = Date.now();
  // A burst of questions about one file asks the disk once.
  if (known && now - known.checked < 50) return known.source;
  const source = readFrom(file, known?.source);
  sources.set(file, { source, checked: now }, (source?.text.length ?? 0) + 200);
  return source;
}

/** What is there; `known` where that is what it was. Undefined for a file that cannot be read. */
function readFrom(file: string, known?: SourceText): SourceText | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > maxBytes) return undefined;
    const version = `${stat.mtimeMs}:${stat.size}`;
    if (known?.version === version) return known;
    const text = readFileSync(file, 'utf8');
    return text.includes('\0') ? undefined : { text: text.charCodeAt(0) === 0xfeff ? text.slice(1) : text, version };
  } catch {
    return undefined;
  }
}

/** The sources in the folder of `file`. Listed anew after as long as resolutions are kept. */
function beside(file: string): readonly string[] {
  const folder = dirname(file);
  const known = folders.get(folder);
  const now = Date.now();
  if (known && now - known.listed < keptMs) return known.files.filter((it) => it !== file);
  let files: string[] = [];
  try {
    files = readdirSync(folder).filter((name) => extensions.some((it) => name.endsWith(it)) && !/\.(?:d|spec|test)\.[cm]?[jt]sx?$/.test(name)).sort().map((name) => join(folder, name));
  } catch {
    // A folder that cannot be read has nothing in it.
  }
  if (folders.size > maxKept) folders.clear();
  folders.set(folder, { files, listed: now });
  return files.filter((it) => it !== file);
}
