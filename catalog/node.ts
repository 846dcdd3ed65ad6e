/**
 * Node's own modules, but for files (`node-files.ts`). Facts from the Node documentation and
 * `@types/node`.
 */
import { arg, exported, library, self, type Call } from './schema.ts';

const CRYPTO = ['node:crypto', 'crypto'];
const TIMERS = ['node:timers', 'timers'];
const PROMISED_TIMERS = ['node:timers/promises', 'timers/promises'];
const PROCESS = ['node:process', 'process'];
const UTIL = ['node:util', 'util'];

const HASH = 'node:Hash';
const STORAGE = 'node:AsyncLocalStorage';

const crypto: readonly Call[] = [
  {
    on: 'module',
    from: CRYPTO,
    name: exported('randomUUID', 'randomBytes', 'pseudoRandomBytes', 'randomInt', 'randomFillSync', 'randomFill', 'getRandomValues', 'webcrypto.randomUUID', 'webcrypto.getRandomValues', 'generateKeySync'),
    does: { kind: 'fresh', source: 'random' },
    delivery: { callback: 'last' },
  },
  { on: 'module', from: CRYPTO, name: exported('hash'), does: { kind: 'derives', from: arg(1) } },
  { on: HASH, name: 'update', does: { kind: 'derives', from: arg(0) }, answers: HASH },
  { on: HASH, name: ['digest', 'copy'], does: { kind: 'derives', from: self() } },
];

const timers: readonly Call[] = [
  { on: 'module', from: PROMISED_TIMERS, name: exported('setTimeout', 'scheduler.wait'), does: { kind: 'wait', ms: arg(0) } },
  { on: 'module', from: PROMISED_TIMERS, name: exported('setImmediate', 'scheduler.yield'), does: { kind: 'wait', ms: { constant: 0 } } },
  { on: 'module', from: TIMERS, name: exported('promises.setTimeout'), does: { kind: 'wait', ms: arg(0) } },
  { on: 'module', from: TIMERS, name: exported('setTimeout'), does: { kind: 'calls', body: arg(0), when: 'later', delay: arg(1) } },
  { on: 'module', from: TIMERS, name: exported('setInterval'), does: { kind: 'calls', body: arg(0), when: 'repeatedly', delay: arg(1) } },
  { on: 'module', from: TIMERS, name: exported('setImmediate'), does: { kind: 'calls', body: arg(0), when: 'later', delay: { constant: 0 } } },
];

const processes: readonly Call[] = [
  { on: 'module', from: PROCESS, name: exported('exit', 'abort'), does: { kind: 'exit' } },
  { on: 'module', from: PROCESS, name: exported('hrtime', 'hrtime.bigint', 'uptime'), does: { kind: 'fresh', source: 'clock' } },
  { on: 'module', from: PROCESS, name: exported('nextTick'), does: { kind: 'calls', body: arg(0), when: 'later', delay: { constant: 0 } } },
  { on: 'module', from: PROCESS, name: exported('on', 'once'), does: { kind: 'calls', body: arg(1), when: 'later' } },
  { on: 'module', from: ['node:os', 'os'], name: exported('hostname', 'networkInterfaces', 'userInfo'), does: { kind: 'fresh', source: 'process' } },
  { on: 'module', from: ['node:perf_hooks', 'perf_hooks'], name: exported('performance.now'), does: { kind: 'fresh', source: 'clock' } },
];

export default library({
  key: 'node',
  packages: [
    ...CRYPTO,
    ...TIMERS,
    ...PROMISED_TIMERS,
    ...PROCESS,
    ...UTIL,
    'node:os',
    'os',
    'node:events',
    'events',
    'node:perf_hooks',
    'perf_hooks',
    'node:async_hooks',
    'async_hooks',
  ],
  title: 'Node.js',
  family: 'language',
  obtain: [
    { type: HASH, by: 'call', name: exported('createHash', 'createHmac'), from: CRYPTO },
    { type: HASH, by: 'annotation', name: ['Hash', 'Hmac'], from: CRYPTO },
    { type: STORAGE, by: 'new', name: exported('AsyncLocalStorage'), from: ['node:async_hooks', 'async_hooks'] },
    { type: STORAGE, by: 'annotation', name: exported('AsyncLocalStorage'), from: ['node:async_hooks', 'async_hooks'] },
    { type: 'node:EventEmitter', by: 'new', name: ['default', ...exported('EventEmitter')], from: ['node:events', 'events'] },
    { type: 'node:EventEmitter', by: 'annotation', name: ['default', ...exported('EventEmitter')], from: ['node:events', 'events'] },
  ],
  calls: [
    ...crypto,
    ...timers,
    ...processes,
    { on: 'module', from: UTIL, name: exported('promisify'), does: { kind: 'promisifies', function: arg(0) } },
    { on: 'module', from: UTIL, name: exported('deprecate', 'callbackify'), does: { kind: 'passes', value: arg(0) } },
    { on: 'node:EventEmitter', name: ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'], does: { kind: 'calls', body: arg(1), when: 'later' } },
    { on: STORAGE, name: 'run', does: { kind: 'calls', body: arg(1), when: 'now', answers: 'body' } },
    { on: STORAGE, name: 'exit', does: { kind: 'calls', body: arg(0), when: 'now', answers: 'body' } },
  ],
  edits: { makers: [{ from: 'node:crypto', name: 'randomUUID' }] },
  facts: [
    '`setTimeout` of `node:timers/promises` waits; the one of `node:timers` puts work off, past the end of the section.',
    'A host name or process id tells processes apart, not acquisitions: it is no owner value.',
  ],
});
