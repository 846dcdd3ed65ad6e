/** The story and the interleaving as plain text, for the terminal, for hovers and for tests. */
import type { AcquireEvent, DatabaseLockEvent, Lock } from '../model/events.ts';
import { leakOf } from '../model/leaks.ts';
import { coordinatorOf } from '../model/purpose.ts';
import { type SectionStory, type Story, placeOf } from '../model/story.ts';
import { printValue } from '../model/value.ts';
import type { Step } from './finding.ts';
import { at } from './rule.ts';
import { calleeText, duration, leaseLength, lineOf, lockName, statementName } from './words.ts';

/**
 * The locks of a file: where each is taken, what happens under it, how it is given back, and what
 * was lost sight of. With `line` (1-based) only what reaches over that line; with `isWhole` also what a
 * refusal looks like.
 */
export function printStory(story: Story, o: { line?: number; isWhole?: boolean } = {}): string {
  const lines: string[] = [];
  const inside = (from: number, to: number): boolean => o.line === undefined || (from <= o.line && o.line <= to);
  for (const it of story.sections) {
    const { section } = it;
    const first = at(section.at);
    const last = Math.max(first.endLine, ...section.items.filter((each) => each.at.func.module === story.module).map((each) => at(each.at).endLine), ...section.releases.filter((each) => each.at.func.module === story.module).map((each) => at(each.at).endLine));
    if (!inside(first.line, last)) continue;
    lines.push(...sectionLines(it, story, o), '');
  }
  for (const it of databaseLocks(story)) if (inside(it.line, it.line)) lines.push(...it.lines, '');
  const lost = story.lost.filter((it) => inside(at(it.call).line, at(it.call).endLine));
  if (lost.length) {
    lines.push('Not followed as a lock:');
    for (const it of lost) lines.push(`  line ${at(it.call).line}  ${lockName(it.acquire.lock)}: ${it.why}`);
    lines.push('');
  }
  const unknown = o.line === undefined ? story.unknown.filter((it) => story.sections.some((each) => each.section.items.length > 0 && isWithin(it.call, each))) : [];
  if (unknown.length) {
    lines.push('Not understood under a lock:');
    for (const it of unknown) lines.push(`  line ${at(it.call).line}  ${whyUnknown(it)}`);
    lines.push('');
  }
  return lines.join('\n');
}

function isWithin(call: Story['unknown'][number]['call'], { section }: SectionStory): boolean {
  return call.func === section.frame && call.span.start > section.at.span.start;
}

function sectionLines(it: SectionStory, story: Story, o: { isWhole?: boolean }): string[] {
  const { section } = it;
  const { file } = story.module;
  const lines = [`${lockName(section.lock)} ${describeLock(section.lock, it)}`];
  if (section.flag !== undefined) lines.push(`  let through at ${lineOf(placeOf(section.frame.module, section.frame.nameSpan), file)}, by the flag ${section.flag}`);
  lines.push(`  taken at ${lineOf(at(section.at), file)}${section.via.length ? `, through ${[...section.via].map((call) => lineOf(at(call), file)).join(' → ')}` : ''}${it.isEfficiency && section.lock.kind === 'lease' ? ' (an efficiency lock)' : ''}`);
  if (o.isWhole) lines.push(...refusalLines(it));
  lines.push(...tokenLines(section));
  const seen = new Set<string>();
  for (const each of section.items) {
    const { event } = each;
    const place = lineOf(at(each.at), file);
    const where = each.via.length ? ` at ${lineOf(at(event.call), file)}` : '';
    let says: string | undefined;
    if (event.kind === 'write') says = `writes ${event.target}${where}: ${event.fenced === 'yes' ? `fenced${event.why ? ` (${event.why})` : ''}` : event.fenced === 'no' ? 'no fence' : `unknown${event.why ? ` (${event.why})` : ''}`}`;
    if (event.kind === 'put') says = `sets "${printValue(event.key)}"${where}${event.hasExpiry ? ', with an expiry' : ''}`;
    if (event.kind === 'external') says = `calls a ${event.service} service${where}${event.hasKey ? ', with an idempotency key' : ''}`;
    if (event.kind === 'exit') says = 'ends the process';
    if (!says || seen.has(place + says)) continue;
    seen.add(place + says);
    lines.push(`  ${place}  ${says}${each.timing === 'now' ? '' : ` (${each.timing === 'floating' ? 'not awaited' : each.timing})`}`);
  }
  for (const each of it.renewals) lines.push(`  ${lineOf(at(each.call), file)}  the lease is renewed${each.deep ? ` by ${calleeText(each.deep.site)}` : ' by the library'}`);
  for (const each of section.releases) {
    if (each.kind !== 'release') continue;
    lines.push(`  ${lineOf(at(each.at), file)}  released${each.via.length ? ` at ${lineOf(at(each.site), file)}` : ''}: ${each.event.ownerChecked ? 'only if still ours' : 'blindly'}`);
  }
  if (section.form === 'body' && section.releases.length === 0 && section.flag === undefined) lines.push('  released by the library');
  if (o.isWhole) lines.push(...leakLines(it, story), ...story.unknown.filter((each) => isWithin(each.call, it)).map((each) => `  ${lineOf(at(each.call), file)}  not understood: ${whyUnknown(each)}`));
  return lines;
}

/** A callee that the model has no name for still has one where it stands. */
const whyUnknown = ({ call, why }: Story['unknown'][number]): string => (why.includes('…') ? `what ${calleeText(call)} does` : why);

/** A way out on which the lock stays taken. */
function leakLines({ section }: SectionStory, { module, model }: Story): string[] {
  if (section.form === 'pair' && section.releases.length === 0) return ['  no release is in sight'];
  const leak = leakOf(model, section);
  if (!leak) return [];
  const where = lineOf(placeOf(section.frame.module, leak.span), module.file);
  return [`  ${where}  not released ${leak.how === 'exit' ? 'when the process exits here' : leak.how === 'return' ? 'when the function returns here' : 'when this throws'}`];
}

/** What the code must look at after the acquire. */
function refusalLines({ section: { acquire, form } }: SectionStory): string[] {
  const { refused } = acquire;
  const known = typeof refused === 'string' ? undefined : printValue(refused);
  const refusal = refused === 'throws' ? 'throws' : refused === 'waits' ? 'none, it waits until it is granted' : form === 'body' ? undefined : known?.includes('…') ? 'not known' : `answers ${known}`;
  return refusal ? [`  a refusal: ${refusal}`] : [];
}

function describeLock(lock: Lock, it: SectionStory): string {
  const lease = lock.isEndless ? 'no lease: it stays until it is released' : lock.kind === 'lease' ? `lease ${leaseLength(lock) ?? (lock.lease ? 'of a length that is not constant' : 'without an end in sight')}` : `${lock.kind} lock`;
  return `(${lock.title}, ${lease}, ${describeOwner(lock, it)})`;
}

function describeOwner({ kind, space }: Lock, { owner }: SectionStory): string {
  if (owner.kind === 'constant') return `owner value is the constant ${JSON.stringify(owner.text)}`;
  if (owner.kind === 'process') return 'one owner value per process';
  if (owner.kind === 'fresh') return 'fresh owner value';
  if (kind === 'local') return 'its owner is this process';
  return space === 'library' ? 'the library keeps the owner value' : 'owner value not known to be fresh';
}

/** Where a token for the lock comes from, or would, and whether a later one is a larger one, come what may. */
function tokenLines(section: SectionStory['section']): string[] {
  const source = tokenSource(section.acquire, section.lock);
  return [`  token: ${source}`, ...(source.startsWith('none:') ? [] : [`  its order: ${orders[coordinatorOf(section) ?? 'unknown']}`])];
}

/** By what the grant rests on. */
const orders: Record<NonNullable<ReturnType<typeof coordinatorOf>> | 'unknown', string> = {
  consensus: 'holds across a failover',
  database: 'holds within the store that keeps the row',
  timing: 'does not survive a failover, for replication is asynchronous',
  machine: 'holds on this machine',
  process: 'holds in this process',
  unknown: 'not known',
};

function tokenSource({ library, mints }: AcquireEvent, { space, kind }: Lock): string {
  if (mints) return 'minted in the grant';
  if (kind === 'local') return 'none: the lock reaches no further than this machine';
  return library?.token ?? (space === 'row' ? 'a counter in the same row, raised by the write that takes the lock' : 'none: nothing of it is known to have an order');
}

/** Locks of the database itself: what they end with is their owner, and no section of a lease. */
function databaseLocks({ module, model }: Story): { line: number; lines: string[] }[] {
  return module.functions.flatMap((func) => func.graph().steps).flatMap(({ op }) => {
    if (op.kind !== 'call') return [];
    const { line } = at(op.call);
    return model.interpreter.meaning(op.call).events.flatMap((event) => {
      const said = event.kind === 'database-lock' && event.step === 'acquire' ? databaseLock(event) : (event.kind === 'begin' || event.kind === 'runs') && event.locks !== undefined ? [`\`${event.locks}\``, event.library?.title, 'transaction', 'the transaction'] : undefined;
      if (!said) return [];
      const [name, title = 'the database', scope, owner] = said;
      return [{ line, lines: [`${name} (${title}, ${scope} lock, its owner is ${owner})`, `  taken at line ${line}`, '  token: a sequence or a counter row of the same database', '  its order: holds within the database'] }];
    });
  });
}

function databaseLock(event: DatabaseLockEvent): [string, string | undefined, string, string] {
  const owner = event.scope === 'transaction' ? 'the transaction' : event.connection === 'pool' ? 'whichever connection of the pool runs it' : 'the connection';
  return [statementName(event), event.library?.title, event.scope, owner];
}

/** The steps as a table of lines: time, instance, what it does. */
export function printInterleaving(steps: readonly Step[]): string {
  const times = steps.map((it) => duration(it.at));
  const width = Math.max(...times.map((it) => it.length));
  return steps
    .map((it, i) => {
      const who = it.who === 'service' ? '·' : it.who;
      const where = it.place ? `  (line ${it.place.line})` : '';
      return `${times[i]!.padStart(width)}  ${who}  ${it.says}${where}${it.resource ? `  → ${it.resource}` : ''}`;
    })
    .join('\n');
}
