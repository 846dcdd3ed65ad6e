/**
 * What a path without or with another extension means, told from the names in its folder: one look at a
 * folder answers for every import that leads into it. What only a full resolution can tell is left to it.
 */
import { readdirSync, type Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';

type Kind = 'file' | 'folder' | 'other';

/** A written `.js` names the `.ts` that it is made from. */
const written: Record<string, readonly string[]> = { '.js': ['.ts', '.tsx', '.js', '.jsx'], '.mjs': ['.mts', '.mjs'], '.cjs': ['.cts', '.cjs'], '.jsx': ['.tsx', '.jsx'] };

export class FolderListings {
  private readonly listings = new Map<string, Map<string, Kind> | undefined>();
  private readonly found = new Map<string, string | null | undefined>();

  /** `extensions` in the order in which they are tried. */
  constructor(private readonly extensions: readonly string[]) {}

  clear(): void {
    this.listings.clear();
    this.found.clear();
  }

  /**
   * The file that an absolute path without its extension, or the path of a folder, stands for; `null` where
   * there is none; undefined where links or a manifest in the folder decide.
   */
  find(path: string): string | null | undefined {
    if (this.found.has(path)) return this.found.get(path);
    const found = this.look(path);
    this.found.set(path, found);
    return found;
  }

  private look(path: string): string | null | undefined {
    const listing = this.of(dirname(path));
    const name = basename(path);
    // Whether the folder itself is reached by a link is not in its listing.
    if (!listing) return null;
    const dot = name.lastIndexOf('.');
    const tried = [...(written[name.slice(dot)]?.map((it) => name.slice(0, dot) + it) ?? [name]), ...this.extensions.map((it) => name + it)];
    for (const it of tried) {
      const kind = listing.get(it);
      if (kind === 'other') return undefined;
      if (kind === 'file') return join(dirname(path), it);
    }
    const folder = listing.get(name);
    if (folder !== 'folder') return folder === undefined ? null : undefined;
    const inside = this.of(path);
    if (!inside || inside.has('package.json')) return undefined;
    const index = this.extensions.map((it) => `index${it}`).find((it) => inside.has(it));
    if (index === undefined) return null;
    return inside.get(index) === 'file' ? join(path, index) : undefined;
  }

  private of(folder: string): Map<string, Kind> | undefined {
    if (this.listings.has(folder)) return this.listings.get(folder);
    let listing: Map<string, Kind> | undefined;
    try {
      listing = new Map(readdirSync(folder, { withFileTypes: true }).map((it) => [it.name, kindOf(it)]));
    } catch {
      // There is no such folder, or it may not be read.
    }
    this.listings.set(folder, listing);
    return listing;
  }
}

const kindOf = (entry: Dirent): Kind => (entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other');
