/**
 * Packages that make identifiers: uuid, nanoid, ulid, cuid, ksuid and others. Facts from the
 * packages' types and readmes. All of them are random per call; names made from a name space
 * (`uuid` v3 and v5) are as unique as the name.
 */
import { arg, exported, library } from './schema.ts';

const GENERATOR = 'identifiers:Generator';

export default library({
  key: 'identifiers',
  packages: [
    'uuid', 'uuid/*', 'uuidv7', 'uuidv4', 'uuid-random', 'short-uuid', 'nanoid', 'nanoid/*', 'ulid', 'ulidx', 'cuid', '@paralleldrive/cuid2',
    'crypto-random-string', 'randomstring', 'shortid', 'ksuid', 'uniqid', 'hyperid', 'typeid-js', 'bson', 'bson-objectid', '@lukeed/uuid', '@lukeed/uuid/*',
  ],
  title: 'Identifiers',
  family: 'language',
  obtain: [
    { type: GENERATOR, by: 'call', name: ['init', ...exported('customAlphabet', 'customRandom', 'monotonicFactory'), 'factory'] },
    { type: GENERATOR, by: 'call', name: 'default', from: ['short-uuid', 'hyperid'] },
  ],
  calls: [
    { on: 'module', from: 'uuid', name: exported('v3', 'v5'), does: { kind: 'derives', from: arg(0) } },
    { on: 'module', from: ['uuid/v3', 'uuid/v5'], name: 'default', does: { kind: 'derives', from: arg(0) } },
    {
      on: 'module',
      name: [
        ...exported('v1', 'v4', 'v6', 'v7', 'uuid', 'uuidv4', 'uuidv7', 'uuidv4obj', 'uuidv7obj'),
        ...exported('nanoid', 'ulid', 'createId', 'typeid', 'generate', 'cryptoRandomStringAsync'),
        ...exported('process', 'time', 'random', 'randomSync'),
        'default',
        ...exported('ObjectId', 'ObjectID'),
      ],
      does: { kind: 'fresh', source: 'random' },
    },
    { on: GENERATOR, name: ['()', 'new', 'generate', 'uuid'], does: { kind: 'fresh', source: 'random' } },
  ],
  edits: {
    makers: [
      { from: 'uuid', name: 'v4' },
      { from: 'uuid', name: 'v7' },
      ...['nanoid', 'ulid', 'ulidx'].map((from) => ({ from, name: from === 'nanoid' ? 'nanoid' : 'ulid' })),
      { from: '@paralleldrive/cuid2', name: 'createId' },
      { from: 'uuidv7', name: 'uuidv7' },
      ...['uuidv4', 'uuid-random', 'cuid', 'uuid/v4'].map((from) => ({ from, name: 'default' })),
    ],
  },
  facts: [
    'An identifier made per acquisition is a good owner value: it can be compared for equality.',
    'None of them is a fencing token: even those that sort by time (`ulid`, `uuid` v7) follow the clock of the machine that made them.',
  ],
});
