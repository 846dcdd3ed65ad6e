/** A map with so much room and no more: what was used longest ago goes first. */
export class Recent<Key, Value> {
  private readonly entries = new Map<Key, { value: Value; size: number }>();
  private total = 0;

  /** `room` is in whatever unit the sizes are. */
  constructor(private readonly room: number) {}

  /** Counts as a use. */
  get(key: Key): Value | undefined {
    const it = this.entries.get(key);
    if (!it) return undefined;
    this.entries.delete(key);
    this.entries.set(key, it);
    return it.value;
  }

  /** The newest entry stays, however large it is. */
  set(key: Key, value: Value, size: number): void {
    this.delete(key);
    this.entries.set(key, { value, size });
    this.total += size;
    for (const [oldest] of this.entries) {
      if (this.total <= this.room || oldest === key) break;
      this.delete(oldest);
    }
  }

  delete(key: Key): void {
    this.total -= this.entries.get(key)?.size ?? 0;
    this.entries.delete(key);
  }

  clear(): void {
    this.entries.clear();
    this.total = 0;
  }
}
