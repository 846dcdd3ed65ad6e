/** Instances of a program as a proof drives them: started, stopped by the system, woken, killed, and asked how they ended. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** How a run ended: it returned, or it threw and its caller has learnt of it. */
export type Outcome = { kind: 'done' } | { kind: 'failed'; message: string } | { kind: 'killed' };

type Message = { kind: 'paused' } | Outcome;

const runner = fileURLToPath(new URL('instance-process.mjs', import.meta.url));
const alive = new Set<ChildProcess>();
process.once('exit', () => alive.forEach((it) => it.kill('SIGKILL')));

export class Instance {
  private readonly process: ChildProcess;
  /** Resolves with the end of the run. */
  readonly outcome: Promise<Outcome>;
  private readonly paused: Promise<void>;

  /** Starts `run(value, pause)` of a built program. `environment` is all that it is told of the servers. */
  constructor(program: string, readonly value: string, environment: Record<string, string>) {
    this.process = fork(runner, [pathToFileURL(program).href, value], { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    alive.add(this.process);
    const messages: ((message: Message) => void)[] = [];
    this.process.on('message', (message) => messages.forEach((it) => it(message as Message)));
    this.outcome = new Promise((resolve) => {
      messages.push((message) => message.kind !== 'paused' && resolve(message));
      this.process.once('exit', () => {
        alive.delete(this.process);
        resolve({ kind: 'killed' });
      });
    });
    this.paused = new Promise((resolve, reject) => {
      messages.push((message) => {
        if (message.kind === 'paused') resolve();
      });
      void this.outcome.then((it) => reject(new Error(`${value} ended before its pause: ${it.kind === 'failed' ? it.message : it.kind}`)));
    });
    this.paused.catch(() => {});
  }

  /** Waits until the program has reached its pause. Rejects when it ended before. */
  reachesPause(): Promise<void> {
    return this.paused;
  }

  /** Stops the process, and sees that the system has done so: not one instruction of it runs until `wake`. */
  async stop(): Promise<void> {
    this.process.kill('SIGSTOP');
    for (let left = 200; stateOf(this.process.pid!) !== 'T'; left--) {
      if (left === 0) throw new Error(`${this.value} was not stopped.`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  wake(): void {
    this.process.kill('SIGCONT');
  }

  /** Lets the program leave its pause; a stopped one reads this when it is woken. */
  goOn(): void {
    this.process.send('go on');
  }

  /** Ends the process as a crash does: nothing of the program runs any more. */
  async kill(): Promise<void> {
    const ended = this.process.exitCode === null && this.process.signalCode === null ? once(this.process, 'exit') : undefined;
    this.process.kill('SIGKILL');
    await ended;
  }
}

/** The state of a process in one letter, as the system says it: `T` is stopped. */
const stateOf = (pid: number): string => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '')[0]!;
