/** What is known of the elements of a list that is filled after it was made. */
import '../../rules/analysing.ts';
import { expect, test } from 'vitest';
import { libraries } from '../../catalog/index.gen.ts';
import { words } from '../../catalog/redis-commands.ts';
import { CatalogIndex } from '../../model/catalog-index.ts';
import type { ModuleHost } from '../../model/host.ts';
import { Project } from '../../model/project.ts';
import { Model } from '../../model/story.ts';
import { type Value, printValue } from '../../model/value.ts';
import { parseText } from '../../rules/syntax/parse.ts';

const host: ModuleHost = { resolve: () => undefined, read: () => undefined, parse: () => undefined, packageRange: () => undefined };

function listIn(text: string): Value & { kind: 'array' } {
  const model = new Model(new Project(host, new CatalogIndex(libraries, words)));
  const module = model.project.add('/a.ts', text, parseText('/a.ts', text)!);
  const value = model.evaluator.value(module.exports.get('list')!.value!);
  if (value.kind !== 'array') throw new Error(`It is ${value.kind}, and no list.`);
  return value;
}

test.each([
  ['keys', 'export const list: string[] = [];\nfor (const id of ids) list.push(`lock:${id}`);', ['lock:{an element of ids}']],
  ['objects with keys', "export const list: object[] = [];\nlist.push({ key: 'a', owner: 'b' });", ['{…}']],
])('%s that are added are its elements', (_, text, elements) => {
  const list = listIn(text);
  expect(list.isSample).toBe(true);
  expect(list.items.map((it) => printValue(it))).toEqual(elements);
});

test.each([
  ['lists', 'export const list: string[][] = [];\nlist.push([`a`]);'],
  ['trees', "export const list: object[] = [];\nlist.push({ name: 'a', inner: { name: 'b', inner: { name: 'c', inner: { name: 'd' } } } });"],
  ['the list itself', 'export const list: unknown[] = [];\nlist.push({ of: list });'],
  ['something in many places', `export const list: string[] = [];\n${'list.push(`a`);\n'.repeat(7)}`],
])('of %s that are added nothing is said', (_, text) => {
  const list = listIn(text);
  expect(list.isSample).not.toBe(true);
  expect(list.open).toBe(true);
});
