/**
 * etcd3 1. Facts from the package's own types and source; measured on 1.1.2 against etcd 3.4: a refused
 * lock, revisions of transactions, and fenced writes.
 */
import { arg, configured, is, library, rest, self, type Acquire, type Call, type TypeId } from './schema.ts';

const CLIENT = 'etcd3:Client';
const LOCK = 'etcd3:Lock';
const LEASE = 'etcd3:Lease';
const LEASE_ID = 'etcd3:LeaseId';
const PUT = 'etcd3:Put';
const DELETE = 'etcd3:Delete';
const GET = 'etcd3:Get';
const RANGE = 'etcd3:RangeResponse';
const COMPARATOR = 'etcd3:Comparator';
const TRANSACTION = 'etcd3:TransactionResponse';
const HEADER = 'etcd3:Header';
const ELECTION = 'etcd3:Election';
const CAMPAIGN = 'etcd3:Campaign';

const lock = {
  kind: 'acquire',
  key: configured('key'),
  lock: 'lease',
  lease: [{ at: configured('ttl'), unit: 's', default: 30 }],
  granted: { type: LOCK },
  refused: 'throws',
  renews: 'always',
} as const satisfies Acquire;

/** A step of a builder that puts its argument down and answers the builder. */
const step = (on: TypeId, name: string | readonly string[], configure: Call['does'] = []): Call => ({ on, name, does: configure, answers: on });

const puts = (on: TypeId, leased: boolean): Call => ({
  on,
  name: 'put',
  does: [
    { kind: 'build', configure: leased ? { key: arg(0), lease: self() } : { key: arg(0) } },
    { kind: 'write', op: 'upsert', target: arg(0), data: configured('value'), expiry: configured('lease') },
  ],
  answers: PUT,
  lazy: true,
});

const ordered = 'the store\'s revision, which grows with every change';

export default library({
  key: 'etcd3',
  packages: ['etcd3'],
  title: 'etcd3',
  family: 'lock',
  coordinator: 'consensus',
  token: 'a revision: `header.revision` of the transaction that takes the lock, or `create_revision` of its key',
  obtain: [
    { type: CLIENT, by: 'new', name: ['Etcd3', 'default.Etcd3'] },
    { type: CLIENT, by: 'annotation', name: ['Etcd3', 'Namespace'] },
    { type: CLIENT, by: 'method', name: 'namespace', of: CLIENT },
    { type: HEADER, by: 'property', name: 'header', of: TRANSACTION },
    { type: LOCK, by: 'annotation', name: 'Lock' },
    { type: LEASE, by: 'method', name: 'lease', of: CLIENT },
    { type: LEASE, by: 'annotation', name: 'Lease' },
    { type: CAMPAIGN, by: 'annotation', name: 'Campaign' },
  ],
  calls: [
    { on: CLIENT, name: 'lock', does: { kind: 'build', configure: { key: arg(0) } }, answers: LOCK },
    step(LOCK, 'ttl', { kind: 'build', configure: { ttl: arg(0) } }),
    step(LOCK, 'options'),
    { on: LOCK, name: 'acquire', does: lock },
    { on: LOCK, name: 'do', does: { ...lock, granted: { of: 'unknown' }, body: arg(0) } },
    { on: LOCK, name: 'release', does: { kind: 'release', ownerChecked: true } },
    { on: LOCK, name: 'leaseId', does: [], answers: LEASE_ID },

    { on: LEASE, name: 'grant', does: { kind: 'derives', from: self() }, answers: LEASE_ID },
    puts(LEASE, true),
    { on: LEASE, name: 'revoke', does: { kind: 'release', session: self(), ownerChecked: true } },
    { on: LEASE, name: 'release', does: [], note: 'only stops the keep-alive: the keys live until the lease ends' },
    {
      on: LEASE,
      name: 'keepaliveOnce',
      does: { kind: 'renew', session: self(), ownerChecked: true, done: { of: 'object' }, lost: 'throws' },
    },
    {
      on: LEASE,
      name: ['on', 'once', 'addListener'],
      when: [{ is: arg(0), value: 'lost' }],
      does: { kind: 'calls', body: arg(1), when: 'later', onLoss: true },
      answers: LEASE,
    },

    puts(CLIENT, false),
    step(PUT, 'value', { kind: 'build', configure: { value: arg(0) } }),
    step(PUT, 'lease', { kind: 'build', configure: { lease: arg(0) } }),
    step(PUT, ['options', 'ignoreLease']),
    { on: PUT, name: ['exec', 'touch', 'getPrevious'], does: { kind: 'build', sends: true } },

    { on: CLIENT, name: 'delete', does: [], answers: DELETE, lazy: true },
    { on: DELETE, name: 'key', does: { kind: 'remove', keys: arg(0) }, answers: DELETE, lazy: true },
    step(DELETE, ['prefix', 'range', 'inRange', 'all', 'options']),
    { on: DELETE, name: ['exec', 'getPrevious'], does: { kind: 'build', sends: true } },

    { on: CLIENT, name: 'get', does: { kind: 'get', key: arg(0) }, answers: GET, lazy: true },
    { on: GET, name: 'exec', does: { kind: 'build', sends: true }, answers: RANGE },

    {
      on: CLIENT,
      name: 'if',
      does: { kind: 'build', configure: { key: arg(0), column: arg(1), operator: arg(2), compared: arg(3) } },
      answers: COMPARATOR,
    },
    step(COMPARATOR, 'and', { kind: 'build', configure: { also: arg(3) } }),
    step(COMPARATOR, 'then', {
      kind: 'build',
      configure: { target: { arg: 0, chain: 'key' }, value: { arg: 0, chain: 'value' }, lease: { arg: 0, chain: 'lease' }, operations: rest(0) },
    }),
    step(COMPARATOR, ['else', 'options']),
    // "The key was never created": what a lock's own put asks for.
    {
      on: COMPARATOR,
      name: 'commit',
      when: [
        { is: configured('column'), value: 'Create' },
        { is: configured('operator'), value: ['==', '==='] },
        { is: configured('compared'), value: [0, '0'] },
      ],
      does: {
        kind: 'put',
        key: configured('key'),
        value: configured('value'),
        condition: 'absent',
        lease: [{ at: configured('lease'), unit: 's' }],
        session: configured('lease'),
        done: { props: { succeeded: is(true), header: { type: HEADER } } },
        refused: { props: { succeeded: is(false), header: { type: HEADER } } },
      },
    },
    {
      on: COMPARATOR,
      name: 'commit',
      does: {
        kind: 'write',
        op: 'update',
        target: configured('target'),
        data: configured('value'),
        fence: [configured('compared'), configured('also')],
        count: { path: ['succeeded'], miss: false, note: 'a transaction whose comparison fails resolves like any other' },
      },
      answers: TRANSACTION,
    },

    {
      on: CLIENT,
      name: 'election',
      does: { kind: 'build', configure: { key: arg(0), ttl: arg(1) } },
      answers: ELECTION,
    },
    { on: ELECTION, name: 'campaign', does: [], answers: CAMPAIGN },
    {
      on: CAMPAIGN,
      name: 'wait',
      does: {
        kind: 'acquire',
        key: configured('key'),
        lock: 'lease',
        lease: [{ at: configured('ttl'), unit: 's', default: 60 }],
        granted: { type: CAMPAIGN },
        refused: 'waits',
        renews: 'always',
      },
    },
    { on: CAMPAIGN, name: 'resign', does: { kind: 'release', ownerChecked: true } },
    {
      on: CAMPAIGN,
      name: ['on', 'once'],
      when: [{ is: arg(0), value: 'error' }],
      does: { kind: 'calls', body: arg(1), when: 'later', onLoss: true },
      answers: CAMPAIGN,
    },
    {
      on: CAMPAIGN,
      name: ['on', 'once'],
      does: { kind: 'calls', body: arg(1), when: 'later' },
      answers: CAMPAIGN,
    },
  ],
  tokens: [
    { of: HEADER, path: ['revision'], sound: true, why: ordered },
    { of: RANGE, path: ['kvs', '0', 'create_revision'], sound: true, why: ordered },
    { of: RANGE, path: ['kvs', '0', 'mod_revision'], sound: true, why: ordered },
    { of: LEASE_ID, path: [], sound: false, why: 'the id of a lease: it has no order across members' },
  ],
  facts: [
    '`ttl` and `lease` count seconds; `lock()` has 30 by default, an election 60. Leases renew themselves.',
    'A refused `lock(…).acquire()` throws EtcdLockFailedError at once; a transaction answers `{ succeeded: false }` and does not throw.',
    '`release` and `revoke` end the own lease only. `Lease.release()` merely stops the keep-alive. The loss is the lease\'s `lost` event, which `lock()` hides.',
    'The token is a revision: `header.revision` of the transaction that takes the lock, or `create_revision` of its key. `lock().acquire()` drops it; `leaseId()` has no order.',
    'Revisions are texts: compare them as numbers of 64 bits (`\'10\' < \'9\'` as text).',
  ],
});
