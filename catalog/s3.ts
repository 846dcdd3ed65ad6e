/**
 * Amazon S3: `@aws-sdk/client-s3`, `@aws-sdk/lib-storage` and the S3 client of aws-sdk 2. Facts from
 * the types of 3.1175 and 2.1693. A command object is the call: `send` only carries it.
 */
import { arg, ctor, exported, library, type ArgPath, type Call, type Write } from './schema.ts';

const CLIENT = 's3:Client';
const CLIENT2 = 's3:Client2';
const UPLOAD = 's3:Upload';

const refused = 'a condition that fails throws PreconditionFailed (412), or ConditionalRequestConflict (409)';

const write = (op: Write['op'], fence: readonly string[], more: Partial<Write> = {}): Write => ({
  kind: 'write',
  op,
  target: arg(0, 'Bucket'),
  filter: arg(0, 'Key'),
  fence: fence.map((name) => arg(0, name)),
  throwsOnMiss: true,
  ...more,
});

const matches = ['IfMatch', 'IfNoneMatch'];
const body = { data: arg(0, 'Body') };

const commands: readonly Call[] = [
  { on: 'module', name: exported('PutObjectCommand'), does: write('replace', matches, { ...body, createsOnly: [{ at: arg(0, 'IfNoneMatch'), value: '*' }] }), note: refused },
  { on: 'module', name: exported('CompleteMultipartUploadCommand'), does: write('replace', matches), note: refused },
  { on: 'module', name: exported('CopyObjectCommand'), does: write('replace', [...matches, 'CopySourceIfMatch']), note: refused },
  { on: 'module', name: exported('RenameObjectCommand'), does: write('replace', ['DestinationIfMatch', 'DestinationIfNoneMatch', 'SourceIfMatch']), note: refused },
  { on: 'module', name: exported('DeleteObjectCommand'), does: write('delete', ['IfMatch', 'IfMatchLastModifiedTime', 'IfMatchSize']), note: refused },
  {
    on: 'module',
    name: exported('DeleteObjectsCommand'),
    does: write('delete', [], { filter: arg(0, 'Delete'), fence: [{ arg: 0, path: ['Delete', 'Objects'], each: ['ETag'] }] }),
  },
  { on: 'module', name: exported('PutObjectTaggingCommand', 'PutObjectAclCommand'), does: write('update', []) },
  { on: 'module', name: exported('GetObjectCommand', 'HeadObjectCommand', 'ListObjectsV2Command', 'ListObjectsCommand'), does: { kind: 'read', target: arg(0, 'Bucket'), filter: arg(0, 'Key') } },
];

const methods = (on: string, put: readonly string[]): readonly Call[] => [
  { on, name: 'putObject', does: write('replace', put, body), delivery: { callback: 'last' }, note: refused },
  { on, name: 'copyObject', does: write('replace', ['CopySourceIfMatch']), delivery: { callback: 'last' } },
  { on, name: 'deleteObject', does: write('delete', ['IfMatch']), delivery: { callback: 'last' } },
  { on, name: 'deleteObjects', does: write('delete', [], { filter: arg(0, 'Delete') }), delivery: { callback: 'last' } },
  { on, name: ['getObject', 'headObject', 'listObjectsV2'], does: { kind: 'read', target: arg(0, 'Bucket'), filter: arg(0, 'Key') }, delivery: { callback: 'last' } },
];

const byTag = { options: 0, at: ['IfMatch'], version: ['ETag'], note: 'An ETag is made from the content: what goes back to an earlier content has its old ETag again.' };

const uploaded = (name: string): ArgPath => ctor(0, 'params', name);

export default library({
  key: 's3',
  packages: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage', 'aws-sdk', 'aws-sdk/clients/s3'],
  title: 'Amazon S3',
  family: 'store',
  token: 'none: an ETag tells versions apart and does not order them',
  obtain: [
    { type: CLIENT, by: 'new', name: exported('S3'), from: '@aws-sdk/client-s3' },
    { type: CLIENT, by: 'annotation', name: exported('S3'), from: '@aws-sdk/client-s3' },
    { type: CLIENT2, by: 'new', name: exported('S3'), from: 'aws-sdk' },
    { type: CLIENT2, by: 'new', name: 'default', from: 'aws-sdk/clients/s3' },
    { type: CLIENT2, by: 'annotation', name: exported('S3'), from: 'aws-sdk' },
    { type: CLIENT2, by: 'annotation', name: 'default', from: 'aws-sdk/clients/s3' },
    { type: UPLOAD, by: 'new', name: exported('Upload') },
  ],
  calls: [
    ...commands,
    ...methods(CLIENT, matches),
    ...methods(CLIENT2, ['IfNoneMatch']),
    { on: CLIENT2, name: 'upload', does: write('replace', ['IfNoneMatch'], body), delivery: { callback: 'last' }, note: refused },
    {
      on: UPLOAD,
      name: 'done',
      does: {
        kind: 'write',
        op: 'replace',
        target: uploaded('Bucket'),
        filter: uploaded('Key'),
        data: uploaded('Body'),
        fence: matches.map(uploaded),
        throwsOnMiss: true,
      },
      note: refused,
    },
  ],
  edits: {
    versions: [
      { ...byTag, on: 'module', name: ['PutObjectCommand'], reads: ['GetObjectCommand', 'HeadObjectCommand'] },
      { ...byTag, on: CLIENT, name: ['putObject'], reads: ['getObject', 'headObject'] },
    ],
  },
  facts: [
    'The fence is `IfMatch` with the ETag that was read under the lock, or `IfNoneMatch: \'*\'` for an object that must not exist; a miss throws.',
    'There is no comparison of numbers: a fencing token can only be kept in the object and its ETag compared.',
    'An ETag is made from the content: an object that went back to an earlier content has its old ETag again.',
    'aws-sdk 2 knows `IfNoneMatch` for `putObject`, but no `IfMatch`.',
  ],
});
