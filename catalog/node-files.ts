/**
 * Files: `node:fs`, its promises, and packages with the same surface. Facts from the Node
 * documentation and `@types/node`. The file system has no compare-and-swap: only creation can be
 * conditional (`wx`, `link`).
 */
import { arg, constant, ctor, exported, library, type Call, type TypeId } from './schema.ts';

const PROMISED = ['node:fs/promises', 'fs/promises'];
const PLAIN = ['node:fs', 'fs', 'graceful-fs', 'fs-extra'];
const HANDLE: TypeId = 'node-files:FileHandle';

const EXCLUSIVE = ['wx', 'xw', 'wx+', 'ax', 'ax+', 'wxs'];
const delivery = { callback: 'last' } as const;

const forms = (name: string): string[] => [...exported(name, `${name}Sync`, `promises.${name}`)];
const named = (...names: string[]): string[] => names.flatMap(forms);

const created = 'creation fails with EEXIST where the file is there already';

const writes: readonly Call[] = [
  {
    on: 'module',
    name: named('writeFile', 'appendFile', 'outputFile'),
    when: [{ is: arg(2, 'flag'), value: EXCLUSIVE }],
    does: { kind: 'write', op: 'insert', target: arg(0), data: arg(1), fence: [arg(2, 'flag')], throwsOnMiss: true },
    delivery,
    note: created,
  },
  { on: 'module', name: named('writeFile', 'outputFile', 'writeJson', 'writeJSON', 'outputJson', 'outputJSON'), does: { kind: 'write', op: 'replace', target: arg(0), data: arg(1) }, delivery },
  { on: 'module', name: named('appendFile'), does: { kind: 'write', op: 'insert', target: arg(0), data: arg(1) }, delivery },
  { on: 'module', name: named('rename', 'move'), does: { kind: 'write', op: 'replace', target: arg(1), data: arg(0) }, delivery, note: 'atomic, but unconditional' },
  { on: 'module', name: named('copyFile', 'cp', 'copy'), does: { kind: 'write', op: 'replace', target: arg(1), data: arg(0) }, delivery },
  {
    on: 'module',
    name: named('link', 'symlink'),
    does: { kind: 'write', op: 'insert', target: arg(1), data: arg(0), fence: [constant(true)], throwsOnMiss: true },
    delivery,
    note: created,
  },
  { on: 'module', name: named('unlink', 'rm', 'rmdir', 'remove', 'emptyDir'), does: { kind: 'write', op: 'delete', target: arg(0) }, delivery },
  { on: 'module', name: named('truncate'), does: { kind: 'write', op: 'update', target: arg(0) }, delivery },
  { on: 'module', name: exported('createWriteStream'), does: { kind: 'write', op: 'replace', target: arg(0) } },
  { on: HANDLE, name: ['writeFile', 'write', 'writev'], does: { kind: 'write', op: 'replace', target: ctor(0), data: arg(0) } },
  { on: HANDLE, name: 'appendFile', does: { kind: 'write', op: 'insert', target: ctor(0), data: arg(0) } },
  { on: HANDLE, name: 'truncate', does: { kind: 'write', op: 'update', target: ctor(0) } },
];

const reads: readonly Call[] = [
  { on: 'module', name: named('readFile', 'readJson', 'readJSON', 'stat', 'lstat', 'access', 'readdir', 'exists', 'pathExists'), does: { kind: 'read', target: arg(0) }, delivery },
  { on: HANDLE, name: ['readFile', 'read', 'stat'], does: { kind: 'read', target: ctor(0) } },
];

const makes: readonly Call[] = [{ on: 'module', name: named('mkdtemp'), does: { kind: 'fresh', source: 'random' }, note: 'a new folder, whose name nobody else has' }];

/** The functions that answer later, and their synchronous forms, as rows of their own. */
const inBothForms = (row: Call): Call[] => {
  if (!Array.isArray(row.name)) return [row];
  const [sync, later] = [true, false].map((wanted) => (row.name as string[]).filter((name) => name.endsWith('Sync') === wanted));
  return [...(later!.length ? [{ ...row, name: later! }] : []), ...(sync!.length ? [{ ...row, name: sync!, delivery: undefined, isSync: true }] : [])];
};

export default library({
  key: 'node-files',
  packages: [...PROMISED, ...PLAIN],
  title: 'Files (node:fs)',
  family: 'store',
  coordinator: 'machine',
  obtain: [
    { type: HANDLE, by: 'call', name: exported('open'), from: PROMISED },
    { type: HANDLE, by: 'call', name: exported('promises.open') },
    { type: HANDLE, by: 'annotation', name: ['FileHandle', 'promises.FileHandle'] },
  ],
  calls: [...writes, ...reads, ...makes].flatMap(inBothForms),
  facts: [
    'The file system has no compare-and-swap: a write to a file cannot be fenced by the call itself.',
    'The flag `wx`, `link` and `mkdir` fail with EEXIST: creating a file can be a once-only mark.',
    '`rename` replaces atomically, and whatever was there.',
  ],
});
