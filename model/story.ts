/**
 * The lock story of one file: every critical section, what happens in it, every release of a lock,
 * and what was not understood. Rules ask questions of this and of nothing else.
 */
import { Calls } from './calls.ts';
import { type Escape, escapesOf } from './escapes.ts';
import { Evaluator } from './evaluator.ts';
import { sameColumn } from './fences.ts';
import type { AcquireEvent, Lock, ReleaseEvent, WriteEvent } from './events.ts';
import { Identities } from './identity.ts';
import { Interpreter } from './interpret.ts';
import type { CallExpr, Module } from './ir.ts';
import { leaderSections } from './leaders.ts';
import { type OwnerValue, ownerValue } from './owners.ts';
import { type Place, type Span, lineAndColumn } from './place.ts';
import type { Project } from './project.ts';
import { type Purpose, declaredPurpose, isKeyed } from './purpose.ts';
import { findReleases } from './releases.ts';
import { analyzeSql } from './sql/index.ts';
import { sameKey } from './key-form.ts';
import { isMemo } from './memos.ts';
import { type Section } from './sections.ts';
import { sqlTextOf } from './statements.ts';
import type { Deep } from './deep.ts';
import { Summaries } from './summaries.ts';
import { partsOf } from './tokens.ts';
import { type UncheckedToken, invertedToken, uncheckedToken } from './token-checks.ts';
import { type Value, alternatives, contains, printValue, sameSite, sameValue } from './value.ts';

export interface StoryOptions {
  /** Keys that are efficiency locks, `*` for any text. */
  efficiencyKeys: readonly string[];
}

/** A release of something that is known to be a lock. */
export interface LockRelease {
  event: ReleaseEvent;
  /** The expression that is reported: the release's own call, or the call of a generic helper. */
  call: CallExpr;
  lock: Lock | undefined;
  acquire: AcquireEvent | undefined;
  acquireCall: CallExpr | undefined;
  /** A comparison of the key's content stands before it, in a step of its own. */
  comparedBefore: CallExpr | undefined;
  owner: OwnerValue;
}

export interface UnfencedWrite {
  event: WriteEvent;
  /** The expression that is reported. */
  call: CallExpr;
  /** Calls that lead from there to the statement. */
  via: readonly CallExpr[];
  /** It has a token, and nothing compares it in the write. */
  isUnchecked: boolean;
}

export interface SectionStory {
  section: Section;
  /** What the code says that the lock is for. */
  purpose: Purpose | undefined;
  /** Its failure costs duplicate work only, or it is no lease. */
  isEfficiency: boolean;
  unfenced: UnfencedWrite[];
  unchecked: UncheckedToken[];
  renewals: { deep: Deep | undefined; call: CallExpr }[];
  /** Work that goes on after the release. What it writes belongs to the section all the same. */
  escapes: Escape[];
  owner: OwnerValue;
}

export interface Story {
  module: Module;
  /** What the story was told from: edits ask it which row a call matched, and what a name in sight stands for. */
  model: Model;
  sections: SectionStory[];
  releases: LockRelease[];
  /** Acquires whose lock was lost sight of, and why. */
  lost: { acquire: AcquireEvent; call: CallExpr; why: string }[];
  /** Found when it is asked for. */
  readonly unknown: { call: CallExpr; why: string }[];
  place(span: Span, module?: Module): Place;
}

/** The place of a span in its module. */
export function placeOf(module: Module, span: Span): Place {
  const start = lineAndColumn(module.starts, span.start);
  const end = lineAndColumn(module.starts, span.end);
  return { file: module.file, start: span.start, end: span.end, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}

/** The analysis of a project: evaluator, interpreter and summaries, shared by all its files. */
export class Model {
  readonly evaluator: Evaluator;
  readonly identities: Identities;
  readonly calls: Calls;
  readonly interpreter: Interpreter;
  readonly summaries: Summaries;

  constructor(readonly project: Project) {
    this.evaluator = new Evaluator(project);
    this.identities = new Identities(this.evaluator);
    this.calls = new Calls(this.evaluator, this.identities);
    this.calls.arguments.isSql = (value) => {
      const text = sqlTextOf(value);
      const facts = text && analyzeSql(text.sql);
      return !!facts && facts.some((it) => it.kind !== 'other' && !it.unparsed);
    };
    this.interpreter = new Interpreter(this.calls, project.catalog);
    this.summaries = new Summaries(this.evaluator, this.interpreter);
  }
}

export function tellStory(model: Model, module: Module, options: StoryOptions): Story {
  const sections: SectionStory[] = [];
  const lost: Story['lost'] = [];
  for (const func of module.functions) {
    const summary = model.summaries.of(func);
    for (const section of summary.sections) {
      if (section.at.func.module !== module) continue;
      // A body that is run under a lock belongs to the innermost function that has it in sight.
      if (sections.some((it) => sameSite(it.section.at, section.at) && it.section.acquire.call === section.acquire.call && it.section.form === section.form)) continue;
      sections.push(sectionStory(section, model, module, options));
    }
  }
  for (const section of leaderSections(model, module)) sections.push(sectionStory(section, model, module, options));
  const story: Story = { module, model, sections, releases: [], lost, get unknown() { return notUnderstood(model, module); }, place: (span, of = module) => placeOf(of, span) };
  story.releases.push(...findReleases(model, module, sections));
  for (const func of module.functions) {
    for (const it of model.summaries.of(func).known) {
      if (it.kind !== 'acquire' || it.via.length > 0 || it.event.lock.kind === 'local') continue;
      const event = it.event;
      if (sections.some((each) => sameSite(each.section.acquire.call, event.call)) || lost.some((each) => sameSite(each.call, it.at))) continue;
      const isReleased = story.releases.some((each) => each.acquire && sameSite(each.acquire.call, event.call));
      lost.push({ acquire: event, call: it.at, why: isReleased ? 'it is given back in another function, and no caller is in this file' : 'no release of this key is in sight: a mark, a throttle, or a lock that is given back elsewhere' });
    }
  }
  return story;
}

/** The calls of a file that are not understood. */
const notUnderstood = (model: Model, module: Module): Story['unknown'] =>
  module.functions.flatMap((func) =>
    func.graph().steps.flatMap(({ op }) => {
      const why = op.kind === 'call' ? model.interpreter.meaning(op.call).unknown : undefined;
      return why === undefined ? [] : [{ call: (op as { call: CallExpr }).call, why }];
    }),
  );

const isWithin = (inner: CallExpr, outer: CallExpr): boolean => inner.func.module === outer.func.module && outer.span.start <= inner.span.start && inner.span.end <= outer.span.end;

function sectionStory(section: Section, model: Model, module: Module, options: StoryOptions): SectionStory {
  const unfenced: UnfencedWrite[] = [];
  const unchecked: UncheckedToken[] = [];
  const escapes = escapesOf(model, section);
  const purpose = declaredPurpose(section, module, options.efficiencyKeys);
  const isEfficiency = section.lock.kind !== 'lease' || purpose === 'efficiency';
  if (section.lock.kind === 'lease') {
    for (const it of section.items) {
      if (it.kind !== 'write' && it.kind !== 'put') continue;
      // What a timer does again and again is not part of the section, and what it does once only where it was put off in it.
      if (it.timing === 'repeatedly' || (it.timing === 'later' && !escapes.some(({ call }) => isWithin(it.at, call)))) continue;
      const event = it.kind === 'put' ? (isMemo(it, model) ? undefined : putAsWrite(it, section)) : it.event;
      const inverted = event && invertedToken(event, section, model);
      if (inverted) unchecked.push(inverted);
      if (!event || event.fenced !== 'no') continue;
      if (it.under.some((held) => !sameSite(held.acquire.call, section.acquire.call) && held.lock.kind === 'lease')) continue;
      if (isFencedByLock(event, section.lock) || section.releases.some((release) => sameSite(release.site, event.call))) continue;
      if (isClaimed(it, section) || isRowLocked(it, section, model) || isOwnKey(event) || isGivenExpiry(event, section) || isMadeHere(event, section) || isSwept(event, section) || isKeyed(it, model)) continue;
      if (it.inTransaction && (it.isSerializable || isFencedBeside(it, section))) continue;
      if (it.at.func.module !== module) continue;
      const token = uncheckedToken(it, event, section, model);
      if (token) unchecked.push(token);
      const write: UnfencedWrite = { event, call: it.at, via: it.via, isUnchecked: token !== undefined };
      // A write is said once for each place; an insert, which is seldom meant, gives way to any other, and so does what is told where its statement stands.
      const known = unfenced.findIndex((each) => sameSite(each.call, it.at));
      if (known < 0) unfenced.push(write);
      else if (rank(unfenced[known]!) < rank(write)) unfenced[known] = write;
    }
  }
  const renewals: SectionStory['renewals'] = section.renewals.map((deep) => ({ deep, call: deep.at }));
  if (section.renews === 'body') renewals.push({ deep: undefined, call: section.at });
  // A function of the section that is called by name and handed over as well is told once, at its own writes.
  const isToldInside = ({ event, via }: UnfencedWrite): boolean => unfenced.some((other) => sameSite(other.event.call, event.call) && via.some((call) => sameSite(call, other.call)));
  return { section, purpose, isEfficiency, unfenced: unfenced.filter((it) => !isToldInside(it)), unchecked, renewals, escapes, owner: ownerValue(section.lock.owner) };
}

const rank = (it: UnfencedWrite): number => (it.event.op === 'insert' ? 0 : it.isUnchecked ? 1 : 2);

/** A called function that claims rows of the table one by one, by a conditional write: its other writes end what was claimed, or what nobody can claim any more. */
function isClaimed(it: Deep, section: Section): boolean {
  const event = it.event;
  return event.kind === 'write' && it.via.length > 0 && section.items.some((other) => other.kind === 'write' && other.event.fenced === 'yes' && other.event.op === 'update' && other.event.target === event.target && other.site.func.module === event.call.func.module && sameSite(other.at, it.at) && (other.site.span.start < event.call.span.start || isCompareAndSet(other.event)));
}

/** `SET seen = seen + 1 WHERE seen = $n`: of two that try it, one is refused. */
const isCompareAndSet = ({ row }: WriteEvent): boolean => (row?.filter ?? []).some((it) => 'column' in it && it.op === '=' && row!.changes.some((change) => sameColumn(change.column, it.column)));

/** Its transaction has locked a row before: when the lock is lost, so is the transaction. */
function isRowLocked(it: Deep, section: Section, model: Model): boolean {
  if (it.kind !== 'write' || !it.event.connection) return false;
  const connection = connectionOf(it.event.connection);
  // Under such a decorator every client of the method is in its transaction.
  const isAmbient = section.frame.decorators.some((each) => each.kind === 'call' && model.interpreter.opensTransaction(each));
  return section.items.some((other) => {
    if (other.kind !== 'read' || !('locksOn' in other.event) || other.event.locksOn === undefined || other.at.span.start > it.at.span.start) return false;
    return isAmbient || sameValue(connectionOf(other.event.locksOn), connection);
  });
}

/** The connection or transaction that a receiver belongs to: `tx` of `tx.order`. What hangs on `this` is no more than itself. */
function connectionOf(value: Value): Value {
  let at = value;
  for (;;) {
    if (at.kind === 'field' && at.of.kind !== 'this' && at.of.kind !== 'instance') at = at.of;
    else if (at.kind === 'typed' && at.base && !at.type.includes('Tx') && at.site?.use === 'chained') at = at.base;
    else return at;
  }
}

/** Another write of its transaction is fenced, or ends the lock only if it is still ours: when that is refused, all is taken back. */
function isFencedBeside(it: Deep, section: Section): boolean {
  return [...section.items, ...section.releases].some(({ event, inTransaction }) => sameSite(inTransaction, it.inTransaction) && ((event.kind === 'write' && event.fenced === 'yes') || (event.kind === 'release' && event.ownerChecked && event.form === 'statement')));
}

/** The key gets an expiry in a step of its own: a cached value all the same. */
const isGivenExpiry = (event: WriteEvent, section: Section): boolean => event.key !== undefined && section.items.some((it) => it.kind === 'renew' && it.event.key !== undefined && sameKey(it.event.key, event.key!));

/** The row that is written was inserted in this section: no other holder knows it. */
function isMadeHere(event: WriteEvent, section: Section): boolean {
  const inserts = section.items.filter((it) => it.kind === 'write' && it.event.op === 'insert');
  const chosenBy = [event.row?.by, ...(event.row?.filter ?? []).map((it) => ('column' in it && it.op === '=' ? it.value : undefined))];
  return chosenBy.some((value) => value !== undefined && inserts.some((insert) => alternatives(value).filter((it) => it.kind !== 'const').every((it) => contains(rootOf(it), (each) => (each.kind === 'result' || each.kind === 'typed') && sameSite(each.site, insert.site)))));
}

/** Rows that the section has just listed are deleted one by one: a second holder finds them gone. */
function isSwept(event: WriteEvent, section: Section): boolean {
  if (event.op !== 'delete') return false;
  const chosenBy = [event.row?.by, ...(event.row?.filter ?? []).map((it) => ('column' in it && it.op === '=' ? it.value : undefined))].filter((it) => it !== undefined);
  const reads = section.items.filter((it) => it.kind === 'read');
  return chosenBy.some((value) => contains(value, (it) => it.kind === 'item' && contains(it, (each) => (each.kind === 'result' || each.kind === 'typed') && reads.some((read) => sameSite(each.site, read.site)))));
}

function rootOf(value: Value): Value {
  let at = value;
  for (;;) {
    if (at.kind === 'field' || at.kind === 'item') at = at.of;
    // `row.get('id')` is a part of the row as well.
    else if (at.kind === 'result' && at.callee.kind === 'field' && at.args.every((it) => it.kind === 'const')) at = at.callee.of;
    else return at;
  }
}

/** A key with a random part of its own is nobody else's. */
const isOwnKey = (event: WriteEvent): boolean => event.key !== undefined && contains(event.key, (it) => it.kind === 'fresh' && it.source === 'random');

/** A plain `SET` of data without expiry is a durable write; with one it fills a cache. */
function putAsWrite(it: Deep, section: Section): WriteEvent | undefined {
  if (it.kind !== 'put' || it.event.hasExpiry) return undefined;
  if (section.lock.key && sameKey(it.event.key, section.lock.key)) return undefined;
  if (it.event.key.kind === 'unknown') return undefined;
  // A mark says the same whoever sets it.
  if (it.event.value.kind === 'const') return undefined;
  return { kind: 'write', call: it.site, library: it.event.library, op: 'put', key: it.event.key, target: `\`${printValue(it.event.key)}\``, fenced: 'no', compared: [], sends: [it.event.value] };
}

function isFencedByLock(event: WriteEvent, lock: Lock): boolean {
  if (!lock.owner || alternatives(lock.owner).every((it) => it.kind === 'const')) return false;
  // What a call has answered does not hold what it was called with.
  return event.compared.some((it) => partsOf(it).some((each) => sameValue(each, lock.owner!)));
}
