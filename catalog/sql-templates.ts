/** Tags that make a statement of text and values for another client: sql-template-strings, sql-template-tag, @nearform/sql. Facts from the packages' types. */
import { arg, library } from './schema.ts';

const SQL = 'sql-templates:Sql';

export default library({
  key: 'sql-templates',
  packages: ['sql-template-strings', 'sql-template-tag', '@nearform/sql', 'sql-tag'],
  title: 'SQL template tags',
  family: 'language',
  calls: [
    {
      on: 'module',
      name: ['default', 'SQL', 'sql', 'default.SQL', 'default.default'],
      does: { kind: 'sql', text: { template: true }, prepares: SQL, connection: 'receiver' },
      answers: SQL,
    },
    { on: 'module', name: ['raw', 'default.raw'], does: { kind: 'sql', text: arg(0), prepares: SQL, connection: 'receiver' }, answers: SQL },
    { on: SQL, name: 'append', does: { kind: 'append', text: arg(0) }, answers: SQL },
  ],
  facts: ['The tag only makes the statement; the call that is given it sends it.'],
});
