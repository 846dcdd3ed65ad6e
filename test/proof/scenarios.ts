/** The ways in which a lock is lost or left, each played with two or three instances of one program. */
import { Instance, type Outcome } from './instance.ts';
import type { StoreName, Stores } from './stores.ts';

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

async function body({ stores, on }: Stage): Promise<string> {
  return String((await stores.query(on, 'SELECT body FROM reports WHERE id = 1'))[0]!.body);
}

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
  says: 'A is stopped past the end of its lease; B takes the lock; A is woken and renews for an hour; the end of B’s lease is looked at.',
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

export const scenarios = { staleWrite, foreignRelease, foreignRenewal, crash, refusedCaller };
export type ScenarioName = keyof typeof scenarios;
