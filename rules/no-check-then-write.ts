/** A question whether the lock is still held, on which an unfenced write depends: the pause can fall between the two. */
import { type Question, questionsOf } from '../model/questions.ts';
import { sameSite } from '../model/value.ts';
import { sectionFenceEdits } from './fixes/fence.ts';
import { staleWrite } from './interleaving.ts';
import { type RuleFinding, at, defineRule } from './rule.ts';
import { lineOf, lockName } from './words.ts';

export default defineRule({
  name: 'no-check-then-write',
  preset: 'recommended',
  severity: 'warn',
  description: 'Do not ask whether the lock is still held before a write: let the write itself carry the condition.',
  messages: {
    service: '{{lock}} is asked for before {{target}} is written, and the answer is old when the write arrives. The holder can pause between the two, past the end of its lease, and overwrite the next holder\'s data at {{where}}. Put the condition into the write: a fencing token, or the version that was read.',
    signal: 'An abort signal is asked whether {{lock}} is lost before {{target}} is written. The signal pauses with its process, and the write at {{where}} can go out after the lease has ended, before anybody aborts. Put the condition into the write: a fencing token, or the version that was read.',
    flag: 'A flag of the renewal is asked whether {{lock}} is lost before {{target}} is written. The renewal pauses with its process, and the write at {{where}} can go out after the lease has ended, before the flag is set. Put the condition into the write: a fencing token, or the version that was read.',
    time: 'The time left of {{lock}} is asked before {{target}} is written. The holder can pause after the question, past the end of its lease, and overwrite the next holder\'s data at {{where}}. Put the condition into the write: a fencing token, or the version that was read.',
  },
  find: ({ story, settings }) => questionsOf(story).map((it) => ({ ...finding(it), edits: () => sectionFenceEdits(it.story, story, settings) })),
});

function finding({ story, write, place, asks }: Question): RuleFinding {
  const { target } = write.event;
  return {
    messageId: asks,
    data: { lock: lockName(story.section.lock), target: target.startsWith('`') ? target : `\`${target}\``, where: lineOf(at(write.call), place.file) },
    place,
    related: [
      { place: at(story.section.at), text: 'The lock is taken here.' },
      { place: at(write.call), text: 'This write depends on the answer and has no fence.' },
      ...(sameSite(write.call, write.event.call) ? [] : [{ place: at(write.event.call), text: 'The statement writes here.' }]),
    ],
    interleaving: staleWrite(story, write),
    edits: [],
  };
}
