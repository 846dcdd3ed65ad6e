/** The surface of Bun's own module that the fixture calls: its types come with the runtime, and would change the globals of all others. */
declare module 'bun:sqlite' {
  export interface Changes {
    changes: number;
    lastInsertRowid: number | bigint;
  }

  export class Statement<Row = unknown> {
    run(...params: unknown[]): Changes;
    get(...params: unknown[]): Row | null;
    all(...params: unknown[]): Row[];
    iterate(...params: unknown[]): IterableIterator<Row>;
    values(...params: unknown[]): unknown[][];
    as<T>(type: new () => T): Statement<T>;
  }

  export class Database {
    constructor(file?: string);
    query<Row = unknown>(text: string): Statement<Row>;
    prepare<Row = unknown>(text: string): Statement<Row>;
    run(text: string, ...params: unknown[]): Changes;
    exec(text: string, ...params: unknown[]): Changes;
    transaction<A extends unknown[], T>(body: (...args: A) => T): ((...args: A) => T) & Record<'deferred' | 'immediate' | 'exclusive', (...args: A) => T>;
    close(): void;
  }

  export default Database;
}
