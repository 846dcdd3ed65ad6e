/**
 * Bull 4. Facts from the package's own types and source (4.16).
 *
 * As with BullMQ, the queue takes and renews a job's lock by itself: a processor is not a critical
 * section here.
 */
import { arg, exported, is, last, library, self } from './schema.ts';

const QUEUE = 'bull:Queue';
const JOB = 'bull:Job';

export default library({
  key: 'bull',
  packages: ['bull'],
  title: 'Bull',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: the token of a job is random',
  obtain: [
    { type: QUEUE, by: 'new', name: 'default' },
    { type: QUEUE, by: 'call', name: 'default' },
    { type: QUEUE, by: 'annotation', name: ['default', ...exported('Queue')] },
    { type: JOB, by: 'annotation', name: exported('Job') },
    { type: JOB, by: 'method', name: ['add', 'getJob', 'getNextJob'], of: QUEUE },
    { type: 'ioredis:Client', by: 'property', name: ['client', 'eclient', 'bclient'], of: QUEUE },
  ],
  calls: [
    { on: QUEUE, name: 'process', does: { kind: 'calls', body: last, when: 'later', types: [JOB] } },
    {
      on: JOB,
      name: 'takeLock',
      does: { kind: 'acquire', key: self('id'), lock: 'lease', granted: { of: 'number' }, refused: is(false) },
    },
    { on: JOB, name: 'releaseLock', does: { kind: 'release', key: self('id'), ownerChecked: true, lost: 'throws' } },
    {
      on: JOB,
      name: 'extendLock',
      does: { kind: 'renew', key: self('id'), ownerChecked: true, lease: [{ at: arg(0), unit: 'ms' }], done: { of: 'number' }, lost: { of: 'unknown' } },
    },
  ],
  facts: [
    'A job\'s lock counts milliseconds (`lockDuration`, 30,000 by default) and is renewed by the queue at half of it.',
    '`takeLock` answers false when refused; `releaseLock` compares the owner and throws when the lock had been lost.',
    '`extendLock(duration)` takes no token, unlike BullMQ\'s. There is no number that orders the runs of a job.',
  ],
});
