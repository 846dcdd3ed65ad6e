/**
 * async-lock 1: locks of one process. Facts from the package's own types (`@types/async-lock`).
 */
import { arg, library, type Acquire } from './schema.ts';

const LOCK = 'async-lock:Lock';

const acquire = { kind: 'acquire', key: arg(0), lock: 'local', granted: { of: 'unknown' }, refused: 'waits', body: arg(1) } as const satisfies Acquire;

export default library({
  key: 'async-lock',
  packages: ['async-lock'],
  title: 'async-lock',
  family: 'lock',
  coordinator: 'process',
  obtain: [
    { type: LOCK, by: 'new', name: ['default', 'default.default'] },
    { type: LOCK, by: 'annotation', name: 'default' },
  ],
  calls: [
    { on: LOCK, name: 'acquire', when: [{ has: arg(2, 'timeout') }], does: { ...acquire, refused: 'throws' } },
    { on: LOCK, name: 'acquire', does: acquire },
    { on: LOCK, name: 'isBusy', does: { kind: 'holds' } },
  ],
  facts: [
    'The lock lives in one process: other instances of a service are not kept out.',
    '`acquire(key, body)` runs the body while it holds the lock and answers its result; with `timeout` it throws.',
  ],
});
