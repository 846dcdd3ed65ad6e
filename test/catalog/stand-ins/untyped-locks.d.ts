/** Lock libraries that ship no types; what their sources and readme promise. */
declare module 'redis-lock' {
  type Done = () => Promise<void>;
  interface Lock {
    (name: string, timeout?: number): Promise<Done>;
    (name: string, body: (done: Done) => void): void;
    (name: string, timeout: number, body: (done: Done) => void): void;
  }
  export default function redisLock(client: unknown, retryDelay?: number): Lock;
}

declare module 'ioredis-lock' {
  type Answered = (error?: Error | null) => void;
  export interface Lock {
    acquire(key: string): Promise<void>;
    acquire(key: string, answered: Answered): void;
    release(): Promise<void>;
    release(answered: Answered): void;
    extend(milliseconds: number): Promise<void>;
    extend(milliseconds: number, answered: Answered): void;
  }
  export function createLock(client: unknown, options?: { timeout?: number; retries?: number; delay?: number }): Lock;
}

declare module '@microfleet/ioredis-lock' {
  export class Lock {
    acquire(key: string): Promise<this>;
    release(): Promise<this>;
    extend(milliseconds?: number): Promise<this>;
  }
  export function createLock(client: unknown, options?: { timeout?: number; retries?: number; delay?: number }): Lock;
}

declare module 'ioredfour' {
  interface Lock {
    id: string;
    success: boolean;
    index: number;
  }
  export default class Locks {
    constructor(options: { redis: unknown; namespace: string });
    acquireLock(id: string, milliseconds: number): Promise<Lock>;
    acquireLock(id: string, milliseconds: number, answered: (error: Error | null, lock: Lock) => void): void;
    waitAcquireLock(id: string, milliseconds: number, wait: number): Promise<Lock>;
    releaseLock(lock: Lock): Promise<{ success: boolean }>;
    extendLock(lock: Lock, milliseconds: number): Promise<{ success: boolean }>;
  }
}

declare module 'node-redis-warlock' {
  type Unlock = (answered?: (error: Error | null) => void) => void;
  interface Warlock {
    lock(key: string, milliseconds: number, answered: (error: Error | null, unlock: Unlock | false, id: string) => void): string;
    optimistic(key: string, milliseconds: number, options: { maxAttempts: number; wait: number }, answered: (error: Error | null, unlock: Unlock) => void): void;
    unlock(key: string, id: string, answered: (error: Error | null, count: number) => void): void;
    touch(key: string, id: string, milliseconds: number, answered: (error: Error | null, reply: unknown) => void): void;
  }
  export default function warlock(client: unknown): Warlock;
}

declare module 'dynamodb-lock-client' {
  import type { EventEmitter } from 'node:events';
  interface Settings {
    dynamodb: unknown;
    lockTable: string;
    partitionKey: string;
    acquirePeriodMs: number;
    retryCount?: number;
  }
  export class Lock extends EventEmitter {
    fencingToken?: number;
    release(answered: (error?: Error) => void): void;
  }
  export class FailOpen {
    constructor(settings: Settings & { leaseDurationMs: number; heartbeatPeriodMs?: number });
    acquireLock(id: string, answered: (error: Error | undefined, lock: Lock) => void): void;
  }
  export class FailClosed {
    constructor(settings: Settings);
    acquireLock(id: string, answered: (error: Error | undefined, lock: Lock) => void): void;
  }
}
