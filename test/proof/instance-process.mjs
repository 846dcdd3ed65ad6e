/**
 * One instance of a program, in a process of its own, which the test can really stop. It runs the
 * program's `run(value, pause)` and tells the test when it has reached a pause and how it ended; then
 * it stays, with its connections, until it is killed.
 */
import process from 'node:process';

const [, , program, value] = process.argv;

/** Words to go on that nobody has waited for yet: what is said to a stopped process waits in the pipe. */
let words = 0;
let waiting;
process.on('message', () => {
  words++;
  waiting?.();
});

const pause = async () => {
  process.send({ kind: 'paused' });
  while (words === 0) await new Promise((resolve) => (waiting = resolve));
  words--;
};

try {
  const { run } = await import(program);
  await run(value, pause);
  process.send({ kind: 'done' });
} catch (error) {
  // The kind of an error says more than some services do.
  process.send({ kind: 'failed', message: error instanceof Error && error.name === 'Error' ? error.message : String(error) });
}
