/** Code actions over the real protocol: edits that fit their version, comments that disable. */
import { expect, test } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver/node';
import { servers } from './built.ts';
import { able, type Session } from './session.ts';
import { blindRelease, uri } from './texts.ts';

const server = servers();

async function blind(session: Session): Promise<Diagnostic | undefined> {
  return (await session.diagnostics(uri)).find((it) => it.code === 'no-blind-release');
}

const titled = (actions: CodeAction[], title: RegExp): CodeAction => {
  const action = actions.find((it) => title.test(it.title));
  if (!action) throw new Error(`No action ${title} among: ${actions.map((it) => it.title).join('; ')}`);
  return action;
};

test('the quick fix comes first, fits the version, and mends the finding', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  session.edit(uri, 'export async', '// edited\nexport async');
  const diagnostic = (await blind(session))!;
  const actions = await session.actions(uri, diagnostic.range);
  const [fix] = actions.filter((it) => it.diagnostics![0]!.code === 'no-blind-release');
  expect(fix).toMatchObject({ kind: 'quickfix', isPreferred: true, diagnostics: [diagnostic] });
  expect(fix!.title).not.toMatch(/^Disable/);
  expect(fix!.edit!.changes).toBeUndefined();
  expect(fix!.edit!.documentChanges).toMatchObject([{ textDocument: { uri, version: 2 } }]);
  session.apply(fix!);
  expect(session.text(uri)).not.toBe(blindRelease);
  expect(await blind(session)).toBeUndefined();
  // The fixed text parses: a finding in it is found.
  session.edit(uri, undefined, `${session.text(uri)}\nexport async function g(key: string) {\n  if (!(await redis.set(key, '1', 'EX', 5, 'NX'))) return;\n  await work(key);\n  await redis.del(key);\n}\n`);
  expect(await blind(session)).toBeDefined();
});

test('an edit in a document with Windows line ends has them too', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease.replaceAll('\n', '\r\n'));
  const actions = await session.actions(uri, (await blind(session))!.range);
  for (const action of actions) {
    for (const change of action.edit!.documentChanges!) {
      if ('edits' in change) for (const edit of change.edits) expect('newText' in edit ? edit.newText : '').not.toMatch(/(?<!\r)\n/);
    }
  }
  session.apply(titled(actions, /^Disable no-blind-release for this line/));
  expect(session.text(uri)).not.toMatch(/(?<!\r)\n/);
  expect(await blind(session)).toBeUndefined();
});

test('a client that knows no document versions gets plain changes', async () => {
  const session = await server.start({ capabilities: { ...able, workspace: { ...able.workspace, workspaceEdit: {} } } });
  session.open(uri, blindRelease);
  const [action] = await session.actions(uri, (await blind(session))!.range);
  expect(action!.edit!.documentChanges).toBeUndefined();
  expect(Object.keys(action!.edit!.changes!)).toEqual([uri]);
});

test('disabling for the line puts a comment above it, with its indentation', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  const diagnostic = (await blind(session))!;
  session.apply(titled(await session.actions(uri, diagnostic.range), /^Disable no-blind-release for this line/));
  expect(session.text(uri)).toContain('\n    // eslint-disable-next-line fencepost/no-blind-release\n    await redis.del(key);');
  expect(await blind(session)).toBeUndefined();
});

test('disabling for the line adds to a comment that is there', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease.replace('    await redis.del', '    // eslint-disable-next-line no-await-in-loop -- a reason\n    await redis.del'));
  session.apply(titled(await session.actions(uri, (await blind(session))!.range), /^Disable no-blind-release for this line/));
  expect(session.text(uri)).toContain('    // eslint-disable-next-line no-await-in-loop, fencepost/no-blind-release -- a reason\n    await redis.del(key);');
  expect(await blind(session)).toBeUndefined();
});

test('disabling for the file stays below a #! line', async () => {
  const session = await server.shared();
  session.open(uri, `#!/usr/bin/env node\n${blindRelease}`);
  session.apply(titled(await session.actions(uri, (await blind(session))!.range), /^Disable no-blind-release for this file/));
  expect(session.text(uri).split('\n').slice(0, 2)).toEqual(['#!/usr/bin/env node', '/* eslint-disable fencepost/no-blind-release */']);
  expect(await blind(session)).toBeUndefined();
});

test('inside a template no comment line is offered', async () => {
  const session = await server.shared();
  const text = blindRelease.replace('await redis.del(key);', 'console.log(`released:\n${await redis.del(key)}`);');
  session.open(uri, text);
  const actions = await session.actions(uri, (await blind(session))!.range);
  expect(actions.some((it) => it.title === 'Disable no-blind-release for this file')).toBe(true);
  expect(actions.some((it) => it.title === 'Disable no-blind-release for this line')).toBe(false);
});

test('other kinds of actions, and other places, get nothing', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  const { range } = (await blind(session))!;
  expect(await session.actions(uri, range, ['refactor', 'source.organizeImports'])).toEqual([]);
  expect(await session.actions(uri, { start: { line: 1, character: 0 }, end: { line: 1, character: 0 } })).toEqual([]);
  expect(await session.actions('file:///project/not-open.ts', range)).toEqual([]);
});

test('while the text does not parse, no edit is offered', async () => {
  const session = await server.shared();
  session.open(uri, blindRelease);
  const { range } = (await blind(session))!;
  session.edit(uri, 'async function work(', 'async function work((');
  expect(await session.actions(uri, range)).toEqual([]);
});
