/**
 * What the HTTP clients have in common: the headers by which a server is asked to refuse a stale or
 * repeated request. Header names are case-insensitive, and written in both cases in practice.
 */
import { arg, type ArgPath, type Call, type Count, type Lease, type TypeId, type When, type Write } from './schema.ts';

const header = (index: number, path: readonly string[], names: readonly string[]): readonly ArgPath[] =>
  names.flatMap((name) => [name, name.toLowerCase()].map((spelling) => arg(index, ...path, spelling)));

/** The headers of a request whose presence is a fence; `path` leads to the headers object in argument `index`. */
export const fenceHeaders = (index: number, ...path: string[]): readonly ArgPath[] =>
  header(index, path, ['If-Match', 'If-None-Match', 'If-Unmodified-Since', 'X-Fencing-Token']);

/** The headers by which a repeated request is told from a new one. */
export const idempotencyHeaders = (index: number, ...path: string[]): readonly ArgPath[] =>
  header(index, path, ['Idempotency-Key', 'X-Idempotency-Key', 'If-Match', 'If-None-Match']);

/** How a client is called: `client.put(url, body, config)` or `client.put(url, options)`. */
export interface RequestForm {
  on: TypeId;
  /** Index of the options where a method sends a body, and where it sends none. */
  options: { withBody: number; without: number };
  /** Where the body stands. */
  body: ArgPath;
  /** Where a time limit stands, per request or in the client. */
  timeout: (options: number) => readonly Lease[];
  /** A refused condition throws; otherwise `count` tells. */
  throwsOnMiss?: boolean;
  count?: Count;
}

/** The rows of a client that has a method per HTTP method. */
export function requestMethods({ on, options, body, timeout, ...miss }: RequestForm): readonly Call[] {
  const { withBody, without } = options;
  const write = (op: Write['op'], at: number, data?: ArgPath): Write => ({ kind: 'write', op, target: arg(0), data, fence: fenceHeaders(at, 'headers'), ...miss });
  return [
    { on, name: 'put', does: write('replace', withBody, body), timeout: timeout(withBody) },
    { on, name: 'patch', does: write('update', withBody, body), timeout: timeout(withBody) },
    { on, name: 'delete', does: write('delete', without), timeout: timeout(without) },
    {
      on,
      name: 'post',
      does: { kind: 'external', service: 'http', idempotencyKey: idempotencyHeaders(withBody, 'headers') },
      timeout: timeout(withBody),
    },
    { on, name: ['get', 'head'], does: { kind: 'read', target: arg(0) }, timeout: timeout(without) },
  ];
}

/** The rows of a call whose options name the HTTP method: `fetch(url, { method })`, `request({ url, method })`. */
export function requestCalls(
  on: Call['on'],
  name: string | readonly string[],
  at: { options: number; url: ArgPath; body: ArgPath },
  more: Partial<Pick<Call, 'timeout' | 'from'>> & Pick<RequestForm, 'throwsOnMiss' | 'count'>,
): readonly Call[] {
  const { throwsOnMiss, count, ...call } = more;
  const method = (word: string): When => ({ is: arg(at.options, 'method'), value: [word, word.toLowerCase()] });
  const write = (word: string, op: Write['op']): Call => ({
    on,
    name,
    when: [method(word)],
    does: { kind: 'write', op, target: at.url, data: at.body, fence: fenceHeaders(at.options, 'headers'), throwsOnMiss, count },
    ...call,
  });
  return [
    write('PUT', 'replace'),
    write('PATCH', 'update'),
    write('DELETE', 'delete'),
    {
      on,
      name,
      when: [method('POST')],
      does: { kind: 'external', service: 'http', idempotencyKey: idempotencyHeaders(at.options, 'headers') },
      ...call,
    },
    { on, name, when: [method('GET')], does: { kind: 'read', target: at.url }, ...call },
    { on, name, when: [{ lacks: arg(at.options, 'method') }], does: { kind: 'read', target: at.url }, ...call },
  ];
}
