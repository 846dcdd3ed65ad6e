/**
 * Prisma's client is generated from a project's schema. This is what it generates for one model, in
 * the shape of 6.19, with as much of its generics as the fixtures need.
 */
declare module '@prisma/client' {
  import type { Sql } from '@prisma/client/runtime/library';

  interface Order {
    id: string;
    state: string;
    token: number;
  }
  interface OrderWhere {
    id?: string;
    state?: string;
    token?: number | { lt?: number; lte?: number };
  }
  type OrderData = Partial<Order>;

  interface PrismaPromise<T> extends Promise<T> {
    [Symbol.toStringTag]: 'PrismaPromise';
  }

  interface OrderDelegate {
    update(args: { where: OrderWhere; data: OrderData }): PrismaPromise<Order>;
    updateMany(args: { where?: OrderWhere; data: OrderData }): PrismaPromise<{ count: number }>;
    updateManyAndReturn(args: { where?: OrderWhere; data: OrderData }): PrismaPromise<Order[]>;
    upsert(args: { where: OrderWhere; create: OrderData; update: OrderData }): PrismaPromise<Order>;
    delete(args: { where: OrderWhere }): PrismaPromise<Order>;
    deleteMany(args?: { where?: OrderWhere }): PrismaPromise<{ count: number }>;
    create(args: { data: OrderData }): PrismaPromise<Order>;
    createMany(args: { data: OrderData[]; skipDuplicates?: boolean }): PrismaPromise<{ count: number }>;
    createManyAndReturn(args: { data: OrderData[] }): PrismaPromise<Order[]>;
    findUnique(args: { where: OrderWhere }): PrismaPromise<Order | null>;
  }

  export class PrismaClient {
    readonly order: OrderDelegate;
    $extends(extension: object): PrismaClient;
    $executeRaw(query: TemplateStringsArray | Sql, ...values: unknown[]): PrismaPromise<number>;
    $executeRawUnsafe(query: string, ...values: unknown[]): PrismaPromise<number>;
    $queryRaw<T = unknown>(query: TemplateStringsArray | Sql, ...values: unknown[]): PrismaPromise<T>;
    $queryRawUnsafe<T = unknown>(query: string, ...values: unknown[]): PrismaPromise<T>;
    $transaction<T>(statements: PrismaPromise<T>[], options?: { isolationLevel?: Prisma.TransactionIsolationLevel }): Promise<T[]>;
    $transaction<T>(body: (tx: Prisma.TransactionClient) => Promise<T>, options?: { timeout?: number; isolationLevel?: Prisma.TransactionIsolationLevel }): Promise<T>;
    $disconnect(): Promise<void>;
  }

  export namespace Prisma {
    type TransactionClient = Omit<PrismaClient, '$transaction' | '$disconnect' | '$extends'>;
    const TransactionIsolationLevel: { Serializable: 'Serializable'; RepeatableRead: 'RepeatableRead'; ReadCommitted: 'ReadCommitted' };
    type TransactionIsolationLevel = 'Serializable' | 'RepeatableRead' | 'ReadCommitted';
    function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql;
    function raw(text: string): Sql;
  }
}
