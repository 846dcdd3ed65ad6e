/** tedious (SQL Server). Facts from the types of tedious 19. A request carries its text and parameters to the connection. */
import { arg, exported, library } from './schema.ts';

const CONNECTION = 'tedious:Connection';
const REQUEST = 'tedious:Request';

export default library({
  key: 'tedious',
  packages: ['tedious'],
  title: 'tedious (SQL Server)',
  family: 'store',
  obtain: [
    { type: CONNECTION, by: 'new', name: exported('Connection') },
    { type: CONNECTION, by: 'annotation', name: exported('Connection') },
    { type: REQUEST, by: 'new', name: exported('Request') },
    { type: REQUEST, by: 'annotation', name: exported('Request') },
  ],
  calls: [
    { on: REQUEST, name: 'addParameter', does: { kind: 'build', bind: { name: arg(0), value: arg(2) } }, answers: REQUEST },
    {
      on: CONNECTION,
      name: ['execSql', 'execSqlBatch', 'execBulkLoad'],
      does: { kind: 'sql', text: { arg: 0, built: 0 }, paramStyle: 'named', connection: 'single', dialect: 'mssql' },
      note: 'the number of rows is the second argument of the callback that the request was made with',
    },
    { on: CONNECTION, name: 'callProcedure', does: { kind: 'sql', text: { arg: 0, built: 0 }, procedure: true, paramStyle: 'named', connection: 'single', dialect: 'mssql' } },
    { on: CONNECTION, name: 'beginTransaction', does: { kind: 'transaction', step: 'begin' }, delivery: { callback: 0 } },
    { on: CONNECTION, name: 'commitTransaction', does: { kind: 'transaction', step: 'commit' }, delivery: { callback: 0 } },
    { on: CONNECTION, name: 'rollbackTransaction', does: { kind: 'transaction', step: 'rollback' }, delivery: { callback: 0 } },
    { on: CONNECTION, name: 'close', does: { kind: 'disconnect', how: 'end' } },
  ],
  facts: ['A connection is one session: an application lock with the session as its owner stays where it was taken.', 'The callback of a request gets `(error, rowCount)`.'],
});
