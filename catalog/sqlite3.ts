/**
 * sqlite3 (callbacks) and sqlite (promises over it). Facts from the types of sqlite3 6.0 and sqlite
 * 5.1. One connection.
 */
import { arg, ctor, exported, library, rest, type Call, type Count, type Sql, type TypeId } from './schema.ts';

const CALLBACK = 'sqlite3:Database';
const PROMISED = 'sqlite3:PromisedDatabase';

const count: Count = { path: ['changes'], miss: 0, note: 'sqlite3 tells it as `this.changes` in a `function` callback: an arrow function does not see it' };

function calls(on: TypeId, statement: TypeId): readonly Call[] {
  const delivery = on === CALLBACK ? ({ callback: 'last', returns: { of: 'object' } } as const) : undefined;
  const sql = (text: Sql['text'], from: number, answer: Partial<Sql>): Sql => ({
    kind: 'sql',
    text,
    params: rest(from),
    paramStyle: 'spread',
    connection: 'single',
    dialect: 'sqlite',
    ...answer,
  });
  return [
    { on, name: 'run', does: sql(arg(0), 1, { count }), delivery },
    { on, name: 'get', does: sql(arg(0), 1, { row: [] }), delivery },
    { on, name: ['all', 'each'], does: sql(arg(0), 1, { rows: [] }), delivery },
    { on, name: 'exec', does: { kind: 'sql', text: arg(0), connection: 'single', dialect: 'sqlite' }, delivery },
    { on, name: 'prepare', does: { kind: 'sql', text: arg(0), prepares: statement, connection: 'single', dialect: 'sqlite' }, answers: statement },
    { on, name: 'close', does: { kind: 'disconnect', how: 'end' }, delivery },
    { on: statement, name: 'run', does: sql(ctor(0), 0, { count }), delivery },
    { on: statement, name: 'get', does: sql(ctor(0), 0, { row: [] }), delivery },
    { on: statement, name: ['all', 'each'], does: sql(ctor(0), 0, { rows: [] }), delivery },
  ];
}

export default library({
  key: 'sqlite3',
  packages: ['sqlite3', 'sqlite', '@vscode/sqlite3'],
  title: 'sqlite3, sqlite',
  family: 'store',
  coordinator: 'machine',
  obtain: [
    { type: CALLBACK, by: 'new', name: exported('Database'), from: ['sqlite3', '@vscode/sqlite3'] },
    { type: CALLBACK, by: 'call', name: exported('cached.Database'), from: ['sqlite3', '@vscode/sqlite3'] },
    { type: CALLBACK, by: 'annotation', name: exported('Database'), from: ['sqlite3', '@vscode/sqlite3'] },
    { type: PROMISED, by: 'call', name: exported('open'), from: 'sqlite' },
    { type: PROMISED, by: 'annotation', name: exported('Database'), from: 'sqlite' },
  ],
  calls: [
    ...calls(CALLBACK, 'sqlite3:Statement'),
    { on: CALLBACK, name: ['serialize', 'parallelize'], does: { kind: 'calls', body: arg(0), when: 'now', answers: 'other' } },
    ...calls(PROMISED, 'sqlite3:PromisedStatement'),
  ],
  facts: [
    'sqlite3 tells the number of rows as `this.changes`, in a callback written with `function`.',
    'sqlite answers `{ changes }` by promise.',
    'The file is the coordinator: every instance must open that same file.',
  ],
});
