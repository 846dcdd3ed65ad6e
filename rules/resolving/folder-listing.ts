/**
 * What a path without or with another extension means, told from the names in its folder: one look at a
 * folder answers for every import that leads into it. What only a full resolution can tell is left to it.
 */
import { readdirSync, type Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';

type Kind = 'file' | 'folder' | 'other';

interface Listing {
  kinds: Map<string, Kind>;
  /** By name without extension: the name that is tried first. */
  stems: Map<string, string>;
}

/** A written `.js` names the `.ts` that it is made from. */
const written: Record<string, readonly string[]> = { '.js': ['.ts', '.tsx', '.js', '.jsx'], '.mjs': ['.mts', '.mjs'], '.cjs': ['.cts', '.cjs'], '.jsx': ['.tsx', '.jsx'] };

export class FolderListings {
  private readonly listings = new Map<string, Listing | undefined>();
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
    let found = this.found.get(path);
    if (found === undefined && !this.found.has(path)) this.found.set(path, (found = this.look(path)));
    return found;
  }

  private look(path: string): string | null | undefined {
    const folder = dirname(path);
    const listing = this.of(folder);
    // Whether the folder itself is reached by a link is not in its listing.
    if (!listing) return null;
    const name = basename(path);
    const dot = name.lastIndexOf('.');
    const ofWritten = dot > 0 ? written[name.slice(dot)]?.map((it) => name.slice(0, dot) + it).find((it) => isFile(listing.kinds.get(it))) : undefined;
    const named = ofWritten ?? (isFile(listing.kinds.get(name)) ? name : listing.stems.get(name));
    if (named !== undefined) return listing.kinds.get(named) === 'file' ? join(folder, named) : undefined;
    const kind = listing.kinds.get(name);
    if (kind !== 'folder') return kind === undefined ? null : undefined;
    const inside = this.of(path);
    if (!inside || inside.kinds.has('package.json')) return undefined;
    const index = inside.stems.get('index');
    if (index === undefined) return null;
    return inside.kinds.get(index) === 'file' ? join(path, index) : undefined;
  }

  private of(folder: string): Listing | undefined {
    if (this.listings.has(folder)) return this.listings.get(folder);
    let listing: Listing | undefined;
    try {
      listing = this.listed(readdirSync(folder, { withFileTypes: true }));
    } catch {
      // There is no such folder, or it may not be read.
    }
    this.listings.set(folder, listing);
    return listing;
  }

  private listed(entries: readonly Dirent[]): Listing {
    const kinds = new Map(entries.map((it) => [it.name, kindOf(it)]));
    const stems = new Map<string, string>();
    const rank = (name: string): number => this.extensions.indexOf(name.slice(name.lastIndexOf('.')));
    for (const [name, kind] of kinds) {
      if (kind === 'folder' || rank(name) < 0) continue;
      const stem = name.slice(0, name.lastIndexOf('.'));
      const other = stems.get(stem);
      if (other === undefined || rank(name) < rank(other)) stems.set(stem, name);
    }
    return { kinds, stems };
  }
}

/** A link may lead to one. */
const isFile = (kind: Kind | undefined): boolean => kind === 'file' || kind === 'other';
const kindOf = (entry: Dirent): Kind => (entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other');
