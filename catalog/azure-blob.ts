/** Azure Blob Storage. Facts from the types of @azure/storage-blob 12.34. */
import { arg, exported, library, type ArgPath, type Call, type Write } from './schema.ts';

const SERVICE = 'azure-blob:Service';
const CONTAINER = 'azure-blob:Container';
const BLOB = 'azure-blob:Blob';

const refused = 'a condition that fails throws RestError, 412 or 409';

const conditions = (options: number): readonly ArgPath[] =>
  ['ifMatch', 'ifNoneMatch', 'leaseId', 'tagConditions', 'ifUnmodifiedSince'].map((name) => arg(options, 'conditions', name));

const blob = (name: string | readonly string[], op: Write['op'], options: number, more: Partial<Write> = {}): Call => ({
  on: BLOB,
  name,
  does: { kind: 'write', op, target: { receiver: true }, fence: conditions(options), throwsOnMiss: true, ...more },
  note: refused,
});

export default library({
  key: 'azure-blob',
  packages: ['@azure/storage-blob'],
  title: 'Azure Blob Storage',
  family: 'store',
  obtain: [
    { type: SERVICE, by: 'new', name: exported('BlobServiceClient') },
    { type: SERVICE, by: 'call', name: exported('BlobServiceClient.fromConnectionString') },
    { type: SERVICE, by: 'annotation', name: 'BlobServiceClient' },
    { type: CONTAINER, by: 'method', name: 'getContainerClient', of: SERVICE },
    { type: CONTAINER, by: 'new', name: exported('ContainerClient') },
    { type: CONTAINER, by: 'annotation', name: 'ContainerClient' },
    { type: BLOB, by: 'method', name: ['getBlobClient', 'getBlockBlobClient', 'getAppendBlobClient', 'getPageBlobClient'], of: CONTAINER },
    { type: BLOB, by: 'method', name: ['getBlockBlobClient', 'getAppendBlobClient', 'getPageBlobClient'], of: BLOB },
    { type: BLOB, by: 'new', name: exported('BlobClient', 'BlockBlobClient', 'AppendBlobClient', 'PageBlobClient') },
    { type: BLOB, by: 'annotation', name: ['BlobClient', 'BlockBlobClient', 'AppendBlobClient', 'PageBlobClient'] },
  ],
  calls: [
    blob('upload', 'replace', 2, { data: arg(0) }),
    blob(['uploadData', 'uploadFile', 'uploadBrowserData'], 'replace', 1, { data: arg(0) }),
    blob('uploadStream', 'replace', 3, { data: arg(0) }),
    blob('commitBlockList', 'replace', 1),
    blob(['syncUploadFromURL', 'beginCopyFromURL', 'syncCopyFromURL'], 'replace', 1),
    blob('appendBlock', 'insert', 2, { data: arg(0) }),
    blob(['setMetadata', 'setHTTPHeaders', 'setTags'], 'update', 1, { data: arg(0) }),
    blob(['delete', 'deleteIfExists'], 'delete', 0),
    { on: CONTAINER, name: 'uploadBlockBlob', does: { kind: 'write', op: 'replace', target: arg(0), data: arg(1), fence: conditions(3), throwsOnMiss: true }, note: refused },
    { on: CONTAINER, name: 'deleteBlob', does: { kind: 'write', op: 'delete', target: arg(0), fence: conditions(1), throwsOnMiss: true }, note: refused },
    { on: BLOB, name: ['download', 'downloadToBuffer', 'getProperties', 'exists'], does: { kind: 'read', target: { receiver: true } } },
  ],
  facts: [
    'The fence is `conditions.ifMatch` with the ETag that was read, or `conditions.leaseId`: the service itself refuses a write with a lease that has ended.',
    '`ifNoneMatch: \'*\'` creates only. A miss throws RestError.',
  ],
});
