/** axios, and Nest's HttpService over it. Facts from the types and source of axios 1.21. */
import { arg, ctor, exported, library, type Lease } from './schema.ts';
import { requestCalls, requestMethods } from './http-requests.ts';

const INSTANCE = 'axios:Instance';

const timeout = (options: number): readonly Lease[] => [
  { at: arg(options, 'timeout'), unit: 'ms' },
  { at: arg(options, 'signal'), unit: 'ms' },
  { at: ctor(0, 'timeout'), unit: 'ms' },
];

export default library({
  key: 'axios',
  packages: ['axios', '@nestjs/axios'],
  title: 'axios',
  family: 'service',
  obtain: [
    { type: INSTANCE, by: 'value', name: ['default', ...exported('axios')] },
    { type: INSTANCE, by: 'call', name: [...exported('create'), 'axios.create'] },
    { type: INSTANCE, by: 'new', name: exported('Axios') },
    { type: INSTANCE, by: 'annotation', name: [...exported('AxiosInstance', 'AxiosStatic', 'Axios'), 'HttpService'] },
    { type: INSTANCE, by: 'property', name: 'axiosRef', of: INSTANCE },
    { type: INSTANCE, by: 'method', name: 'create', of: INSTANCE },
  ],
  calls: [
    ...requestMethods({ on: INSTANCE, options: { withBody: 2, without: 1 }, body: arg(1), timeout, throwsOnMiss: true }),
    ...requestCalls(INSTANCE, ['()', 'request'], { options: 0, url: arg(0, 'url'), body: arg(0, 'data') }, { timeout: timeout(0), throwsOnMiss: true }),
  ],
  facts: [
    'A refused `If-Match` (412) throws AxiosError, as every answer outside of 200 to 299 does; `validateStatus` can change that.',
    '`put`, `patch` and `delete` are durable writes; `post` is a call that cannot be taken back and needs an idempotency key.',
  ],
});
