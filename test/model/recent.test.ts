/** The map that bounds what is kept in memory. */
import { expect, test } from 'vitest';
import { Recent } from '../../model/recent.ts';

const keysOf = (map: Recent<string, string>) => ['a', 'b', 'c', 'd'].filter((key) => map.get(key) !== undefined);

test('what was used longest ago goes first, by size', () => {
  const map = new Recent<string, string>(10);
  map.set('a', 'A', 4);
  map.set('b', 'B', 4);
  expect(map.get('a')).toBe('A');
  map.set('c', 'C', 4);
  expect(keysOf(map)).toEqual(['a', 'c']);
  // A new value has its own size.
  map.set('a', 'A', 1);
  map.set('d', 'D', 5);
  expect(keysOf(map)).toEqual(['a', 'c', 'd']);
  map.delete('c');
  map.set('b', 'B', 4);
  expect(keysOf(map)).toEqual(['a', 'b', 'd']);
  map.clear();
  expect(keysOf(map)).toEqual([]);
});

test('what is larger than the room is kept as long as it is the newest', () => {
  const map = new Recent<string, string>(10);
  map.set('a', 'A', 4);
  map.set('b', 'B', 40);
  expect(keysOf(map)).toEqual(['b']);
  map.set('c', 'C', 4);
  expect(keysOf(map)).toEqual(['c']);
});
