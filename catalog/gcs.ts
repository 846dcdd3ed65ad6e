/** Google Cloud Storage. Facts from the types and source of @google-cloud/storage 7.22 and 8.4. */
import { arg, ctor, exported, library, type ArgPath, type Call, type TypeId, type Write } from './schema.ts';

const STORAGE = 'gcs:Storage';
const BUCKET = 'gcs:Bucket';
const FILE = 'gcs:File';
/** Made by `new`, where the bucket stands before the name. */
const MADE = 'gcs:MadeFile';

const refused = 'a precondition that fails throws ApiError with code 412';
const generations = ['ifGenerationMatch', 'ifMetagenerationMatch', 'ifGenerationNotMatch'];

/** The rows of a file whose own options stand at argument `own` of what made it. */
function files(on: TypeId, own: number, target: Write['target']): readonly Call[] {
  const name = ctor(own - 1);
  /** Preconditions where `save` and its kin look for them, or of the file itself. */
  const preconditions = (options: number): readonly ArgPath[] => [
    ...generations.map((name) => arg(options, 'preconditionOpts', name)),
    ...generations.map((name) => ctor(own, 'preconditionOpts', name)),
    ctor(own, 'generation'),
  ];
  const plain = (options: number): readonly ArgPath[] => [...generations.map((name) => arg(options, name)), ctor(own, 'generation')];
  const file = (name: string | readonly string[], op: Write['op'], fence: readonly ArgPath[], more: Partial<Write> = {}): Call => ({
    on,
    name,
    does: { kind: 'write', op, target, fence, throwsOnMiss: true, ...more },
    delivery: { callback: 'last' },
    note: refused,
  });
  return [
    file('save', 'replace', preconditions(1), { filter: name, data: arg(0), createsOnly: [{ at: arg(1, 'preconditionOpts', 'ifGenerationMatch'), value: 0 }] }),
    file(['copy', 'move', 'rename', 'moveFileAtomic'], 'replace', preconditions(1), { target: arg(0) }),
    file('createWriteStream', 'replace', preconditions(0)),
    file('delete', 'delete', plain(0), { filter: name }),
    file('setMetadata', 'update', plain(1), { data: arg(0) }),
    { on, name: ['download', 'exists', 'getMetadata', 'get', 'createReadStream'], does: { kind: 'read', target } },
  ];
}

export default library({
  key: 'gcs',
  packages: ['@google-cloud/storage'],
  title: 'Google Cloud Storage',
  family: 'store',
  coordinator: 'consensus',
  token: 'the `generation` of the object that was made',
  obtain: [
    { type: STORAGE, by: 'new', name: exported('Storage') },
    { type: STORAGE, by: 'annotation', name: 'Storage' },
    { type: BUCKET, by: 'method', name: 'bucket', of: STORAGE },
    { type: BUCKET, by: 'annotation', name: 'Bucket' },
    { type: FILE, by: 'method', name: 'file', of: BUCKET },
    { type: MADE, by: 'new', name: exported('File') },
    { type: FILE, by: 'annotation', name: 'File' },
  ],
  calls: [
    ...files(FILE, 1, { receiver: true }),
    ...files(MADE, 2, ctor(0)),
    { on: BUCKET, name: 'upload', does: { kind: 'write', op: 'replace', target: { receiver: true }, fence: generations.map((name) => arg(1, 'preconditionOpts', name)), throwsOnMiss: true }, note: refused },
    { on: BUCKET, name: 'deleteFiles', does: { kind: 'write', op: 'delete', target: { receiver: true } } },
  ],
  edits: {
    versions: [{ on: FILE, name: ['save'], options: 1, at: ['preconditionOpts', 'ifGenerationMatch'], version: ['0', 'generation'], reads: ['getMetadata'] }],
  },
  facts: [
    'The fence is the generation: `save(data, { preconditionOpts: { ifGenerationMatch } })`; generation 0 means that the object must not exist. A miss throws, code 412.',
    'On `save` and `upload` a top-level `ifGenerationMatch` is not read; on `delete` it stands at the top level.',
    '`bucket.file(name, { generation })` sends that generation as a condition by itself.',
  ],
});
