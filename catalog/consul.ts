/**
 * consul 0.x (callbacks, or promises with `promisify`), 1 and 2. Facts from the package's own types
 * (`@types/consul` for 0.x) and sources of 0.40, 1.2 and 2.0.
 */
import { arg, exported, is, library, type Acquire, type Call, type Delivery, type Release, type When, type Write } from './schema.ts';

const CLIENT = 'consul:Client';
const KV = 'consul:Kv';
const SESSIONS = 'consul:Sessions';
const ITEM = 'consul:Item';
const LOCK = 'consul:Lock';

const delivery: Delivery = { callback: 'last' };

/** `kv.set` with its key at `key` and its options at argument `at`. */
function sets(at: number, key = arg(at, 'key')): readonly Call[] {
  const count = { path: [], miss: false, note: 'a missed condition answers false and does not throw' } as const;
  const value = at === 0 ? arg(0, 'value') : arg(1);
  const acquire: Acquire = {
    kind: 'acquire',
    key,
    lock: 'lease',
    granted: is(true),
    refused: is(false),
    session: arg(at, 'acquire'),
    owner: arg(at, 'acquire'),
  };
  const release: Release = { kind: 'release', key, ownerChecked: true, lost: is(false) };
  const compared: Write = { kind: 'write', op: 'upsert', target: key, data: value, fence: [arg(at, 'cas')], count };
  const plain: Write = { kind: 'write', op: 'upsert', target: key, data: value, count };
  const shape: readonly When[] = at === 0 ? [{ sort: arg(0), of: 'object' }] : [{ count: 3, atLeast: true }];
  return [
    { on: KV, name: 'set', when: [...shape, { has: arg(at, 'acquire') }], does: acquire, delivery },
    { on: KV, name: 'set', when: [...shape, { has: arg(at, 'release') }], does: release, delivery },
    { on: KV, name: 'set', when: [...shape, { has: arg(at, 'cas') }], does: compared, delivery },
    { on: KV, name: 'set', when: [...shape, { lacks: arg(at, 'acquire') }, { lacks: arg(at, 'release') }], does: plain, delivery },
  ];
}

export default library({
  key: 'consul',
  packages: ['consul'],
  title: 'consul',
  family: 'lock',
  coordinator: 'consensus',
  token: '`LockIndex` or `ModifyIndex` of the key',
  obtain: [
    { type: CLIENT, by: 'new', name: ['default', ...exported('Consul')] },
    { type: CLIENT, by: 'call', name: 'default', versions: '<1' },
    { type: CLIENT, by: 'annotation', name: ['default', ...exported('Consul')] },
    { type: KV, by: 'property', name: 'kv', of: CLIENT },
    { type: KV, by: 'annotation', name: exported('Kv') },
    { type: SESSIONS, by: 'property', name: 'session', of: CLIENT },
    { type: SESSIONS, by: 'annotation', name: exported('Session') },
    { type: LOCK, by: 'method', name: 'lock', of: CLIENT, versions: '<1' },
  ],
  calls: [
    { on: SESSIONS, name: 'create', does: { kind: 'fresh', source: 'random' }, lasts: [{ at: arg(0, 'ttl'), unit: 'duration' }], delivery },
    {
      on: SESSIONS,
      name: 'destroy',
      when: [{ sort: arg(0), of: 'object' }, { has: arg(0, 'id') }],
      does: { kind: 'release', session: arg(0, 'id'), ownerChecked: true },
      delivery,
    },
    { on: SESSIONS, name: 'destroy', does: { kind: 'release', session: arg(0), ownerChecked: true }, delivery },
    {
      on: SESSIONS,
      name: 'renew',
      when: [{ sort: arg(0), of: 'object' }, { has: arg(0, 'id') }],
      does: { kind: 'renew', session: arg(0, 'id'), ownerChecked: true, done: { of: 'array' }, lost: 'throws' },
      delivery,
    },
    {
      on: SESSIONS,
      name: 'renew',
      does: { kind: 'renew', session: arg(0), ownerChecked: true, done: { of: 'array' }, lost: 'throws' },
      delivery,
    },

    ...sets(0),
    ...sets(2, arg(0)),
    { on: KV, name: 'set', when: [{ count: 2 }], does: { kind: 'write', op: 'upsert', target: arg(0), data: arg(1) }, delivery },
    { on: KV, name: 'get', when: [{ has: arg(0, 'key') }], does: { kind: 'get', key: arg(0, 'key') }, answers: ITEM, delivery },
    { on: KV, name: 'get', does: { kind: 'get', key: arg(0) }, answers: ITEM, delivery },
    {
      on: KV,
      name: ['del', 'delete'],
      when: [{ has: arg(0, 'cas') }],
      does: { kind: 'remove', keys: arg(0, 'key'), ifEquals: arg(0, 'cas') },
      delivery,
    },
    { on: KV, name: ['del', 'delete'], when: [{ has: arg(0, 'key') }], does: { kind: 'remove', keys: arg(0, 'key') }, delivery },
    { on: KV, name: ['del', 'delete'], does: { kind: 'remove', keys: arg(0) }, delivery },

    // The lock of 0.x tells by events.
    {
      on: LOCK,
      name: 'on',
      when: [{ is: arg(0), value: ['end', 'error'] }],
      does: { kind: 'calls', body: arg(1), when: 'later', onLoss: true },
      answers: LOCK,
    },
    { on: LOCK, name: 'on', does: { kind: 'calls', body: arg(1), when: 'later' }, answers: LOCK },
  ],
  tokens: [
    { of: ITEM, path: ['LockIndex'], sound: true, why: 'raised by the server with every acquire of the key' },
    { of: ITEM, path: ['ModifyIndex'], sound: true, why: 'the store\'s index, which grows with every change' },
  ],
  edits: {
    // `LockIndex` would begin anew with a key that was deleted; the store's index never does.
    tokens: [{ on: KV, method: 'get', arguments: '{key}', holder: 'Session', token: 'ModifyIndex', type: '{ Session?: string; ModifyIndex: number } | null', refused: 'The lock is lost' }],
  },
  facts: [
    'A session\'s `ttl` is a text, such as `15s`; nothing renews it but `session.renew` (the Lock of 0.x does).',
    'A refused `kv.set({ acquire })` answers false and does not throw; so does a missed `cas`.',
    '`kv.set({ release })` and `session.destroy` give back what the own session holds.',
    'The token is `LockIndex` or `ModifyIndex` of the key, read after the grant together with the session; `LockIndex` starts again when the key is deleted.',
    'Up to 0.x every call answers by callback unless the client is made with `promisify`.',
  ],
});
