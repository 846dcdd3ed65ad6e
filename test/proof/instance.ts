/** Instances of a program as a proof drives them: started, stopped by the system, woken, killed, and asked how they ended. */
import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
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
  private pauses = 0;
  private readonly waiting: (() => void)[] = [];

  /** Starts `run(value, pause)` of a built program. `environment` is all that it is told of the servers. */
  constructor(program: string, readonly value: string, environment: Record<string, string>) {
    this.process = fork(runner, [pathToFileURL(program).href, value], { env: { PATH: process.env.PATH, NODE_NO_WARNINGS: '1', ...environment }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    alive.add(this.process);
    this.outcome = new Promise((resolve) => {
      this.process.on('message', (message: Message) => {
        if (message.kind !== 'paused') return resolve(message);
        this.pauses++;
        this.waiting.forEach((it) => it());
      });
      this.process.once('exit', () => {
        alive.delete(this.process);
        resolve({ kind: 'killed' });
      });
    });
  }

  /** Waits until the program has reached its pause; the first one, or a later one by its number. Rejects when it ended before. */
  reachesPause(number = 1): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (this.pauses >= number) resolve();
      };
      this.waiting.push(look);
      look();
      void this.outcome.then((it) => reject(new Error(`${this.value} ended before its pause: ${it.kind === 'failed' ? it.message : it.kind}`)));
    });
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

  /** Ends every instance that still runs. */
  static endAll(): void {
    alive.forEach((it) => it.kill('SIGKILL'));
  }

  /** Ends the process as a crash does: nothing of the program runs any more. */
  async kill(): Promise<void> {
    const ended = this.process.exitCode === null && this.process.signalCode === null ? once(this.process, 'exit') : undefined;
    this.process.kill('SIGKILL');
    await ended;
  }
}

/** The state of a process in one letter, as the system says it: `T` is stopped. */
function stateOf(pid: number): string {
  const file = `/proc/${pid}/stat`;
  if (existsSync(file)) return readFileSync(file, 'utf8').replace(/^.*\) /, '')[0]!;
  return spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim()[0] ?? '';
}
