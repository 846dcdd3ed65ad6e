/** What an event is, in one line of words: the language of the comments in the catalog's fixtures. */
import type { Lock, ModelEvent } from '../../model/events.ts';
import { type Value, printValue } from '../../model/value.ts';

const text = (value: Value | undefined): string => (value === undefined ? '?' : value.kind === 'const' && typeof value.value === 'string' ? JSON.stringify(value.value) : printValue(value));

const lease = ({ lease: length, kind, isEndless }: Lock, isLibrary: boolean): string[] => {
  if (kind !== 'lease') return [];
  if (isEndless) return ['lease=none'];
  // A library may have a length of its own; a store has none that is not asked for.
  if (!length) return [isLibrary ? 'lease=?' : 'lease=none'];
  if (length.ms !== undefined) return [`lease=${length.ms % 1000 === 0 ? `${length.ms / 1000}s` : `${length.ms}ms`}`];
  const isNone = length.value.kind === 'const' && (length.value.value === null || length.value.value === undefined);
  return [isNone ? 'lease=none' : `lease=${printValue(length.value)} ${length.unit}`];
};

/** One event. Words that say nothing new are left out. */
export function describeEvent(event: ModelEvent): string {
  return wordsOf(event).filter((it) => it !== '').join(' ');
}

function wordsOf(event: ModelEvent): string[] {
  switch (event.kind) {
    case 'acquire': {
      const { lock } = event;
      return [
        'acquire',
        lock.kind === 'lease' ? '' : lock.kind,
        lock.key ? printValue(lock.key) : lock.table ? `a row of ${lock.table}` : '',
        ...lease(lock, event.form === 'library'),
        lock.owner ? `owner=${text(lock.owner)}` : '',
        `granted=${answer(event.granted)}`,
        `refused=${answer(event.refused)}`,
        event.body ? 'body' : '',
        event.signal === undefined ? '' : `signal=${event.signal}`,
        event.renews ? `renews=${event.renews}` : '',
        event.mints ? 'mints' : '',
        event.callback ? 'callback' : '',
        event.trap ? 'trap' : '',
      ];
    }
    case 'release':
      return ['release', event.key ? printValue(event.key) : event.handle ? `of ${printValue(event.handle)}` : '', event.ownerChecked ? 'checked' : 'blind', event.several ? 'several' : ''];
    case 'renew':
      return ['renew', event.key ? printValue(event.key) : event.handle ? `of ${printValue(event.handle)}` : '', event.ownerChecked ? 'checked' : 'blind'];
    case 'get':
      return ['get', printValue(event.key)];
    case 'put':
      return ['put', printValue(event.key), event.hasExpiry ? 'with expiry' : '', event.onlyIfPresent ? 'if present' : ''];
    case 'mint':
      return ['mint', event.key ? printValue(event.key) : ''];
    case 'write':
      return ['write', event.op, event.target, event.fenced === 'yes' ? 'fenced' : event.fenced === 'no' ? 'unfenced' : 'fence unknown', event.compared.length > 0 ? `compares ${event.compared.map(text).join(', ')}` : '', ...counted(event.row)];
    case 'external':
      return ['external', event.service, event.hasKey ? 'with key' : ''];
    case 'runs':
      return ['runs', printValue(event.body), event.when, event.onLoss ? 'on loss' : '', event.inTransaction ? 'in a transaction' : '', event.isSerializable ? 'serializable' : ''];
    case 'open':
      return ['what its caller makes it'];
    case 'statement':
      return ['statement', printValue(event.text)];
    case 'read':
      return ['read', event.value ? printValue(event.value) : '', event.locksOn ? 'locking' : ''];
    case 'database-lock':
      return [event.step === 'acquire' ? 'locks' : 'unlocks', `until the ${event.scope} ends`, event.name.toLowerCase(), event.connection === 'receiver' ? '' : `on a ${event.connection}`];
    default:
      return [event.kind, event.value ? printValue(event.value) : ''];
  }
}

const answer = (it: Value | 'throws' | 'waits'): string => (typeof it === 'string' ? it : text(it));

function counted(row: { count?: { path: readonly string[]; miss: unknown }; throwsOnMiss?: boolean } | undefined): string[] {
  if (row?.throwsOnMiss) return ['throws on a miss'];
  return row?.count ? [`missed when ${row.count.path.join('.') || 'the answer'} is ${String(row.count.miss)}`] : [];
}
