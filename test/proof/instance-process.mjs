/**
 * One instance of a program, in a process of its own, which the test can really stop. It runs the
 * program's `run(value, pause)` and tells the test when it has reached its pause and how it ended.
 */
import process from 'node:process';

const [, , program, value] = process.argv;

/** Resolves once the test says so; what is said while the process is stopped waits in the pipe. */
const told = (word) =>
  new Promise((resolve) => {
    const listen = (message) => {
      if (message !== word) return;
      process.off('message', listen);
      resolve();
    };
    process.on('message', listen);
  });

const pause = async () => {
  const goOn = told('go on');
  process.send({ kind: 'paused' });
  await goOn;
};

const end = (message) => process.send(message, () => process.exit(0));

try {
  const { run } = await import(program);
  await run(value, pause);
  end({ kind: 'done' });
} catch (error) {
  end({ kind: 'failed', message: String(error?.message ?? error) });
}
