/** Where a framework looks for what it puts in reach by the folder of its class, as the specifiers of imports that nobody wrote. */
import type { Library } from '../catalog/schema.ts';

export type FolderRow = NonNullable<Library['folders']>[number];

/** What a text seems to reach in this way: specifiers that may name no file. */
export function specifiersByFolder(file: string, text: string, rows: readonly FolderRow[]): string[] {
  return rows.flatMap((row) => {
    if (!text.includes(`${row.property}.`) || base(file, row.below) === undefined) return [];
    const found = [...new Set([...text.matchAll(new RegExp(`(?<![\\w$])${row.property}\\.(\\w+)(?:\\.(\\w+))?`, 'g'))].map(([, first, second]) => `${first}/${second ?? ''}`))];
    return found.flatMap((it) => {
      const [first, second] = it.split('/');
      return [...specifiersOf(file, row, [first!]), ...(second ? specifiersOf(file, row, [first!, second]) : [])];
    });
  });
}

/** The way from a file up to the folder that holds the framework's folders. */
function base(file: string, below: string): string | undefined {
  const parts = file.split(/[\\/]/);
  const index = parts.lastIndexOf(below, parts.length - 2);
  return index < 0 ? undefined : '../'.repeat(parts.length - 2 - index) || './';
}

/** A property in camel case is a file in any case. */
export function specifiersOf(file: string, row: Omit<FolderRow, 'property'>, names: readonly string[]): string[] {
  const up = base(file, row.below);
  if (up === undefined) return [];
  const path = names.join('/');
  const cased = (mark: string): string => path.replace(/(?<=[a-z0-9])[A-Z]/g, (it) => mark + it.toLowerCase());
  return [...new Set([path, cased('_'), cased('-')])].map((it) => `${up}${row.folder}/${it}`);
}
