/** Elasticsearch and OpenSearch. Facts from the types of @elastic/elasticsearch 7.17, 8.19 and 9.5 and @opensearch-project/opensearch 3.9. */
import { arg, constant, exported, library, type ArgPath, type Call, type Write } from './schema.ts';

const CLIENT = 'elasticsearch:Client';

const refused = 'a version that does not fit is refused with 409, ResponseError';
const write = (op: Write['op'], fence: readonly ArgPath[], more: Partial<Write> = {}): Write => ({
  kind: 'write',
  op,
  target: arg(0, 'index'),
  filter: arg(0, 'id'),
  fence,
  throwsOnMiss: true,
  ...more,
});
const options = (...names: string[]): readonly ArgPath[] => names.map((name) => arg(0, name));

const documents: readonly Call[] = [
  {
    on: CLIENT,
    name: 'index',
    when: [{ is: arg(0, 'op_type'), value: 'create' }, { has: arg(0, 'document') }],
    does: write('insert', [constant('the document must not exist')], { data: arg(0, 'document') }),
    note: refused,
  },
  {
    on: CLIENT,
    name: 'index',
    when: [{ is: arg(0, 'op_type'), value: 'create' }],
    does: write('insert', [constant('the document must not exist')], { data: arg(0, 'body') }),
    note: refused,
  },
  {
    on: CLIENT,
    name: 'index',
    when: [{ has: arg(0, 'document') }],
    does: write('replace', options('if_seq_no', 'version'), { data: arg(0, 'document') }),
    note: refused,
  },
  { on: CLIENT, name: 'index', does: write('replace', options('if_seq_no', 'version'), { data: arg(0, 'body') }), note: refused },
  { on: CLIENT, name: 'create', does: write('insert', [constant('the document must not exist')], { data: arg(0, 'document') }), note: refused },
  { on: CLIENT, name: 'update', does: write('update', options('if_seq_no'), { data: arg(0, 'doc') }), note: refused },
  { on: CLIENT, name: 'delete', does: write('delete', options('if_seq_no', 'version')), note: refused },
  {
    on: CLIENT,
    name: 'bulk',
    does: { kind: 'write', op: 'replace', target: arg(0, 'index'), data: arg(0, 'operations'), count: { path: ['errors'], also: [['items']], miss: true } },
    note: 'conflicts do not throw: each item has its status',
  },
  {
    on: CLIENT,
    name: 'updateByQuery',
    does: { kind: 'write', op: 'update', target: arg(0, 'index'), filter: arg(0, 'query'), count: { path: ['updated'], also: [['version_conflicts']], miss: 0 } },
  },
  {
    on: CLIENT,
    name: 'deleteByQuery',
    does: { kind: 'write', op: 'delete', target: arg(0, 'index'), filter: arg(0, 'query'), count: { path: ['deleted'], also: [['version_conflicts']], miss: 0 } },
  },
  { on: CLIENT, name: ['get', 'getSource', 'mget', 'search', 'count', 'exists'], does: { kind: 'read', target: arg(0, 'index'), filter: arg(0, 'id') } },
];

export default library({
  key: 'elasticsearch',
  packages: ['@elastic/elasticsearch', '@opensearch-project/opensearch', '@nestjs/elasticsearch'],
  title: 'Elasticsearch, OpenSearch',
  family: 'store',
  obtain: [
    { type: CLIENT, by: 'new', name: exported('Client') },
    { type: CLIENT, by: 'annotation', name: [...exported('Client'), 'ElasticsearchService'] },
  ],
  calls: documents,
  facts: [
    '`version` with `version_type: \'external\'` is a true fence for a token: only a greater version wins. `update` knows `if_seq_no` and `if_primary_term` only.',
    'A conflict throws ResponseError 409; in `bulk` it does not, each item tells.',
  ],
});
