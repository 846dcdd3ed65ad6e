/** ClickHouse (`@clickhouse/client`). Facts from the types of 1. */
import { arg, exported, library } from './schema.ts';

const CLIENT = 'clickhouse:Client';

export default library({
  key: 'clickhouse',
  packages: ['@clickhouse/client', '@clickhouse/client-web'],
  title: 'ClickHouse',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'call', name: exported('createClient') },
    { type: CLIENT, by: 'annotation', name: ['ClickHouseClient', 'NodeClickHouseClient'] },
  ],
  calls: [
    { on: CLIENT, name: 'insert', does: { kind: 'write', op: 'insert', target: arg(0, 'table'), data: arg(0, 'values'), fence: [arg(0, 'clickhouse_settings', 'insert_deduplication_token')] } },
    { on: CLIENT, name: ['command', 'exec'], does: { kind: 'sql', text: arg(0, 'query'), params: arg(0, 'query_params'), paramStyle: 'named', connection: 'pool' } },
    { on: CLIENT, name: 'query', does: { kind: 'sql', text: arg(0, 'query'), params: arg(0, 'query_params'), paramStyle: 'named', connection: 'pool' } },
    { on: CLIENT, name: 'close', does: { kind: 'disconnect', how: 'end' } },
  ],
  facts: ['Writes are appended; an `ALTER … UPDATE` cannot be fenced and answers no count. `insert_deduplication_token` removes a repeated insert.'],
});
