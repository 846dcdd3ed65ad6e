/** Azure Blob Storage. Facts from the types of @azure/storage-blob 12.34. */
import { arg, configured, ctor, exported, library, type Acquire, type ArgPath, type Call, type Write } from './schema.ts';

const SERVICE = 'azure-blob:Service';
const CONTAINER = 'azure-blob:Container';
const BLOB = 'azure-blob:Blob';
const LEASE = 'azure-blob:Lease';

const refused = 'a condition that fails throws RestError, 412 or 409';

const conditions = (options: number): readonly ArgPath[] =>
  ['ifMatch', 'ifNoneMatch', 'leaseId', 'tagConditions', 'ifUnmodifiedSince'].map((name) => arg(options, 'conditions', name));

const blob = (name: string | readonly string[], op: Write['op'], options: number, more: Partial<Write> = {}): Call => ({
  on: BLOB,
  name,
  does: { kind: 'write', op, target: { receiver: true }, fence: conditions(options), throwsOnMiss: true, ...more },
  note: refused,
});

const byTag = { at: ['conditions', 'ifMatch'], version: ['etag'], reads: ['download', 'getProperties'] };

/** A lease of a blob or container, by the client that is made for it. */
const acquire = { kind: 'acquire', key: configured('key'), lock: 'lease', lease: [{ at: arg(0), unit: 's' }], granted: { of: 'object' }, refused: 'throws' } as const satisfies Acquire;

export default library({
  key: 'azure-blob',
  packages: ['@azure/storage-blob'],
  title: 'Azure Blob Storage',
  family: 'store',
  coordinator: 'consensus',
  token: 'none: a lease id and an ETag tell versions apart and do not order them',
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
    { type: LEASE, by: 'new', name: exported('BlobLeaseClient') },
    { type: LEASE, by: 'annotation', name: 'BlobLeaseClient' },
    { type: BLOB, by: 'annotation', name: ['BlobClient', 'BlockBlobClient', 'AppendBlobClient', 'PageBlobClient'] },
  ],
  calls: [
    blob('upload', 'replace', 2, { filter: ctor(0), data: arg(0), createsOnly: [{ at: arg(2, 'conditions', 'ifNoneMatch'), value: '*' }] }),
    blob(['uploadData', 'uploadFile', 'uploadBrowserData'], 'replace', 1, { data: arg(0) }),
    blob('uploadStream', 'replace', 3, { data: arg(0) }),
    blob('commitBlockList', 'replace', 1),
    blob(['syncUploadFromURL', 'beginCopyFromURL', 'syncCopyFromURL'], 'replace', 1),
    blob('appendBlock', 'insert', 2, { data: arg(0) }),
    blob(['setMetadata', 'setHTTPHeaders', 'setTags'], 'update', 1, { data: arg(0) }),
    blob(['delete', 'deleteIfExists'], 'delete', 0, { filter: ctor(0) }),
    { on: CONTAINER, name: 'uploadBlockBlob', does: { kind: 'write', op: 'replace', target: arg(0), data: arg(1), fence: conditions(3), throwsOnMiss: true }, note: refused },
    { on: CONTAINER, name: 'deleteBlob', does: { kind: 'write', op: 'delete', target: arg(0), fence: conditions(1), throwsOnMiss: true }, note: refused },
    { on: BLOB, name: 'getBlobLeaseClient', does: { kind: 'build', configure: { key: ctor(0) } }, answers: LEASE },
    { on: CONTAINER, name: 'getBlobLeaseClient', does: { kind: 'build', configure: { key: ctor(0) } }, answers: LEASE },
    { on: LEASE, name: 'acquireLease', when: [{ is: arg(0), value: -1 }], does: { ...acquire, lease: [] }, note: '-1: a lease without an end' },
    { on: LEASE, name: 'acquireLease', does: acquire },
    { on: LEASE, name: 'renewLease', does: { kind: 'renew', ownerChecked: true, done: { of: 'object' }, lost: 'throws' } },
    { on: LEASE, name: 'releaseLease', does: { kind: 'release', ownerChecked: true, lost: 'throws' } },
    { on: LEASE, name: 'breakLease', does: { kind: 'release', ownerChecked: false, lost: 'throws' }, note: 'ends the lease of whoever has it' },
    { on: BLOB, name: ['download', 'downloadToBuffer', 'getProperties', 'exists'], does: { kind: 'read', target: { receiver: true } } },
  ],
  edits: {
    versions: [
      { ...byTag, on: BLOB, name: ['upload'], options: 2 },
      { ...byTag, on: BLOB, name: ['uploadData', 'uploadFile'], options: 1 },
    ],
  },
  tokens: [{ of: LEASE, path: ['leaseId'], sound: false, why: 'a random id: it has no order' }],
  facts: [
    '`acquireLease` counts seconds, 15 to 60, or -1 for a lease without an end; a blob that is leased already makes it throw, code 409. `breakLease` ends anybody\'s lease.',
    'A lease id is random: it tells holders apart and does not order them.',
    'The fence is `conditions.ifMatch` with the ETag that was read, or `conditions.leaseId`: the service itself refuses a write with a lease that has ended.',
    '`ifNoneMatch: \'*\'` creates only. A miss throws RestError.',
  ],
});
