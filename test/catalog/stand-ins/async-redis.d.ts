/** async-redis and promise-redis ship no types: as much of them as their READMEs show. */
declare module 'async-redis' {
  type Command = (...args: (string | number)[]) => Promise<unknown>;
  export interface AsyncRedis {
    set: Command;
    msetnx: Command;
    del: Command;
    send_command: Command;
    multi(): Batch;
  }
  export interface Batch {
    set(...args: (string | number)[]): Batch;
    msetnx(...args: (string | number)[]): Batch;
    exec(): Promise<unknown[]>;
  }
  export function createClient(): AsyncRedis;
  export function decorate(client: object): AsyncRedis;
}

declare module 'promise-redis' {
  export default function promiseRedis(): { createClient(): import('async-redis').AsyncRedis };
}
