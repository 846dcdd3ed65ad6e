/**
 * BullMQ 4 to 6. Facts from the package's own types and source; measured on 5: `extendLock` of a lost
 * lock, and `attemptsStarted` of a job that ran twice.
 *
 * A worker takes and renews the lock of a job by itself, and retries are part of its contract: a
 * processor is not a critical section here. The rows serve code that handles the lock by hand.
 */
import { arg, is, library } from './schema.ts';

const WORKER = 'bullmq:Worker';
const QUEUE = 'bullmq:Queue';
const JOB = 'bullmq:Job';
const TOKEN = 'bullmq:Token';

const owner = 'names the holder, worker and counter: it has no order among holders';

export default library({
  key: 'bullmq',
  packages: ['bullmq'],
  title: 'BullMQ',
  family: 'lock',
  coordinator: 'timing',
  token: '`attemptsStarted` orders the runs of one job; the token is random',
  obtain: [
    { type: WORKER, by: 'new', name: 'Worker' },
    { type: WORKER, by: 'annotation', name: 'Worker' },
    { type: QUEUE, by: 'new', name: ['Queue', 'FlowProducer', 'QueueEvents'] },
    { type: QUEUE, by: 'annotation', name: ['Queue', 'FlowProducer', 'QueueEvents'] },
    { type: JOB, by: 'annotation', name: ['Job', 'SandboxedJob'] },
    { type: JOB, by: 'method', name: 'getNextJob', of: WORKER },
    { type: JOB, by: 'method', name: ['add', 'getJob'], of: QUEUE },
    { type: 'ioredis:Client', by: 'property', name: 'client', of: QUEUE },
    { type: 'ioredis:Client', by: 'property', name: 'client', of: WORKER },
  ],
  calls: [
    {
      on: 'module',
      name: 'Worker',
      does: { kind: 'calls', body: arg(1), when: 'later', types: [JOB, TOKEN] },
    },
    {
      on: JOB,
      name: 'extendLock',
      does: { kind: 'renew', ownerChecked: true, lease: [{ at: arg(1), unit: 'ms' }], done: is(1), lost: is(0) },
    },
  ],
  tokens: [
    { of: TOKEN, path: [], sound: false, why: owner },
    { of: JOB, path: ['token'], sound: false, why: owner },
    { of: JOB, path: ['attemptsStarted'], sound: true, why: 'raised on the server each time the job is started; it orders the runs of one job' },
  ],
  facts: [
    'A job\'s lock counts milliseconds (`lockDuration`, 30,000 by default) and is renewed by the worker at half of it.',
    'A stalled job is run again while the first run may still go on.',
    '`extendLock(token, duration)` compares the token and answers 0, without throwing, when the lock had been lost; `moveToCompleted` and its kin throw.',
    'The token names the holder and has no order. `job.attemptsStarted` (from 5 on) orders the runs of one job.',
  ],
});
