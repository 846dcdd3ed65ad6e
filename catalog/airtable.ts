/** Airtable (`airtable`). Facts from the types and sources of 0.12. */
import { arg, constant, exported, library, type Call } from './schema.ts';

const CLIENT = 'airtable:Client';
const BASE = 'airtable:Base';
const TABLE = 'airtable:Table';

const tables: readonly Call[] = [
  { on: TABLE, name: 'create', does: { kind: 'write', op: 'insert', target: { receiver: true }, data: arg(0) }, delivery: { callback: 'last' } },
  {
    on: TABLE,
    name: ['update', 'replace'],
    when: [{ has: arg(1, 'performUpsert') }],
    does: { kind: 'write', op: 'upsert', target: { receiver: true }, data: arg(0), fence: [constant('records are merged on a natural key')] },
    delivery: { callback: 'last' },
  },
  { on: TABLE, name: ['update', 'replace'], when: [{ sort: arg(0), of: 'array' }], does: { kind: 'write', op: 'update', target: { receiver: true }, throwsOnMiss: true }, delivery: { callback: 'last' } },
  { on: TABLE, name: ['update', 'replace'], does: { kind: 'write', op: 'update', target: { receiver: true }, filter: arg(0), data: arg(1), throwsOnMiss: true }, delivery: { callback: 'last' } },
  { on: TABLE, name: 'destroy', does: { kind: 'write', op: 'delete', target: { receiver: true }, filter: arg(0), throwsOnMiss: true }, delivery: { callback: 'last' } },
  { on: TABLE, name: ['select', 'find'], does: { kind: 'read', target: { receiver: true } } },
];

export default library({
  key: 'airtable',
  packages: ['airtable'],
  title: 'Airtable',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'new', name: ['default', ...exported('Airtable')] },
    { type: CLIENT, by: 'annotation', name: ['default', ...exported('Airtable')] },
    { type: BASE, by: 'call', name: ['base', 'default.base'] },
    { type: BASE, by: 'method', name: 'base', of: CLIENT },
    { type: BASE, by: 'annotation', name: ['AirtableBase', 'Base', 'default.Base'] },
    { type: TABLE, by: 'call', name: '()', of: BASE },
    { type: TABLE, by: 'method', name: 'table', of: BASE },
    { type: TABLE, by: 'annotation', name: ['Table', 'default.Table'] },
  ],
  calls: tables,
  facts: [
    'Records have no version and no condition: an update names the record and overwrites its fields, whoever has changed them since.',
    'With `performUpsert` records are merged on the fields that it names; a record that is missing without it throws NOT_FOUND.',
  ],
});
