/** Cassandra and Scylla (`cassandra-driver`). Facts from the types of 4. A condition is written in CQL, after `IF`. */
import { arg, exported, library } from './schema.ts';

const CLIENT = 'cassandra:Client';

export default library({
  key: 'cassandra',
  packages: ['cassandra-driver'],
  title: 'Cassandra',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'new', name: exported('Client') },
    { type: CLIENT, by: 'annotation', name: exported('Client') },
  ],
  calls: [
    {
      on: CLIENT,
      name: 'execute',
      does: { kind: 'sql', text: arg(0), params: arg(1), connection: 'pool', dialect: 'cql', count: { path: ['rows', '0', '[applied]'], also: [['wasApplied']], miss: false }, rows: ['rows'] },
      delivery: { callback: 'last' },
      timeout: [{ at: arg(2, 'readTimeout'), unit: 'ms' }],
    },
    {
      on: CLIENT,
      name: 'batch',
      does: { kind: 'sql', text: { arg: 0, each: ['query'] }, params: { arg: 0, each: ['params'] }, connection: 'pool', dialect: 'cql', count: { path: ['rows', '0', '[applied]'], also: [['wasApplied']], miss: false } },
      delivery: { callback: 'last' },
    },
    { on: CLIENT, name: 'shutdown', does: { kind: 'disconnect', how: 'end' }, delivery: { callback: 'last' } },
  ],
  facts: [
    'The fence is `UPDATE … IF version = ?`, a lightweight transaction; `result.wasApplied()` tells the refusal, nothing throws.',
    'An UPDATE without `IF` also inserts.',
  ],
});
