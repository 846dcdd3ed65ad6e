/** Google Cloud Storage. Facts from the types and source of @google-cloud/storage 7.22 and 8.4. */
import { arg, ctor, exported, library, type ArgPath, type Call, type Write } from './schema.ts';

const STORAGE = 'gcs:Storage';
const BUCKET = 'gcs:Bucket';
const FILE = 'gcs:File';

const refused = 'a precondition that fails throws ApiError with code 412';
const generations = ['ifGenerationMatch', 'ifMetagenerationMatch', 'ifGenerationNotMatch'];

/** Preconditions where `save` and its kin look for them, or of the file itself. */
const preconditions = (options: number): readonly ArgPath[] => [
  ...generations.map((name) => arg(options, 'preconditionOpts', name)),
  ...generations.map((name) => ctor(1, 'preconditionOpts', name)),
  ctor(1, 'generation'),
];
const plain = (options: number): readonly ArgPath[] => [...generations.map((name) => arg(options, name)), ctor(1, 'generation')];

const file = (name: string | readonly string[], op: Write['op'], fence: readonly ArgPath[], more: Partial<Write> = {}): Call => ({
  on: FILE,
  name,
  does: { kind: 'write', op, target: { receiver: true }, fence, throwsOnMiss: true, ...more },
  delivery: { callback: 'last' },
  note: refused,
});

export default library({
  key: 'gcs',
  packages: ['@google-cloud/storage'],
  title: 'Google Cloud Storage',
  family: 'store',
  obtain: [
    { type: STORAGE, by: 'new', name: exported('Storage') },
    { type: STORAGE, by: 'annotation', name: 'Storage' },
    { type: BUCKET, by: 'method', name: 'bucket', of: STORAGE },
    { type: BUCKET, by: 'annotation', name: 'Bucket' },
    { type: FILE, by: 'method', name: 'file', of: BUCKET },
    { type: FILE, by: 'new', name: exported('File') },
    { type: FILE, by: 'annotation', name: 'File' },
  ],
  calls: [
    file('save', 'replace', preconditions(1), { data: arg(0) }),
    file(['copy', 'move', 'rename', 'moveFileAtomic'], 'replace', preconditions(1), { target: arg(0) }),
    file('createWriteStream', 'replace', preconditions(0)),
    file('delete', 'delete', plain(0)),
    file('setMetadata', 'update', plain(1), { data: arg(0) }),
    { on: BUCKET, name: 'upload', does: { kind: 'write', op: 'replace', target: { receiver: true }, fence: generations.map((name) => arg(1, 'preconditionOpts', name)), throwsOnMiss: true }, note: refused },
    { on: BUCKET, name: 'deleteFiles', does: { kind: 'write', op: 'delete', target: { receiver: true } } },
    { on: FILE, name: ['download', 'exists', 'getMetadata', 'get', 'createReadStream'], does: { kind: 'read', target: { receiver: true } } },
  ],
  facts: [
    'The fence is the generation: `save(data, { preconditionOpts: { ifGenerationMatch } })`; generation 0 means that the object must not exist. A miss throws, code 412.',
    'On `save` and `upload` a top-level `ifGenerationMatch` is not read; on `delete` it stands at the top level.',
    '`bucket.file(name, { generation })` sends that generation as a condition by itself.',
  ],
});
