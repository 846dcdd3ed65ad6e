/** How far a run is, on a terminal and nowhere else: a log that grows by a line for each file is read by nobody. */

export interface Progress {
  tell(text: string): void;
  /** Takes the line away. */
  end(): void;
}

/** Milliseconds between two lines. */
const pace = 80;

export function progressOn(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): Progress {
  let told = 0;
  let isShown = false;
  if (!stream.isTTY || environment.CI || environment.TERM === 'dumb') return { tell() {}, end() {} };
  return {
    tell(text) {
      const now = performance.now();
      if (now - told < pace) return;
      told = now;
      isShown = true;
      stream.write(`\r\u001b[K${text.slice(0, (stream.columns || 80) - 1)}`);
    },
    end() {
      if (isShown) stream.write('\r\u001b[K');
      isShown = false;
    },
  };
}
