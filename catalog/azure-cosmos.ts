/** Azure Cosmos DB. Facts from the types of @azure/cosmos 4. */
import { arg, exported, library, type ArgPath } from './schema.ts';

const CLIENT = 'azure-cosmos:Client';
const DATABASE = 'azure-cosmos:Database';
const CONTAINER = 'azure-cosmos:Container';
const ITEMS = 'azure-cosmos:Items';
const ITEM = 'azure-cosmos:Item';

const refused = 'a condition that fails throws, code 412';
const accessCondition = (options: number): readonly ArgPath[] => [arg(options, 'accessCondition')];

export default library({
  key: 'azure-cosmos',
  packages: ['@azure/cosmos'],
  title: 'Azure Cosmos DB',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'new', name: exported('CosmosClient') },
    { type: CLIENT, by: 'annotation', name: 'CosmosClient' },
    { type: DATABASE, by: 'method', name: 'database', of: CLIENT },
    { type: DATABASE, by: 'annotation', name: 'Database' },
    { type: CONTAINER, by: 'method', name: 'container', of: DATABASE },
    { type: CONTAINER, by: 'annotation', name: 'Container' },
    { type: ITEMS, by: 'property', name: 'items', of: CONTAINER },
    { type: ITEM, by: 'method', name: 'item', of: CONTAINER },
    { type: ITEM, by: 'annotation', name: 'Item' },
  ],
  calls: [
    { on: ITEM, name: 'replace', does: { kind: 'write', op: 'replace', target: { receiver: true }, data: arg(0), fence: accessCondition(1), throwsOnMiss: true }, note: refused },
    {
      on: ITEM,
      name: 'patch',
      does: { kind: 'write', op: 'update', target: { receiver: true }, data: arg(0), fence: [arg(0, 'condition'), ...accessCondition(1)], throwsOnMiss: true },
      note: refused,
    },
    { on: ITEM, name: 'delete', does: { kind: 'write', op: 'delete', target: { receiver: true }, fence: accessCondition(0), throwsOnMiss: true }, note: refused },
    { on: ITEM, name: 'read', does: { kind: 'read', target: { receiver: true } } },
    { on: ITEMS, name: 'upsert', does: { kind: 'write', op: 'upsert', target: { property: 1 }, data: arg(0), fence: accessCondition(1), throwsOnMiss: true }, note: refused },
    {
      on: ITEMS,
      name: 'create',
      does: { kind: 'write', op: 'insert', target: { property: 1 }, data: arg(0), fence: [arg(0, 'id')], throwsOnMiss: true },
      note: 'throws, code 409, where the id is taken',
    },
    { on: ITEMS, name: ['query', 'readAll'], does: { kind: 'read', target: { property: 1 } } },
  ],
  facts: [
    'The fence is `accessCondition: { type: \'IfMatch\', condition: etag }`, or `condition` in a patch; a miss throws, code 412.',
    'An id can be created once: `items.create` throws, code 409.',
  ],
});
