/**
 * The language itself and the globals that Node and the browsers share. Facts from the ECMAScript,
 * WHATWG and Node documentation. `then`, `catch` and `finally` of promises are syntax to the model
 * and have no rows here.
 */
import { arg, constant, library, self, type Call } from './schema.ts';
import { requestCalls } from './http-requests.ts';

const timers: readonly Call[] = [
  { on: 'global', name: ['setTimeout', 'globalThis.setTimeout', 'window.setTimeout'], does: { kind: 'calls', body: arg(0), when: 'later', delay: arg(1) } },
  { on: 'global', name: ['setInterval', 'globalThis.setInterval', 'window.setInterval'], does: { kind: 'calls', body: arg(0), when: 'repeatedly', delay: arg(1) } },
  { on: 'global', name: ['setImmediate', 'queueMicrotask', 'process.nextTick'], does: { kind: 'calls', body: arg(0), when: 'later', delay: constant(0) } },
  { on: 'global', name: 'AbortSignal.timeout', does: { kind: 'passes', value: arg(0) }, note: 'the signal stands for its milliseconds, so that `timeout` rows can read them' },
];

const promises: readonly Call[] = [
  { on: 'global', name: 'Promise', does: { kind: 'calls', body: arg(0), when: 'now', passes: ['resolve', 'reject'], answers: 'other' } },
  { on: 'global', name: 'Promise.try', does: { kind: 'calls', body: arg(0), when: 'now', answers: 'body' } },
  { on: 'global', name: 'Proxy', does: { kind: 'passes', value: arg(0), open: true } },
  { on: 'global', name: 'Promise.resolve', does: { kind: 'passes', value: arg(0) } },
  { on: 'global', name: 'Promise.all', does: { kind: 'joins', items: arg(0), how: 'all' } },
  { on: 'global', name: 'Promise.allSettled', does: { kind: 'joins', items: arg(0), how: 'settled' } },
  { on: 'global', name: 'Promise.race', does: { kind: 'joins', items: arg(0), how: 'race' } },
  { on: 'global', name: 'Promise.any', does: { kind: 'joins', items: arg(0), how: 'any' } },
];

const callbacks: readonly Call[] = [
  {
    on: 'any',
    name: ['map', 'flatMap'],
    when: [{ sort: arg(0), of: 'function' }],
    does: { kind: 'calls', body: arg(0), when: 'now', passes: ['element', 'index'], answers: 'bodies' },
  },
  {
    on: 'any',
    name: ['forEach', 'filter', 'find', 'findLast', 'findIndex', 'findLastIndex', 'some', 'every'],
    when: [{ sort: arg(0), of: 'function' }],
    does: { kind: 'calls', body: arg(0), when: 'now', passes: ['element', 'index'], answers: 'other' },
  },
  {
    on: 'any',
    name: ['reduce', 'reduceRight'],
    when: [{ sort: arg(0), of: 'function' }],
    does: { kind: 'calls', body: arg(0), when: 'now', passes: ['unknown', 'element', 'index'], answers: 'body' },
  },
  {
    on: 'any',
    name: ['sort', 'toSorted'],
    when: [{ sort: arg(0), of: 'function' }],
    does: { kind: 'calls', body: arg(0), when: 'now', passes: ['element', 'element'], answers: 'other' },
  },
  {
    on: 'global',
    name: 'Array.from',
    when: [{ sort: arg(1), of: 'function' }],
    does: { kind: 'calls', body: arg(1), when: 'now', passes: ['unknown', 'index'], answers: 'bodies' },
  },
  {
    on: 'any',
    name: ['on', 'once', 'addListener', 'prependListener', 'prependOnceListener', 'addEventListener'],
    when: [{ sort: arg(1), of: 'function' }],
    does: { kind: 'calls', body: arg(1), when: 'later', answers: 'other' },
  },
];

const values: readonly Call[] = [
  { on: 'global', name: ['structuredClone', 'Object.freeze', 'Object.seal', 'Object.assign', 'Array.from', 'Array.of'], does: { kind: 'passes', value: arg(0) } },
  { on: 'any', name: 'bind', does: { kind: 'passes', value: self() } },
  { on: 'any', name: 'valueOf', when: [{ count: 0 }], does: { kind: 'passes', value: self() } },
  {
    on: 'global',
    name: ['String', 'Number', 'BigInt', 'Boolean', 'parseInt', 'parseFloat', 'Number.parseInt', 'Number.parseFloat', 'BigInt.asIntN', 'BigInt.asUintN', 'JSON.stringify', 'JSON.parse', 'encodeURIComponent', 'decodeURIComponent', 'encodeURI', 'btoa', 'atob', 'Buffer.from', 'Math.abs', 'Math.floor', 'Math.round', 'Math.trunc', 'Math.ceil'],
    does: { kind: 'derives', from: arg(0) },
  },
  { on: 'any', name: ['toString', 'toISOString', 'toJSON', 'getTime', 'trim', 'toLowerCase', 'toUpperCase', 'normalize', 'slice', 'substring', 'substr', 'padStart', 'padEnd', 'replace', 'replaceAll', 'toFixed'], does: { kind: 'derives', from: self() } },
];

const fresh: readonly Call[] = [
  { on: 'global', name: ['Math.random', 'crypto.randomUUID', 'crypto.getRandomValues', 'globalThis.crypto.randomUUID', 'globalThis.crypto.getRandomValues', 'self.crypto.randomUUID', 'window.crypto.randomUUID', 'Symbol'], does: { kind: 'fresh', source: 'random' } },
  { on: 'global', name: ['Date.now', 'performance.now', 'globalThis.performance.now', 'process.hrtime', 'process.hrtime.bigint', 'process.uptime'], does: { kind: 'fresh', source: 'clock' } },
  { on: 'global', name: 'Date', when: [{ count: 0 }], does: { kind: 'fresh', source: 'clock' } },
  { on: 'global', name: 'Date', does: { kind: 'derives', from: arg(0) } },
];

const http = requestCalls(
  'global',
  ['fetch', 'globalThis.fetch', 'window.fetch'],
  { options: 1, url: arg(0), body: arg(1, 'body') },
  {
    timeout: [{ at: arg(1, 'signal'), unit: 'ms' }],
    count: { path: ['ok'], also: [['status'], ['statusText']], miss: false, note: 'fetch never throws on 412: look at `ok` or `status`' },
  },
);

export default library({
  key: 'javascript',
  packages: [],
  title: 'JavaScript',
  family: 'language',
  calls: [
    ...timers,
    ...promises,
    ...callbacks,
    ...values,
    ...fresh,
    ...http,
    { on: 'global', name: ['process.exit', 'process.abort', 'process.reallyExit'], does: { kind: 'exit' } },
    {
      on: 'global',
      name: ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table', 'group', 'groupEnd', 'time', 'timeEnd', 'timeLog', 'assert', 'count'].map((name) => `console.${name}`),
      does: { kind: 'log' },
    },
    { on: 'global', name: 'Reflect.apply', does: { kind: 'calls', body: arg(0), when: 'now', answers: 'body' } },
  ],
  facts: [
    '`forEach` drops the promises of an async callback: the section does not wait for them.',
    '`Promise.race` does not stop the loser: its work goes on after the race, and after a release.',
    '`fetch` resolves on 412 Precondition Failed: a refused `If-Match` shows only in `ok` and `status`.',
    '`PUT`, `PATCH` and `DELETE` over HTTP are durable writes; `POST` is a call that cannot be taken back.',
  ],
});
