/**
 * Egg: its loader makes an object of every class below `app/service` and puts it under the path of its
 * file, in camel case: `ctx.service.stockLock` is `app/service/stock_lock.js`. Facts from the
 * documentation of Egg 3, "Service" and "Loader".
 */
import { library } from './schema.ts';

export default library({
  key: 'egg',
  packages: ['egg'],
  title: 'Egg',
  family: 'language',
  calls: [],
  folders: [{ property: 'service', folder: 'service', below: 'app' }],
  facts: ['What `ctx.service.lock` or `this.service.lock` does is read in `app/service/lock.js` (or `.ts`).'],
});
