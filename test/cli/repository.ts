/** A git repository of the test's own, and what is committed to it. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { folderWith } from './run.ts';

export interface Repository {
  folder: string;
  /** Writes files; `null` removes one. */
  write(files: Record<string, string | null>): void;
  git(...words: string[]): string;
  commit(message: string): void;
}

export function repositoryWith(files: Record<string, string>): Repository {
  const folder = folderWith(files);
  const git = (...words: string[]): string => execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false', '-c', 'init.defaultBranch=main', ...words], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const commit = (message: string): void => {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '-m', message);
  };
  git('init', '--quiet');
  commit('The beginning');
  return {
    folder,
    git,
    commit,
    write(changed) {
      for (const [name, text] of Object.entries(changed)) {
        if (text === null) rmSync(join(folder, name));
        else {
          mkdirSync(dirname(join(folder, name)), { recursive: true });
          writeFileSync(join(folder, name), text);
        }
      }
    },
  };
}
