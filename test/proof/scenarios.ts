/** The ways in which a lock is lost or left, each played with two or three instances of one program. */
import { Instance, type Outcome } from './instance.ts';
import type { StoreName } from './store-names.ts';
import type { Stores } from './stores.ts';

/** A program on its servers. */
export interface Stage {
  program: string;
  stores: Stores;
  on: readonly StoreName[];
}

/** What came of it: what the store holds, and what the callers have learnt. */
export type Facts = Record<string, string>;

export interface Scenario {
  /** In one sentence, for people. */
  says: string;
  play(stage: Stage): Promise<Facts>;
}

/** Ends before a process could be started twice, or never within a proof. */
const short = '400';
const endless = '600000';

const start = ({ program, stores, on }: Stage, value: string, leaseMs: string): Instance => new Instance(program, value, { ...stores.environment(on), LEASE_MS: leaseMs });

/** Starts an instance again and again until the lock is granted to it: the lease before has ended then. */
async function untilGranted(stage: Stage, value: string, leaseMs: string): Promise<Instance> {
  for (let left = 60; ; left--) {
    const it = start(stage, value, leaseMs);
    const refused = await it.reachesPause().then(
      () => undefined,
      (error: Error) => error,
    );
    if (!refused) return it;
    if (left === 0 || !refused.message.includes('is locked')) throw refused;
  }
}

/** The first holder, stopped at its pause past the end of its lease, with the word to go on already sent. */
async function stoppedHolder(stage: Stage): Promise<Instance> {
  const first = start(stage, 'A', short);
  await first.reachesPause();
  await first.stop();
  first.goOn();
  return first;
}

const said = (outcome: Outcome): string => (outcome.kind === 'failed' ? `learns: ${outcome.message}` : outcome.kind === 'done' ? 'learns nothing' : 'killed');

const body = ({ stores, on }: Stage): Promise<string> => stores.body(on);

/** The stale holder's write after the next holder's. */
const staleWrite: Scenario = {
  says: 'A is stopped past the end of its lease between its acquire and its write; B takes the lock, writes and gives it back; A is woken and writes.',
  async play(stage) {
    const first = await stoppedHolder(stage);
    const second = await untilGranted(stage, 'B', endless);
    second.goOn();
    const b = await second.outcome;
    const between = await body(stage);
    first.wake();
    const a = await first.outcome;
    return { 'after B': between, B: said(b), 'after A': await body(stage), A: said(a) };
  },
};

/** The stale holder gives back a lock that is not its own. */
const foreignRelease: Scenario = {
  says: 'A is stopped past the end of its lease; B takes the lock and is at work; A is woken and gives back; C asks for the lock.',
  async play(stage) {
    const first = await stoppedHolder(stage);
    const second = await untilGranted(stage, 'B', endless);
    first.wake();
    const a = await first.outcome;
    const third = start(stage, 'C', endless);
    const c = await third.reachesPause().then(
      () => 'is let in beside B',
      () => 'is refused',
    );
    await third.kill();
    second.goOn();
    return { A: said(a), C: c, B: said(await second.outcome) };
  },
};

/** The stale holder prolongs a lease that is not its own. */
const foreignRenewal: Scenario = {
  says: 'A is stopped past the end of its lease; B takes the lock; A is woken and renews for an hour; the end of B\'s lease is looked at.',
  async play(stage) {
    const first = await stoppedHolder(stage);
    const second = await untilGranted(stage, 'B', endless);
    first.wake();
    const a = await first.outcome;
    const left = await stage.stores.redis.pttl('lock:report');
    second.goOn();
    await second.outcome;
    return { A: said(a), 'lease of B': left > Number(endless) ? 'prolonged by A' : 'as B took it' };
  },
};

/** A holder that crashes. */
const crash: Scenario = {
  says: 'A takes the lock and is killed; B asks for the lock until it is granted, or can never be.',
  async play(stage) {
    const first = start(stage, 'A', short);
    await first.reachesPause();
    await first.kill();
    if ((await stage.stores.redis.pttl('lock:report')) === -1) return { lock: 'stays for ever' } as Facts;
    const second = await untilGranted(stage, 'B', endless);
    second.goOn();
    second.goOn();
    return { lock: 'ends by itself', B: said(await second.outcome) };
  },
};

/** Somebody who comes while the lock is held. */
const refusedCaller: Scenario = {
  says: 'B holds the lock; A asks for it and is refused; then C asks for it.',
  async play(stage) {
    const second = start(stage, 'B', endless);
    await second.reachesPause();
    const first = start(stage, 'A', endless);
    const reached = await first.reachesPause().then(
      () => 'goes on without the lock',
      () => 'is sent away',
    );
    if (reached === 'goes on without the lock') first.goOn();
    const a = await first.outcome;
    const third = start(stage, 'C', endless);
    const c = await third.reachesPause().then(
      () => 'is let in beside B',
      () => 'is refused',
    );
    await third.kill();
    second.goOn();
    await second.outcome;
    return { A: `${reached}, ${said(a)}`, C: c };
  },
};

/** Two who look before either sets. */
const bothLook: Scenario = {
  says: 'A and B look whether the lock is free, then A takes it, and then B.',
  async play(stage) {
    const [first, second] = [start(stage, 'A', endless), start(stage, 'B', endless)];
    await Promise.all([first.reachesPause(), second.reachesPause()]);
    first.goOn();
    await first.reachesPause(2);
    second.goOn();
    const b = await second.reachesPause(2).then(
      () => 'is let in beside A',
      () => 'is sent away',
    );
    first.goOn();
    return { A: said(await first.outcome), B: b };
  },
};

/** A holder whose work throws. */
const failingWork: Scenario = {
  says: 'A takes the lock, and its work throws; then B asks for the lock.',
  async play(stage) {
    const first = start(stage, 'A', endless);
    await first.reachesPause();
    first.goOn();
    const a = await first.outcome;
    const second = start(stage, 'B', endless);
    const b = await second.reachesPause().then(
      () => 'is let in',
      () => 'is refused: the lock stays taken',
    );
    return { A: said(a), B: b };
  },
};

/** How long a lease is that should be four seconds. */
const leaseLength: Scenario = {
  says: 'A takes the lock for 4000 milliseconds, and the server is asked how long that is.',
  async play(stage) {
    await start(stage, 'A', '4000').reachesPause();
    const left = await stage.stores.redis.pttl('lock:report');
    return { lease: left > 3_600_000 ? 'more than an hour' : left > 0 && left <= 4_000 ? 'four seconds' : `${left} ms` };
  },
};

/** A write that the database keeps waiting. */
const slowWrite: Scenario = {
  says: 'The row is locked in the database, so that A\'s write has to wait; meanwhile B asks for the lock.',
  async play(stage) {
    const { stores, on } = stage;
    const free = await stores.holdRow(on);
    const first = start(stage, 'A', endless);
    await first.reachesPause();
    first.goOn();
    await stores.waitingWrite(on);
    let b = 'is refused as long as A writes';
    for (let left = 3; left > 0 && b !== 'is let in while A writes'; left--) {
      await start(stage, 'B', endless).reachesPause().then(
        () => (b = 'is let in while A writes'),
        () => undefined,
      );
    }
    await free();
    return { B: b, A: said(await first.outcome) };
  },
};

/** What is left of a lock in the database when its user has gone on. */
const lockLeft: Scenario = {
  says: 'A runs to its end; its pool is still there, and the database is asked for the locks that are held.',
  async play(stage) {
    const first = start(stage, 'A', endless);
    await first.reachesPause();
    first.goOn();
    const a = await first.outcome;
    const [row] = await stage.stores.query(stage.on, "SELECT count(*) AS held FROM pg_locks WHERE locktype = 'advisory'");
    return { A: said(a), lock: Number(row!.held) > 0 ? 'stays with a connection of the pool' : 'has ended with the transaction' };
  },
};

export const scenarios = { staleWrite, foreignRelease, foreignRenewal, crash, refusedCaller, bothLook, failingWork, leaseLength, slowWrite, lockLeft };
export type ScenarioName = keyof typeof scenarios;
