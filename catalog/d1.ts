/** Cloudflare D1. Facts from `@cloudflare/workers-types` 4 and Cloudflare's documentation. */
import { arg, configured, library, type Call, type Sql } from './schema.ts';

const DATABASE = 'd1:Database';
const STATEMENT = 'd1:Statement';

const sent = (answer: Partial<Sql>): Sql => ({
  kind: 'sql',
  text: configured('text'),
  params: configured('params'),
  paramStyle: 'list',
  connection: 'pool',
  dialect: 'sqlite',
  ...answer,
});

const statements: readonly Call[] = [
  { on: STATEMENT, name: 'bind', does: { kind: 'build', configure: { params: { rest: 0 } } }, answers: STATEMENT },
  { on: STATEMENT, name: ['run', 'all'], does: sent({ count: { path: ['meta', 'changes'], miss: 0 }, rows: ['results'] }) },
  { on: STATEMENT, name: 'first', does: sent({ row: [] }) },
  { on: STATEMENT, name: 'raw', does: sent({ rows: [] }) },
];

export default library({
  key: 'd1',
  packages: ['@cloudflare/workers-types', '@cloudflare/workers-types/*', 'cloudflare:workers'],
  title: 'Cloudflare D1',
  family: 'store',
  mentions: ['D1Database'],
  obtain: [
    { type: DATABASE, by: 'annotation', name: ['D1Database', 'D1DatabaseSession'], anywhere: true },
    { type: DATABASE, by: 'method', name: 'withSession', of: DATABASE },
    { type: STATEMENT, by: 'annotation', name: 'D1PreparedStatement', anywhere: true },
  ],
  calls: [
    { on: DATABASE, name: 'prepare', does: { kind: 'build', configure: { text: arg(0) } }, answers: STATEMENT },
    { on: DATABASE, name: 'exec', does: { kind: 'sql', text: arg(0), connection: 'pool', dialect: 'sqlite' }, note: '`exec` tells how many statements ran, not how many rows it touched' },
    { on: DATABASE, name: 'batch', does: { kind: 'transaction', statements: arg(0), isolation: { constant: 'serializable' } } },
    ...statements,
  ],
  facts: [
    '`meta.changes === 0` is the refusal of a fenced write.',
    '`batch` runs its statements in one transaction; there is no other transaction, and no session.',
  ],
});
