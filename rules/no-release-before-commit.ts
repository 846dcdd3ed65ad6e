/** A lock that is given back before the transaction it protects has committed: the next holder reads the old data. */
import { type EarlyRelease, earlyReleases } from '../model/early-releases.ts';
import { releaseBeforeCommit } from './interleaving.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { lineOf, lockName, statementName } from './words.ts';

export default defineRule({
  name: 'no-release-before-commit',
  preset: 'recommended',
  severity: 'error',
  description: 'Commit first, then release: the next holder must see what was written.',
  messages: {
    statement: '{{lock}} is released before the commit at {{commit}}. Between the two the next holder reads the data as it was before this transaction, and overwrites it. Commit first, then release.',
    callback: '{{lock}} is released inside the transaction of {{commit}}. The commit comes when the callback has returned: the next holder reads the data as it was before, and overwrites it. Take and release the lock around the transaction.',
    decorator: '{{lock}} is released inside a method that commits when it returns. The next holder reads the data as it was before, and overwrites it. Take and release the lock around the transaction: in the caller, or around a callback.',
  },
  find: ({ story }) => earlyReleases(story).map(finding),
});

function finding(it: EarlyRelease): RuleFinding {
  const place = at(it.call);
  const commit = at(it.commit);
  const name = it.statement ? statementName(it.statement) : lockName(it.lock);
  return {
    messageId: it.how,
    data: { lock: it.statement ? `The lock of ${name}` : name, commit: lineOf(commit, place.file) },
    place,
    related: [
      ...(it.acquire ? [{ place: at(it.acquire), text: 'The lock is taken here.' }] : []),
      { place: at(it.write), text: `This write${it.target ? ` of ${it.target}` : ''} is not committed yet.` },
      { place: commit, text: it.how === 'statement' ? 'The commit comes only here.' : it.how === 'callback' ? 'The transaction commits when its callback has returned.' : 'The transaction commits when the method has returned.' },
    ],
    interleaving: releaseBeforeCommit(it, name),
    edits: [],
  };
}
