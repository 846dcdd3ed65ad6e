/** The packages with the surface of `fetch`: node-fetch, undici, cross-fetch and others. Facts from the types of node-fetch 3 and undici 8. */
import { arg, exported, library, type Count, type Lease } from './schema.ts';
import { requestCalls } from './http-requests.ts';

const at = { options: 1, url: arg(0), body: arg(1, 'body') };
const timeout: readonly Lease[] = [
  { at: arg(1, 'signal'), unit: 'ms' },
  { at: arg(1, 'timeout'), unit: 'ms' },
];
const count: Count = { path: ['ok'], also: [['status'], ['statusText']], miss: false, note: 'fetch never throws on 412: look at `ok` or `status`' };

export default library({
  key: 'fetch',
  packages: ['node-fetch', 'undici', 'cross-fetch', 'isomorphic-fetch', 'isomorphic-unfetch', 'make-fetch-happen', 'fetch-retry', '@whatwg-node/fetch'],
  title: 'fetch packages',
  family: 'service',
  calls: [
    ...requestCalls('module', ['default', ...exported('fetch')], at, { timeout, count }),
    ...requestCalls('module', exported('request'), at, {
      from: 'undici',
      timeout: [{ at: arg(1, 'bodyTimeout'), unit: 'ms' }, { at: arg(1, 'headersTimeout'), unit: 'ms' }, ...timeout],
      count: { path: ['statusCode'], miss: 412 },
    }),
  ],
  facts: ['`fetch` resolves on 412 Precondition Failed: a refused `If-Match` shows only in `ok` and `status`.', 'The `request` of undici does not throw either: look at `statusCode`.'],
});
