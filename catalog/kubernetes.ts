/**
 * The Kubernetes API (`@kubernetes/client-node`) as a store. Facts from the types of 0.x, 1 and 2:
 * up to 0.x arguments stand one after another, from 1 on in one object.
 */
import { arg, library, type Call } from './schema.ts';

const CONFIG = 'kubernetes:Config';
const API = 'kubernetes:Api';

const kinds = ['Lease', 'ConfigMap', 'Secret', 'Deployment', 'StatefulSet', 'Pod', 'Service', 'Job', 'CronJob', 'Endpoints', 'PersistentVolumeClaim', 'CustomObject'];
const named = (verb: string, suffix = ''): string[] => kinds.map((kind) => `${verb}Namespaced${kind}${suffix}`);

const refused = 'a resourceVersion that is no longer the newest is refused, code 409; without one the last writer wins';

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
  {
    on: API,
    name: named('delete'),
    versions: '>=1',
    does: {
      kind: 'write',
      op: 'delete',
      target: arg(0, 'name'),
      fence: [arg(0, 'body', 'preconditions', 'resourceVersion'), arg(0, 'body', 'preconditions', 'uid')],
      throwsOnMiss: true,
    },
  },
  { on: API, name: named('delete'), versions: '<1', does: { kind: 'write', op: 'delete', target: arg(0), throwsOnMiss: true } },
  { on: API, name: named('create'), versions: '>=1', does: { kind: 'write', op: 'insert', target: arg(0, 'body', 'metadata', 'name'), data: arg(0, 'body'), fence: [arg(0, 'body', 'metadata', 'name')], throwsOnMiss: true } },
  { on: API, name: named('create'), versions: '<1', does: { kind: 'write', op: 'insert', target: arg(1, 'metadata', 'name'), data: arg(1), fence: [arg(1, 'metadata', 'name')], throwsOnMiss: true } },
  { on: API, name: [...named('read'), ...named('list')], versions: '>=1', does: { kind: 'read', target: arg(0, 'name') } },
  { on: API, name: [...named('read'), ...named('list')], versions: '<1', does: { kind: 'read', target: arg(0) } },
];

export default library({
  key: 'kubernetes',
  packages: ['@kubernetes/client-node'],
  title: 'Kubernetes API',
  family: 'store',
  coordinator: 'consensus',
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
