/** The open documents and their answers, with a made-up analysis: what fails, what depends on what, what is made anew. */
import { expect, test } from 'vitest';
import type { ModuleHost } from '../../model/host.ts';
import { readEditorSettings } from '../../server/editor-settings.ts';
import type { Linted, Problem } from '../../server/lint.ts';
import { createTextDocument, TextDocument } from '../../server/protocol.ts';
import { createWorkspace } from '../../server/workspace.ts';

const { settings } = readEditorSettings(undefined);

/** A workspace whose analysis finds every `!` of a text and of the files that it names as `<./name>`. */
function exclaiming(disk: Record<string, string> = {}) {
  const analysed: string[] = [];
  const logged: string[] = [];
  const lint = (text: string, file: string, _settings: unknown, host: ModuleHost): Linted => {
    analysed.push(file);
    if (text.includes('crash')) throw new Error('The analysis is at its end.');
    if (text.includes('limp')) return { problems: [], shift: 0, failure: new Error('A rule is at its end.') };
    if (text.includes('(')) return { problems: [], shift: 0, syntaxError: { message: 'A bracket.', line: 1 } };
    const problem = (start: number): Problem => ({ rule: 'no-blind-release', severity: 'error', message: '', span: { start, end: start + 1 }, takesCommentAbove: true });
    const problems = [...text.matchAll(/!/g)].map((it) => problem(it.index));
    for (const { 1: name, index } of text.matchAll(/<(.*?)>/g)) {
      const other = host.resolve(file, name!);
      if (other && host.read(other)?.text.includes('!')) problems.push(problem(index));
    }
    return { problems, shift: 0 };
  };
  const workspace = createWorkspace({
    lint,
    hostOver: (openDocument) => ({
      resolve: (_from, specifier) => (`/${specifier.slice(2)}.ts` in disk || openDocument(`/${specifier.slice(2)}.ts`) ? `/${specifier.slice(2)}.ts` : undefined),
      read: (file) => openDocument(file) ?? (file in disk ? { text: disk[file]!, version: disk[file]! } : undefined),
      parse: () => undefined,
      packageRange: () => undefined,
    }),
    baselineFor: () => undefined,
    importersOver: () => ({ of: () => undefined, saying: () => undefined, reaching: () => undefined, forget: () => {} }),
    log: (_level, message) => void logged.push(message),
    now: () => 0,
  });
  const documents = new Map<string, TextDocument>();
  return {
    workspace,
    analysed,
    logged,
    open(name: string, text: string) {
      const document = TextDocument.create(`file:///${name}.ts`, 'typescript', 1, text);
      documents.set(name, document);
      return workspace.opened(document);
    },
    edit(name: string, text: string) {
      const document = documents.get(name)!;
      TextDocument.update(document, [{ text }], document.version + 1);
      workspace.edited(document.uri);
    },
    found: (name: string) => workspace.answer(`file:///${name}.ts`, settings, 'analyse')!,
    spans: (name: string) => workspace.answer(`file:///${name}.ts`, settings, 'analyse')!.answer.problems.map(({ span }) => span.start),
  };
}

test('an answer is made once per text and settings', () => {
  const { open, edit, spans, analysed, workspace } = exclaiming();
  open('a', 'oh!');
  expect([spans('a'), spans('a')]).toEqual([[2], [2]]);
  expect(analysed).toHaveLength(1);
  edit('a', 'oh, oh!');
  expect([spans('a'), spans('a')]).toEqual([[6], [6]]);
  expect(analysed).toHaveLength(2);
  workspace.answer('file:///a.ts', readEditorSettings({ fence: { column: 'token' } }).settings, 'analyse');
  expect(analysed).toHaveLength(3);
});

test('an analysis that fails is told once, keeps the last answer and costs other files nothing', () => {
  const { open, edit, spans, found, logged } = exclaiming();
  open('a', 'oh!');
  open('b', 'ah!');
  expect(spans('a')).toEqual([2]);
  edit('a', 'crash oh!');
  expect(found('a')).toMatchObject({ status: { state: 'error', reason: 'The analysis of this file failed: Error: The analysis is at its end.' }, answer: { analysedVersion: 1, version: 2 } });
  edit('a', 'crash oh! oh');
  expect(spans('a')).toEqual([8]);
  expect(logged.filter((it) => it.includes('file:///a.ts'))).toHaveLength(1);
  expect(found('b')).toMatchObject({ status: { state: 'idle' }, answer: { problems: [{ span: { start: 2 } }] } });
  edit('a', 'well!');
  expect(spans('a')).toEqual([4]);
});

test('a rule that fails is told once as well, and the others have their say', () => {
  const { open, edit, found, logged } = exclaiming();
  open('a', 'limp');
  expect(found('a')).toMatchObject({ status: { state: 'error', reason: 'The analysis of this file failed: Error: A rule is at its end.' }, answer: { analysedVersion: 1 } });
  edit('a', 'limp on');
  expect(found('a')).toMatchObject({ status: { state: 'error' }, answer: { analysedVersion: 2 } });
  expect(logged).toHaveLength(1);
});

test('a document is answered anew when a file that it reads is edited, and not before that parses', () => {
  const { open, edit, spans, found } = exclaiming({ '/b.ts': 'quiet' });
  open('a', '<./b>');
  expect(spans('a')).toEqual([]);
  expect(open('b', 'quiet')).toEqual([]);
  edit('b', 'loud!(');
  expect(found('b').affected).toEqual([]);
  expect(spans('a')).toEqual([]);
  edit('b', 'loud!');
  expect(found('b').affected).toEqual(['file:///a.ts']);
  expect(spans('a')).toEqual([0]);
  // Half-typed text hides nothing that was there.
  edit('b', 'loud!((');
  expect(found('b').affected).toEqual([]);
  expect(spans('a')).toEqual([0]);
});

test('opening a file with other text than on disk, and closing it, are edits for those who read it', () => {
  const { open, spans, workspace } = exclaiming({ '/b.ts': 'quiet' });
  open('a', '<./b>');
  expect(spans('a')).toEqual([]);
  expect(open('b', 'loud!')).toEqual(['file:///a.ts']);
  expect(spans('a')).toEqual([0]);
  expect(workspace.closed('file:///b.ts')).toEqual(['file:///a.ts']);
  expect(spans('a')).toEqual([]);
});

test('changes on disk reach those who read the file, or looked for it in vain', () => {
  const disk: Record<string, string> = { '/b.ts': 'quiet' };
  const { open, spans, workspace } = exclaiming(disk);
  open('a', '<./b>');
  open('c', '<./d>');
  open('e', 'nothing');
  expect([spans('a'), spans('c'), spans('e')]).toEqual([[], [], []]);
  disk['/b.ts'] = 'loud!';
  expect(workspace.changedOnDisk(new Set(['/b.ts']), false)).toEqual(['file:///a.ts']);
  expect(spans('a')).toEqual([0]);
  disk['/d.ts'] = 'loud!';
  expect(workspace.changedOnDisk(new Set(['/d.ts']), true)).toContain('file:///c.ts');
  expect(spans('c')).toEqual([0]);
});

test('edits are offered only for texts that are still as they were analysed', () => {
  const { open, edit, found, workspace } = exclaiming({ '/disk.ts': 'on disk' });
  open('a', 'oh!');
  found('a');
  expect(workspace.editable('/a.ts')).toMatchObject({ version: 1 });
  edit('a', 'oh!!');
  expect(workspace.editable('/a.ts')).toBeUndefined();
  expect(workspace.editable('/disk.ts')).toEqual({ version: null, document: createTextDocument('file:///disk.ts', 'on disk') });
  expect(workspace.editable('/nowhere.ts')).toBeUndefined();
});
