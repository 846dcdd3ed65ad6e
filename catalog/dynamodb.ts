/**
 * Amazon DynamoDB: `@aws-sdk/lib-dynamodb`, `@aws-sdk/client-dynamodb` and the DocumentClient of
 * aws-sdk 2. Facts from the types of 3.1169 and 2.1693. A command object is the call: `send` only
 * carries it.
 */
import { arg, exported, library, type ArgPath, type Call, type ExpressionForm, type Write } from './schema.ts';

const DOCUMENT = 'dynamodb:Document';
const CLIENT = 'dynamodb:Client';
const DOCUMENT2 = 'dynamodb:Document2';

const condition = {
  text: arg(0, 'ConditionExpression'),
  values: arg(0, 'ExpressionAttributeValues'),
  names: arg(0, 'ExpressionAttributeNames'),
};

const refused = 'a condition that fails throws ConditionalCheckFailedException';
const unconditional = 'BatchWriteItem takes no condition';

/** What the plain client wraps each value in. */
const wrappers = ['S', 'N', 'B', 'BOOL', 'NULL', 'SS', 'NS', 'BS', 'L', 'M'];

const write = (op: Write['op'], more: Partial<Write>): Write => ({
  kind: 'write',
  op,
  wrappers,
  target: arg(0, 'TableName'),
  expression: condition,
  fence: [arg(0, 'Expected')],
  throwsOnMiss: true,
  ...more,
});

const put = write('replace', { data: arg(0, 'Item') });
const update = write('update', { filter: arg(0, 'Key'), data: arg(0, 'UpdateExpression') });
const remove = write('delete', { filter: arg(0, 'Key') });

/** The writes of a transaction, element by element: all of them happen, or none. */
function transacted(): readonly Write[] {
  const each = (...path: string[]): ArgPath => ({ arg: 0, path: ['TransactItems'], each: path });
  const element = (name: 'Put' | 'Update' | 'Delete', op: Write['op'], more: Partial<Write>): Write => ({
    kind: 'write',
    op,
    target: each(name, 'TableName'),
    expression: {
      text: each(name, 'ConditionExpression'),
      values: each(name, 'ExpressionAttributeValues'),
      names: each(name, 'ExpressionAttributeNames'),
    },
    throwsOnMiss: true,
    wrappers,
    ...more,
  });
  return [
    element('Put', 'replace', { data: each('Put', 'Item') }),
    element('Update', 'update', { filter: each('Update', 'Key'), data: each('Update', 'UpdateExpression') }),
    element('Delete', 'delete', { filter: each('Delete', 'Key') }),
  ];
}

const cancelled = 'a condition that fails throws TransactionCanceledException; `ClientRequestToken` is idempotency for ten minutes, not a fence';

/** The same calls under the names of commands, or of methods. */
function calls(on: Call['on'], names: Record<'put' | 'update' | 'remove' | 'get' | 'query' | 'batch' | 'transact' | 'statement', readonly string[]>): readonly Call[] {
  const delivery = on === 'module' ? undefined : ({ callback: 'last' } as const);
  return [
    { on, name: names.put, does: put, delivery, note: refused },
    { on, name: names.update, does: update, delivery, note: `${refused}; without one the item is created where it is missing` },
    { on, name: names.remove, does: remove, delivery, note: refused },
    { on, name: names.batch, does: { kind: 'write', op: 'replace', data: arg(0, 'RequestItems') }, delivery, note: unconditional },
    { on, name: names.transact, does: [{ kind: 'transaction', statements: arg(0, 'TransactItems') }, ...transacted()], delivery, note: cancelled },
    { on, name: names.get, does: { kind: 'read', target: arg(0, 'TableName'), filter: arg(0, 'Key') }, delivery },
    { on, name: names.query, does: { kind: 'read', target: arg(0, 'TableName'), filter: arg(0, 'KeyConditionExpression') }, delivery },
    { on, name: names.statement, does: { kind: 'sql', text: arg(0, 'Statement'), params: arg(0, 'Parameters'), connection: 'pool' }, delivery },
  ];
}

const commands = calls('module', {
  put: exported('PutCommand', 'PutItemCommand'),
  update: exported('UpdateCommand', 'UpdateItemCommand'),
  remove: exported('DeleteCommand', 'DeleteItemCommand'),
  get: exported('GetCommand', 'GetItemCommand', 'BatchGetCommand', 'BatchGetItemCommand', 'TransactGetCommand', 'TransactGetItemsCommand'),
  query: exported('QueryCommand', 'ScanCommand'),
  batch: exported('BatchWriteCommand', 'BatchWriteItemCommand'),
  transact: exported('TransactWriteCommand', 'TransactWriteItemsCommand'),
  statement: exported('ExecuteStatementCommand'),
});

const methods = (on: string): readonly Call[] =>
  calls(on, {
    put: ['put', 'putItem'],
    update: ['update', 'updateItem'],
    remove: ['delete', 'deleteItem'],
    get: ['get', 'getItem', 'batchGet', 'batchGetItem', 'transactGet', 'transactGetItems'],
    query: ['query', 'scan'],
    batch: ['batchWrite', 'batchWriteItem'],
    transact: ['transactWrite', 'transactWriteItems'],
    statement: ['executeStatement'],
  });

/** How edits write conditions; the plain client wants its values wrapped in their types. */
function expressions(on: ExpressionForm['on'], names: Record<'put' | 'update' | 'remove', string[]>, wraps: Pick<ExpressionForm, 'number' | 'text'> = {}): readonly ExpressionForm[] {
  const common = {
    on,
    condition: 'ConditionExpression',
    values: 'ExpressionAttributeValues',
    names: 'ExpressionAttributeNames',
    below: 'attribute_not_exists({column}) OR {column} < {value}',
    notAbove: 'attribute_not_exists({column}) OR {column} <= {value}',
    equals: '{column} = {value}',
    refused: 'ConditionalCheckFailedException',
    ...wraps,
  };
  return [
    { ...common, name: names.update, update: 'UpdateExpression' },
    { ...common, name: names.put, item: 'Item' },
    { ...common, name: names.remove },
  ];
}

export default library({
  key: 'dynamodb',
  packages: ['@aws-sdk/lib-dynamodb', '@aws-sdk/client-dynamodb', 'aws-sdk', 'aws-sdk/clients/dynamodb'],
  title: 'Amazon DynamoDB',
  family: 'store',
  token: 'a counter in the same item, raised by the write that takes the lock',
  obtain: [
    { type: CLIENT, by: 'new', name: exported('DynamoDBClient') },
    { type: CLIENT, by: 'call', name: exported('DynamoDBDocumentClient.from') },
    { type: CLIENT, by: 'annotation', name: exported('DynamoDBClient', 'DynamoDBDocumentClient') },
    { type: DOCUMENT, by: 'call', name: exported('DynamoDBDocument.from') },
    { type: DOCUMENT, by: 'new', name: exported('DynamoDB'), from: '@aws-sdk/client-dynamodb' },
    { type: DOCUMENT, by: 'annotation', name: exported('DynamoDBDocument') },
    { type: DOCUMENT2, by: 'new', name: exported('DynamoDB.DocumentClient', 'DynamoDB', 'DocumentClient'), from: ['aws-sdk', 'aws-sdk/clients/dynamodb'] },
    { type: DOCUMENT2, by: 'annotation', name: exported('DynamoDB.DocumentClient', 'DynamoDB', 'DocumentClient'), from: ['aws-sdk', 'aws-sdk/clients/dynamodb'] },
  ],
  calls: [...commands, ...methods(DOCUMENT), ...methods(DOCUMENT2)],
  expiryOptions: ['TimeToLiveSpecification', 'timeToLiveAttribute'],
  edits: {
    expressions: [
      ...expressions('module', { put: ['PutCommand'], update: ['UpdateCommand'], remove: ['DeleteCommand'] }),
      ...expressions('module', { put: ['PutItemCommand'], update: ['UpdateItemCommand'], remove: ['DeleteItemCommand'] }, { number: '{ N: String({value}) }', text: '{ S: {value} }' }),
      ...expressions(DOCUMENT, { put: ['put'], update: ['update'], remove: ['delete'] }),
    ],
  },
  facts: [
    'The fence is a `ConditionExpression`: `attribute_not_exists(fence) OR fence < :token`. A miss throws ConditionalCheckFailedException.',
    'Without one, `UpdateItem` also creates the item where it is missing.',
    '`BatchWriteItem` takes no condition at all.',
    '`ClientRequestToken` makes a transaction idempotent for ten minutes; it is no fence.',
  ],
});
