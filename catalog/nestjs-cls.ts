/** Transactions of @nestjs-cls/transactional, which work over any store. Facts from its types. */
import { arg, last, library } from './schema.ts';

const HOST = 'nestjs-cls:TransactionHost';

export default library({
  key: 'nestjs-cls',
  packages: ['@nestjs-cls/transactional'],
  title: 'nestjs-cls transactions',
  family: 'store',
  obtain: [
    { type: HOST, by: 'annotation', name: 'TransactionHost' },
    { type: HOST, by: 'decorator', name: 'InjectTransactionHost' },
    { type: 'shapes-sql:Transaction', by: 'property', name: 'tx', of: HOST },
    { type: 'shapes-sql:Transaction', by: 'decorator', name: 'InjectTransaction' },
  ],
  calls: [
    { on: HOST, name: 'withTransaction', does: { kind: 'transaction', body: last, isolation: arg(0, 'isolationLevel'), ambient: true } },
    { on: HOST, name: 'withoutTransaction', does: { kind: 'calls', body: arg(0), when: 'now', answers: 'body' } },
  ],
  decorators: [{ name: 'Transactional', does: { kind: 'transaction', isolation: arg(0, 'isolationLevel'), ambient: true } }],
  facts: ['`@Transactional()` opens the transaction around the method: a lock that is released inside of it is released before the commit.'],
});
