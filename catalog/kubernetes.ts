/**
 * The Kubernetes API (`@kubernetes/client-node`) as a store. Facts from the types of 0.x, 1 and 2:
 * up to 0.x arguments stand one after another, from 1 on in one object.
 */
import { arg, constant, library, type ArgPath, type Call, type Write } from './schema.ts';

const CONFIG = 'kubernetes:Config';
const API = 'kubernetes:Api';

const kinds = ['ConfigMap', 'Secret', 'Deployment', 'StatefulSet', 'Pod', 'Service', 'Job', 'CronJob', 'Endpoints', 'PersistentVolumeClaim', 'CustomObject'];
/** What is made and deleted again is as a rule no lock; a Lease is nothing else. */
const others = (verb: string): string[] => kinds.map((kind) => `${verb}Namespaced${kind}`);
const named = (verb: string, suffix = ''): string[] => ['Lease', ...kinds].map((kind) => `${verb}Namespaced${kind}${suffix}`);

const refused = 'a resourceVersion that is no longer the newest is refused, code 409; without one the last writer wins';

const taken = 'a name that is taken is refused, code 409';

/** Creation and deletion, in both forms. An object that is a lock is named by its namespace and name. */
function made(of: 'Lease' | ((verb: string) => string[]), { isLock }: { isLock: boolean }): readonly Call[] {
  const names = (verb: string): string[] => (typeof of === 'string' ? [`${verb}Namespaced${of}`] : of(verb));
  const create = (name: ArgPath, namespace: ArgPath, body: ArgPath, seconds: ArgPath): Write => ({
    kind: 'write',
    op: 'insert',
    target: isLock ? namespace : name,
    data: body,
    fence: [name],
    throwsOnMiss: true,
    ...(isLock && { filter: name, createsOnly: [{ at: constant(true), value: true }], lease: [{ at: seconds, unit: 's' }] }),
  });
  const remove = (name: ArgPath, namespace: ArgPath, fence: readonly ArgPath[]): Write => ({ kind: 'write', op: 'delete', target: isLock ? namespace : name, fence, throwsOnMiss: true, ...(isLock && { filter: name }) });
  const preconditions = (index: number, ...path: string[]): readonly ArgPath[] => ['resourceVersion', 'uid'].map((it) => arg(index, ...path, 'preconditions', it));
  return [
    { on: API, name: names('create'), versions: '>=1', does: create(arg(0, 'body', 'metadata', 'name'), arg(0, 'namespace'), arg(0, 'body'), arg(0, 'body', 'spec', 'leaseDurationSeconds')), note: taken },
    { on: API, name: names('create'), versions: '<1', does: create(arg(1, 'metadata', 'name'), arg(0), arg(1), arg(1, 'spec', 'leaseDurationSeconds')), note: taken },
    { on: API, name: names('delete'), versions: '>=1', does: remove(arg(0, 'name'), arg(0, 'namespace'), preconditions(0, 'body')) },
    { on: API, name: names('delete'), versions: '<1', does: remove(arg(0), arg(1), preconditions(6)) },
  ];
}

const calls: readonly Call[] = [
  {
    on: API,
    name: [...named('replace'), ...named('replace', 'Status')],
    versions: '>=1',
    does: { kind: 'write', op: 'replace', target: arg(0, 'name'), data: arg(0, 'body'), fence: [arg(0, 'body', 'metadata', 'resourceVersion')], throwsOnMiss: true },
    note: refused,
  },
  {
    on: API,
    name: [...named('replace'), ...named('replace', 'Status')],
    versions: '<1',
    does: { kind: 'write', op: 'replace', target: arg(0), data: arg(2), fence: [arg(2, 'metadata', 'resourceVersion')], throwsOnMiss: true },
    note: refused,
  },
  {
    on: API,
    name: [...named('patch'), ...named('patch', 'Status')],
    versions: '>=1',
    does: { kind: 'write', op: 'update', target: arg(0, 'name'), data: arg(0, 'body'), fence: [arg(0, 'body', 'metadata', 'resourceVersion')], throwsOnMiss: true },
  },
  {
    on: API,
    name: [...named('patch'), ...named('patch', 'Status')],
    versions: '<1',
    does: { kind: 'write', op: 'update', target: arg(0), data: arg(2), fence: [arg(2, 'metadata', 'resourceVersion')], throwsOnMiss: true },
  },
  ...made('Lease', { isLock: true }),
  ...made(others, { isLock: false }),
  { on: API, name: [...named('read'), ...named('list')], versions: '>=1', does: { kind: 'read', target: arg(0, 'name') } },
  { on: API, name: [...named('read'), ...named('list')], versions: '<1', does: { kind: 'read', target: arg(0) } },
];

export default library({
  key: 'kubernetes',
  packages: ['@kubernetes/client-node'],
  title: 'Kubernetes API',
  family: 'store',
  coordinator: 'consensus',
  token: '`leaseTransitions` of the Lease, raised by the write that takes it',
  obtain: [
    { type: CONFIG, by: 'new', name: ['KubeConfig', 'default.KubeConfig'] },
    { type: API, by: 'method', name: 'makeApiClient', of: CONFIG },
    { type: API, by: 'annotation', name: ['CoordinationV1Api', 'CoreV1Api', 'AppsV1Api', 'BatchV1Api', 'CustomObjectsApi'] },
  ],
  calls,
  facts: [
    'A replace that carries the `metadata.resourceVersion` that was read is fenced: an older one is refused with 409. Without it the last writer wins.',
    '`resourceVersion` can be compared for equality only; `leaseTransitions` of a Lease is the number that grows.',
  ],
});
