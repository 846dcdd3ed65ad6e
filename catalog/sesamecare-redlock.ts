/**
 * @sesamecare-oss/redlock 1, which has the surface of redlock 5 under a named export. Facts from the
 * package's own types and source; measured on 1.4.0: a refused acquire, and the time left after retries.
 */
import { library } from './schema.ts';
import { fiveCalls, fiveObtain, fiveStates, fiveTokens } from './redlock.ts';

export default library({
  key: 'sesamecare-redlock',
  packages: ['@sesamecare-oss/redlock'],
  title: '@sesamecare-oss/redlock',
  family: 'lock',
  coordinator: 'timing',
  token: 'none: its owner value is random',
  obtain: fiveObtain('sesamecare-redlock', ['Redlock', 'default.Redlock']),
  calls: fiveCalls('sesamecare-redlock'),
  tokens: fiveTokens('sesamecare-redlock'),
  states: fiveStates('sesamecare-redlock'),
  facts: [
    'Lease lengths are whole milliseconds; there is no default. Keys are an array.',
    'A refused acquire throws ExecutionError after the retries.',
    'The release compares the owner and throws when the lock had been lost. `extend` answers a new handle and spends the old one.',
    '`using` prolongs the lease while its body runs and hands it an abort signal.',
    'It needs ioredis. There is no token: `value` is random.',
  ],
});
