/**
 * node-postgres: `pg` and `pg-pool`. Facts from `@types/pg` and the sources of pg 8; counts, misses
 * and `BIGINT` columns were measured on 8.23 against PostgreSQL 15.
 */
import { arg, exported, last, library } from './schema.ts';
import { pgQueries } from './pg-queries.ts';

const POOL = 'pg:Pool';
const CLIENT = 'pg:Client';
const CHECKED_OUT = 'pg:PoolClient';

export default library({
  key: 'pg',
  packages: ['pg', 'pg/*', 'pg-pool'],
  title: 'node-postgres (pg)',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'new', name: [...exported('Pool', 'native.Pool')], when: [{ is: arg(0, 'max'), value: 1 }] },
    { type: CLIENT, by: 'new', name: 'default', from: 'pg-pool', when: [{ is: arg(0, 'max'), value: 1 }] },
    { type: POOL, by: 'new', name: exported('Pool', 'native.Pool') },
    { type: POOL, by: 'new', name: 'default', from: 'pg-pool' },
    { type: CLIENT, by: 'new', name: exported('Client', 'native.Client') },
    { type: CHECKED_OUT, by: 'method', name: 'connect', of: POOL },
    { type: CHECKED_OUT, by: 'method', name: 'connect', of: CLIENT },
    { type: POOL, by: 'annotation', name: exported('Pool') },
    { type: POOL, by: 'annotation', name: 'default', from: 'pg-pool' },
    { type: CHECKED_OUT, by: 'annotation', name: exported('PoolClient') },
    { type: CLIENT, by: 'annotation', name: exported('Client', 'ClientBase') },
  ],
  calls: [
    ...pgQueries(POOL, 'pool'),
    ...pgQueries(CLIENT, 'single'),
    ...pgQueries(CHECKED_OUT, 'single'),
    {
      on: POOL,
      name: 'connect',
      when: [{ sort: last, of: 'function' }],
      does: { kind: 'calls', body: last, when: 'now', passes: ['error', 'value', 'unknown'], types: [null, CHECKED_OUT, null], answers: 'other' },
    },
    { on: CHECKED_OUT, name: 'release', when: [{ is: arg(0), value: true }], does: { kind: 'disconnect', how: 'end' }, note: '`release(true)` closes the connection' },
    { on: CHECKED_OUT, name: 'release', does: { kind: 'disconnect', how: 'release' } },
    { on: CLIENT, name: 'end', does: { kind: 'disconnect', how: 'end' }, delivery: { callback: 'last' } },
    { on: POOL, name: 'end', does: { kind: 'disconnect', how: 'end' }, delivery: { callback: 'last' } },
  ],
  facts: [
    '`pool.query` may use another connection at every call: a session lock taken through it is neither held nor freed where it seems to be.',
    'A missed `UPDATE` resolves normally; only `rowCount === 0` tells.',
    '`BIGINT` columns come back as strings: compare a token that was read with `BigInt()`.',
    'A pool with `max: 1` behaves like a single connection.',
    'Several statements in one string answer an array of results, each with its own `rowCount`.',
  ],
});
