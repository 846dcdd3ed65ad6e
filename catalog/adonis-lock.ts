/**
 * @adonisjs/lock 1 and 2, which hands out the locks of @verrou/core. Facts from the package's own types.
 */
import { library } from './schema.ts';
import { verrouCalls, verrouObtain } from './verrou.ts';

const FACTORY = 'adonis-lock:Factory';

export default library({
  key: 'adonis-lock',
  packages: ['@adonisjs/lock', '@adonisjs/lock/*'],
  title: '@adonisjs/lock',
  family: 'lock',
  token: 'none: its owner value is random',
  obtain: [
    { type: FACTORY, by: 'value', name: 'default', from: '@adonisjs/lock/services/main' },
    { type: FACTORY, by: 'annotation', name: 'LockService' },
    ...verrouObtain('adonis-lock'),
  ],
  calls: verrouCalls('adonis-lock'),
  facts: ['The service\'s `createLock(name, ttl)` gives locks of @verrou/core: numbers are milliseconds, not seconds, and null means no end.'],
});
