/**
 * cache-manager 4 to 7, and the `CACHE_MANAGER` of Nest, which is one of its caches. A cache has no
 * write that is made only where there is nothing: a lock in it is asked for and set in two steps, and
 * is in the memory of one process where no other store is configured. Facts from the packages' own types.
 */
import { arg, library } from './schema.ts';

const CACHE = 'cache-manager:Cache';

/** Up to version 4 lengths are seconds, bare or as `ttl`; from 5 they are milliseconds. */
const lengths = {
  seconds: [
    { at: { ...arg(2), path: ['ttl'] }, unit: 's' },
    { at: arg(2), unit: 's' },
  ],
  milliseconds: [{ at: arg(2), unit: 'ms' }],
} as const;

export default library({
  key: 'cache-manager',
  packages: ['cache-manager', '@nestjs/cache-manager'],
  title: 'cache-manager',
  family: 'store',
  token: 'none: a cache counts nothing',
  obtain: [
    { type: CACHE, by: 'call', name: ['createCache', 'caching', 'multiCaching', 'default.caching', 'default.createCache'] },
    { type: CACHE, by: 'annotation', name: 'Cache' },
  ],
  calls: [
    { on: CACHE, name: 'get', does: { kind: 'get', key: arg(0) } },
    { on: CACHE, name: 'set', versions: '>=5', does: { kind: 'put', key: arg(0), value: arg(1), lease: lengths.milliseconds, expires: true, done: { of: 'unknown' } } },
    { on: CACHE, name: 'set', versions: '<5', does: { kind: 'put', key: arg(0), value: arg(1), lease: lengths.seconds, expires: true, done: { of: 'unknown' } } },
    { on: CACHE, name: 'del', does: { kind: 'remove', keys: arg(0) } },
  ],
  facts: [
    'A lock in a cache is asked for by `get` and taken by `set`: two callers can both find it free. No call of cache-manager does both in one step.',
    'Without a store of its own a cache is the memory of one process.',
    '`set(key, value, ttl)` takes milliseconds from version 5 on, and seconds before.',
  ],
});
