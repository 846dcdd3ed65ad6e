/** What a lock is for, as far as the code says so: a comment at the acquire or at the helper's call, or a key that the settings name. */
import type { Library } from '../catalog/schema.ts';
import type { ExternalEvent, WriteEvent } from './events.ts';
import { isHeld } from './flow.ts';
import type { CallExpr, Module } from './ir.ts';
import { idempotencyWords } from './lock-words.ts';
import { lineAndColumn } from './place.ts';
import type { Section } from './sections.ts';
import type { Model } from './story.ts';
import type { Deep } from './deep.ts';
import { type Value, alternatives, isNothing } from './value.ts';

/** `efficiency`: two holders at once cost duplicate work. `correctness`: they corrupt data. */
export type Purpose = 'efficiency' | 'correctness';

/** The purpose that `// fencepost: efficiency -- why` or `// fencepost: correctness` states, or that one of the key patterns (`*` for any text) gives. */
export function declaredPurpose(section: Section, module: Module, efficiencyKeys: readonly string[]): Purpose | undefined {
  const lines = [section.at, section.acquire.call, ...section.via]
    .filter((it) => it.func.module === module || it === section.acquire.call)
    .map((it) => ({ module: it.func.module, line: lineAndColumn(it.func.module.starts, it.span.start).line }));
  for (const { module: of, line } of lines) {
    for (const it of of.comments) {
      const purpose = purposeIn(it.text);
      if (purpose && (it.line === line || it.line === line - 1 || isJustAbove(of, it.line, line))) return purpose;
    }
  }
  const key = section.lock.key && keyText(section.lock.key);
  return key !== undefined && efficiencyKeys.some((pattern) => matchesPattern(key, pattern)) ? 'efficiency' : undefined;
}

const purposeIn = (comment: string): Purpose | undefined => /^(?:\*\s*)?fencepost: (efficiency|correctness)\b/.exec(comment.trim())?.[1] as Purpose | undefined;

/** What the lock's grant rests on; undefined where it depends on something that is not in sight. */
export function coordinatorOf({ lock, acquire }: Section): Library['coordinator'] | 'database' {
  if (acquire.library?.coordinator) return acquire.library.coordinator;
  if (lock.space === 'row' || lock.kind === 'session' || lock.kind === 'transaction') return 'database';
  return lock.space === 'kv' ? 'timing' : undefined;
}

/** An event of a section, with its own type. */
export type In<E> = Deep & { event: E };

/** Durable writes that the section waits for, fenced or not, its own lock's key apart. */
export const durableWrites = (section: Section): In<WriteEvent>[] => section.items.filter((it): it is In<WriteEvent> => it.kind === 'write' && it.timing === 'now' && it.event.op !== 'data' && it.event.op !== 'put');

/** Calls of something outside that cannot be taken back: a payment, a mail, a message, a request. */
export const externalCalls = (section: Section): In<ExternalEvent>[] => section.items.filter((it): it is In<ExternalEvent> => it.kind === 'external');

/** What the section does is a value with an expiry, and nothing else that lasts. */
export const fillsCache = (section: Section): boolean =>
  section.items.some((it) => it.kind === 'put' && it.event.hasExpiry) && !section.items.some((it) => it.kind === 'write' || it.kind === 'external' || (it.kind === 'put' && !it.event.hasExpiry));

/** A helper on the way is handed an idempotency key: what it does, it does once for each key. */
export const isKeyed = ({ at, via }: Deep, model: Model): boolean =>
  via.length > 0 && [at, ...via.slice(0, -1)].some((call) => call.args.some((arg) => {
    const value = model.evaluator.value(arg);
    return value.kind === 'object' && [...value.props].some(([name, given]) => idempotencyWords.test(name) && !isNothing(given));
  }));

/** A call in the section of which nothing is known: it may be the work that the lock is for. */
export function hasUnknownWork(section: Section, model: Model): boolean {
  const isUnknown = (call: CallExpr): boolean => model.interpreter.meaning(call).unknown !== undefined;
  if (section.flow) return [...section.flow.states].some(([step, states]) => step.op.kind === 'call' && [...states].some(isHeld) && isUnknown(step.op.call));
  const bodies = section.acquire.body ? alternatives(section.acquire.body) : [];
  const funcs = bodies.flatMap((it) => (it.kind === 'func' ? [it.func] : []));
  if (funcs.length === 0) funcs.push(section.frame);
  return funcs.some((func) => func.graph().steps.some((step) => step.op.kind === 'call' && isUnknown(step.op.call)));
}

/** Only comments stand between the two lines. */
function isJustAbove(module: Module, from: number, to: number): boolean {
  for (let line = from + 1; line < to; line++) {
    const text = module.text.slice(module.starts[line - 1], module.starts[line] ?? module.text.length).trim();
    if (text !== '' && !text.startsWith('//') && !text.startsWith('*') && !text.startsWith('/*')) return false;
  }
  return from < to && to - from < 8;
}

const keyText = (key: Value): string | undefined => {
  const form = alternatives(key).map((it) => (it.kind === 'const' ? String(it.value) : it.kind === 'text' ? it.parts.map((part) => (part.kind === 'const' ? String(part.value) : '*')).join('') : undefined));
  return form[0];
};

function matchesPattern(key: string, pattern: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return key === pattern;
  if (!key.startsWith(parts[0]!) || !key.endsWith(parts[parts.length - 1]!)) return false;
  let at = parts[0]!.length;
  for (const part of parts.slice(1, -1)) {
    const found = key.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}
