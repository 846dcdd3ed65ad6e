/** Stripe. Facts from the types and source of stripe 23. */
import { arg, exported, library } from './schema.ts';

const CLIENT = 'stripe:Client';
const RESOURCE = 'stripe:Resource';

const key = [arg(2, 'idempotencyKey'), arg(1, 'idempotencyKey')];

export default library({
  key: 'stripe',
  packages: ['stripe'],
  title: 'Stripe',
  family: 'service',
  obtain: [
    { type: CLIENT, by: 'new', name: ['default', ...exported('Stripe')] },
    { type: CLIENT, by: 'call', name: 'default' },
    { type: CLIENT, by: 'annotation', name: ['default', ...exported('Stripe')] },
    { type: RESOURCE, by: 'property', name: '*', of: CLIENT },
    { type: RESOURCE, by: 'property', name: '*', of: RESOURCE },
  ],
  calls: [
    {
      on: RESOURCE,
      name: [
        'create', 'update', 'del', 'cancel', 'capture', 'confirm', 'pay', 'refund', 'reverse', 'approve', 'decline', 'reject', 'release', 'attach', 'detach', 'close', 'resume', 'migrate', 'expire',
        'finalizeInvoice', 'sendInvoice', 'voidInvoice', 'markUncollectible', 'finalizeQuote', 'accept', 'voidCreditNote', 'addLines', 'updateLines', 'removeLines', 'createReversal', 'createRefund', 'createSource',
        'createBalanceTransaction', 'createUsageRecord', 'incrementAuthorization', 'applyCustomerBalance', 'attachPayment', 'deleteDiscount', 'deauthorize',
      ],
      does: { kind: 'external', service: 'payment', idempotencyKey: key },
      timeout: [{ at: arg(2, 'timeout'), unit: 'ms' }, { at: arg(1, 'timeout'), unit: 'ms' }],
    },
    { on: RESOURCE, name: ['retrieve', 'list', 'search', 'listLineItems'], does: { kind: 'read', target: { receiver: true } } },
  ],
  facts: [
    'A payment has no fence: only an `idempotencyKey` made from the work, not from the attempt, keeps two holders from charging twice.',
    'The key stands in the options behind the parameters: `create(params, { idempotencyKey })`, `capture(id, params, { idempotencyKey })`.',
    'The key that the SDK adds by itself serves its own retries only: two processes get two keys.',
  ],
});
