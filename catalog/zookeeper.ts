/**
 * node-zookeeper-client 1 and zookeeper 7. Facts from the packages' own types and sources.
 *
 * A lock of the usual recipe, an ephemeral node with a sequence number, is granted when no smaller
 * number is left: that is the caller's code. Only the plain ephemeral node, which exists or does not,
 * is a grant by itself.
 */
import { arg, ctor, exported, library, type Acquire, type Call, type Delivery, type Lease } from './schema.ts';

const NODE = 'zookeeper:NodeClient';
const NATIVE = 'zookeeper:Client';

const EPHEMERAL = 1;

const delivery: Delivery = { callback: 'last', returns: { of: 'void' } };

/** The client keeps its session alive by itself; the node ends with it. */
const create = (...lease: readonly Lease[]): Acquire => ({ kind: 'acquire', key: arg(0), lock: 'lease', lease, granted: { of: 'string' }, refused: 'throws', renews: 'always' });

/** A write of a node with the version it must have at argument 2; -1 asks for none, and is what is meant where it may be left out. */
function sets(on: string, name: string, by: Pick<Call, 'delivery'>, isOptional: boolean): readonly Call[] {
  const write = { kind: 'write', op: 'update', target: arg(0), data: arg(1) } as const;
  const row = { on, name, answers: 'zookeeper:Stat', ...by };
  return [
    { ...row, when: [{ is: arg(2), value: -1 }], does: write },
    { ...row, when: [{ count: 3, atLeast: true }], does: { ...write, fence: [arg(2)], throwsOnMiss: true } },
    ...(isOptional ? [{ ...row, does: write } as const] : []),
  ];
}

export default library({
  key: 'zookeeper',
  packages: ['node-zookeeper-client', 'zookeeper'],
  title: 'ZooKeeper clients',
  family: 'lock',
  coordinator: 'consensus',
  token: 'the `czxid` of the node, or the number that a sequential node\'s path ends in',
  obtain: [
    { type: NODE, by: 'call', name: exported('createClient'), from: 'node-zookeeper-client' },
    { type: NODE, by: 'annotation', name: exported('Client'), from: 'node-zookeeper-client' },
    { type: NATIVE, by: 'new', name: ['default', 'default.Promise'], from: 'zookeeper' },
    { type: NATIVE, by: 'annotation', name: ['default', 'ZooKeeperPromise'], from: 'zookeeper' },
    { type: 'zookeeper:Stat', by: 'annotation', name: ['Stat', 'stat'] },
  ],
  calls: [
    // The arguments after the path stand in any order.
    ...[1, 2, 3].map((at): Call => ({ on: NODE, name: 'create', when: [{ is: arg(at), value: EPHEMERAL }], does: create({ at: ctor(1, 'sessionTimeout'), unit: 'ms', default: 30_000 }), delivery })),
    { on: NATIVE, name: 'create', when: [{ is: arg(2), value: EPHEMERAL }], does: create({ at: ctor(0, 'timeout'), unit: 'ms' }) },
    { on: NODE, name: 'remove', does: { kind: 'remove', keys: arg(0), bySession: true }, delivery },
    { on: NATIVE, name: 'delete_', does: { kind: 'remove', keys: arg(0), bySession: true } },
    ...sets(NODE, 'setData', { delivery }, true),
    ...sets(NATIVE, 'set', {}, false),
    { on: NODE, name: 'exists', does: { kind: 'exists', key: arg(0) }, delivery, answers: 'zookeeper:Stat' },
    { on: NATIVE, name: 'exists', does: { kind: 'exists', key: arg(0) }, answers: 'zookeeper:Stat' },
    { on: NATIVE, name: 'pathExists', does: { kind: 'exists', key: arg(0) } },
    {
      on: NODE,
      name: ['on', 'once'],
      when: [{ is: arg(0), value: ['expired', 'disconnected'] }],
      does: { kind: 'calls', body: arg(1), when: 'later', onLoss: true },
    },
  ],
  constants: {
    'CreateMode.PERSISTENT': 0,
    'CreateMode.EPHEMERAL': 1,
    'CreateMode.PERSISTENT_SEQUENTIAL': 2,
    'CreateMode.EPHEMERAL_SEQUENTIAL': 3,
    'default.CreateMode.PERSISTENT': 0,
    'default.CreateMode.EPHEMERAL': 1,
    'default.CreateMode.PERSISTENT_SEQUENTIAL': 2,
    'default.CreateMode.EPHEMERAL_SEQUENTIAL': 3,
    'default.constants.ZOO_EPHEMERAL': 1,
    'default.constants.ZOO_SEQUENCE': 2,
    'default.ZOO_EPHEMERAL': 1,
    'default.ZOO_SEQUENCE': 2,
  },
  tokens: [
    { of: 'zookeeper:Stat', path: ['czxid'], sound: true, why: 'the transaction that made the node: ordered over the whole store' },
    { of: 'zookeeper:Stat', path: ['version'], sound: false, why: 'counts the changes of one node and starts again when it is deleted' },
  ],
  facts: [
    'A lock is an ephemeral node: it ends with the session, which the client keeps alive; the loss is the `expired` event.',
    'A plain ephemeral node that exists refuses with NODE_EXISTS: an error by callback, a throw in `zookeeper`.',
    'The token is the node\'s `czxid`, or the ten digits that a sequential node\'s path ends in. node-zookeeper-client gives `czxid` as a Buffer of eight bytes.',
    'A client that was paused past the end of its session removes nothing any more, as measured with node-zookeeper-client: the next holder\'s node stays.',
    'A fenced write is `setData(path, data, version)`; version -1 asks for nothing.',
  ],
});
