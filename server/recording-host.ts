/** A module host that remembers which files an analysis asked for: they are what its answer depends on. */
import type { ModuleHost } from '../model/host.ts';

export interface Dependencies {
  /** Every file that was read, or would have been if it existed. */
  files: ReadonlySet<string>;
  /** Some import of the project's own could not be found, so that a new file may change the answer. */
  missing: boolean;
}

/** Wraps `host`; `dependencies` is filled while the wrapped host is used. */
export function recordingHost(host: ModuleHost): { host: ModuleHost; dependencies: Dependencies } {
  const files = new Set<string>();
  const dependencies = { files, missing: false };
  return {
    dependencies,
    host: {
      parsesLike: host.parsesLike,
      resolve(from, specifier) {
        const file = host.resolve(from, specifier);
        if (file !== undefined) files.add(file);
        // A bare specifier may be a workspace package or a path alias, but is nearly always from node_modules.
        else if (specifier.startsWith('.')) dependencies.missing = true;
        return file;
      },
      read(file) {
        files.add(file);
        return host.read(file);
      },
      beside(file) {
        // A file that is put there may change the answer.
        dependencies.missing = true;
        return host.beside?.(file) ?? [];
      },
      parse: (file, source) => host.parse(file, source),
      packageRange: (from, name) => host.packageRange(from, name),
    },
  };
}
