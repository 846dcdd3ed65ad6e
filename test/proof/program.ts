/** The programs of the proofs: fixtures of the folder `proofs`, as they are and as their edits leave them, built so that Node runs them. */
import { build } from 'esbuild';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Settings, defaultSettings } from '../../rules/settings.ts';
import { apply, lint } from '../lint.ts';
import { fixturesFolder } from '../fixture.ts';
import { root } from '../root.ts';
import { type Texts, applied, offered, textsIn } from '../rules/fixes/several-files.ts';
import { prismaFolder } from './prisma-client.ts';

export const programsFolder = join(fixturesFolder, 'proofs');
const built = join(root, 'test-output/proof');

export interface Mended {
  before: string;
  after: string;
  /** For a program of several files, all of them by their paths. */
  files?: { before: Texts; after: Texts };
  /** Titles and notes of the edits that were applied, in their order. */
  edits: { title: string; note: string }[];
}

const isFolder = (name: string): boolean => existsSync(join(programsFolder, name, 'program.ts'));
export const programPath = (name: string): string => (isFolder(name) ? join(programsFolder, name, 'program.ts') : join(programsFolder, `${name}.ts`));
export const programNames = (): string[] => (existsSync(programsFolder) ? readdirSync(programsFolder).sort().map((it) => basename(it, '.ts')) : []);

/** Applies the first edit of each finding that expects one, one after the other, as an editor with these settings would; the text in between is checked anew. */
export function mend(name: string, settings: Partial<Settings> = {}): Mended {
  const path = programPath(name);
  if (isFolder(name)) return mendAll(path, settings);
  const before = readFileSync(path, 'utf8');
  const rules = new Set([...before.matchAll(/\/\/ expect-fix: ([a-z-]+)/g)].map(([, rule]) => rule!));
  const edits: Mended['edits'] = [];
  let after = before;
  for (let round = 0; round < 10; round++) {
    const next = lint(after, path, undefined, settings).find((it) => rules.has(it.rule) && it.edits.length > 0);
    if (!next) break;
    const edit = next.edits[0]!;
    edits.push({ title: edit.title, note: next.finding?.edits.find((it) => it.title === edit.title)?.note ?? '' });
    after = apply(after, edit);
  }
  return { before, after, edits };
}

/** The same for a program of several files, with the edits that reach from one into the others. */
function mendAll(path: string, settings: Partial<Settings>): Mended {
  const before = textsIn(dirname(path));
  const rules = new Set([...before.values()].flatMap((text) => [...text.matchAll(/\/\/ expect(?:-fix)?: ([a-z-]+)/g)].map(([, rule]) => rule!)));
  const edits: Mended['edits'] = [];
  let after = before;
  for (let round = 0; round < 10; round++) {
    const next = offered(after, dirname(path), { ...defaultSettings, ...settings }).find((it) => rules.has(it.rule));
    if (!next) break;
    edits.push({ title: next.edit.title, note: next.edit.note ?? '' });
    after = applied(after, next.file, next.edit);
  }
  return { before: before.get(path)!, after: after.get(path)!, files: { before, after }, edits };
}

/** Prisma is installed apart from the project, and only where its proofs are run. */
export const usesPrisma = (name: string): boolean => name.includes('prisma');

/** Builds a text of a program; answers the file that Node can import. */
export async function buildProgram(name: string, variant: 'before' | 'after', { files, ...mended }: Mended): Promise<string> {
  const folder = files ? join(built, name, variant) : programsFolder;
  mkdirSync(files ? folder : built, { recursive: true });
  for (const [path, text] of files?.[variant] ?? []) writeFileSync(join(folder, basename(path)), text);
  if (usesPrisma(name)) prismaFolder();
  const { outputFiles } = await build({
    stdin: { contents: mended[variant], loader: 'ts', resolveDir: folder, sourcefile: `${name}.ts` },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    // libSQL is SQLite behind the same interface, with binaries that need no compiler.
    alias: { 'better-sqlite3': 'libsql' },
    logLevel: 'silent',
    tsconfigRaw: { compilerOptions: { experimentalDecorators: true, useDefineForClassFields: false } },
  });
  const file = join(usesPrisma(name) ? prismaFolder() : built, `${name}-${variant}.mjs`);
  writeFileSync(file, outputFiles[0]!.text);
  return file;
}
