/** got, ky and ofetch: clients that throw on an answer that is not successful. Facts from the types of got 11 to 16 and ky 1 and 2. */
import { arg, exported, library, type Lease } from './schema.ts';
import { requestCalls, requestMethods } from './http-requests.ts';

const CLIENT = 'got:Client';

const timeout = (options: number): readonly Lease[] => [
  { at: arg(options, 'timeout', 'request'), unit: 'ms' },
  { at: arg(options, 'timeout'), unit: 'ms' },
  { at: arg(options, 'signal'), unit: 'ms' },
];

export default library({
  key: 'got',
  packages: ['got', 'ky', 'ky-universal', 'ofetch'],
  title: 'got, ky, ofetch',
  family: 'service',
  obtain: [
    { type: CLIENT, by: 'value', name: ['default', ...exported('got', 'ofetch', '$fetch')] },
    { type: CLIENT, by: 'call', name: exported('extend', 'create', 'got.extend', 'ofetch.create') },
    { type: CLIENT, by: 'method', name: ['extend', 'create'], of: CLIENT },
    { type: CLIENT, by: 'annotation', name: ['Got', 'KyInstance', '$Fetch'] },
  ],
  calls: [
    ...requestMethods({ on: CLIENT, options: { withBody: 1, without: 1 }, body: arg(1, 'json'), timeout, throwsOnMiss: true }),
    ...requestCalls(CLIENT, '()', { options: 1, url: arg(0), body: arg(1, 'json') }, { timeout: timeout(1), throwsOnMiss: true }),
  ],
  facts: [
    'A refused `If-Match` (412) throws HTTPError.',
    'got and ky repeat PUT and DELETE by themselves: without an idempotency key or a fence the write may happen twice.',
  ],
});
