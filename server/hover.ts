/** What is shown when a finding or a lock is pointed at: the message, the interleaving, the lock's facts. */
import type { Story } from '../model/story.ts';
import type { Finding, Step } from '../rules/finding.ts';
import { printInterleaving, printStory } from '../rules/print.ts';
import { duration } from '../rules/words.ts';
import { locationOf } from './diagnostics.ts';
import type { Problem } from './lint.ts';
import { MarkupKind, isShownAt, shownRangeOf, type ClientAbilities, type Hover, type Position, type TextDocument } from './protocol.ts';
import { ruleNamed } from './severities.ts';
import type { Answer } from './workspace.ts';

/** The hover at a position; undefined where there is nothing to say. */
export function hoverAt(position: Position, answer: Answer, document: TextDocument, client: ClientAbilities, documentOf: (file: string) => TextDocument | undefined): Hover | undefined {
  const offset = document.offsetAt(position);
  const pointed = answer.problems.filter(({ span }) => isShownAt(document, span, offset));
  const tell = client.markdown
    ? (problem: Problem) => markdownOf(problem, client, (step) => step.place && linkTo(step, answer, document, documentOf))
    : plainTextOf;
  const told = [...pointed.map(tell), ...lockFacts(position, answer, document, pointed.length > 0).map((it) => (client.markdown ? factsInMarkdown(it, document.uri) : it))];
  if (told.length === 0) return undefined;
  return {
    contents: { kind: client.markdown ? MarkupKind.Markdown : MarkupKind.PlainText, value: told.join(client.markdown ? '\n\n---\n\n' : '\n\n') },
    ...(pointed[0] && { range: shownRangeOf(document, pointed[0].span) }),
  };
}

/** What is known of the lock that is taken or given back at a position; where there is a finding, only of one that is taken. */
function lockFacts(position: Position, { analysis, analysedVersion, shift }: Answer, document: TextDocument, hasFinding: boolean): string[] {
  // The story tells lines of the text that was analysed; after an edit they would be other lines.
  if (!analysis || analysedVersion !== document.version || !isLockCall(analysis.story, document, document.offsetAt(position), shift, hasFinding)) return [];
  return [printStory(analysis.story, { line: position.line + 1, isWhole: true }).trim()];
}

/** Whether the offset is in a call that takes a lock, or gives one back; within the section a hover would only be in the way. */
function isLockCall({ module, sections }: Story, document: TextDocument, offset: number, shift: 0 | 1, onlyAcquires: boolean): boolean {
  return sections.some(({ section }) =>
    [section.at, ...(onlyAcquires ? [] : section.releases.map((it) => it.at))].some(({ func, span }) => func.module === module && isShownAt(document, { start: span.start + shift, end: span.end + shift }, offset)),
  );
}

/** The lines of a story, a heading and what belongs to it, as lists whose lines lead to their places. */
function factsInMarkdown(facts: string, uri: string): string {
  return facts
    .split('\n')
    .map((it) => (it.startsWith('  ') ? `- ${escape(it.trim()).replace(/\bline (\d+)\b {0,2}/g, (told, line) => `[line ${line}](${uri}#L${line})${told.endsWith(' ') ? ' ' : ''}`)}` : it && `**${escape(it.replace(/ \(.*/, ''))}**${escape(/ \(.*/.exec(it)?.[0] ?? '')}\n`))
    .join('\n');
}

function linkTo(step: Step, answer: Answer, document: TextDocument, documentOf: (file: string) => TextDocument | undefined): string {
  const { uri, range } = locationOf(step.place!, document, answer.shift, documentOf);
  const line = range.start.line + 1;
  return uri === document.uri ? `[line ${line}](${uri}#L${line})` : `[${uri.slice(uri.lastIndexOf('/') + 1)}:${line}](${uri}#L${line})`;
}

/** Editors show the message of a diagnostic beside the hover; so the hover says it only where it has nothing to add. */
function markdownOf({ rule, message, finding }: Problem, client: ClientAbilities, link: (step: Step) => string | undefined): string {
  const page = client.codeDescription ? undefined : ruleNamed.get(rule)?.url;
  const told = finding?.interleaving?.length ? `**How this loses data**\n\n${tableOf(finding.interleaving, link)}` : escape(message);
  return page ? `${told}\n\n[${rule}](${page})` : told;
}

/** A row for each step. The view of the timeline has room for two lanes; a hover has not. */
function tableOf(steps: NonNullable<Finding['interleaving']>, link: (step: Step) => string | undefined): string {
  const rows = steps.map((step) => {
    const says = escape(step.says).replaceAll('|', '\\|');
    const place = link(step);
    const told = `${step.loses ? `**${says}**` : step.who === 'service' ? `*${says}*` : says}${place ? ` (${place})` : ''}`;
    return `| ${duration(step.at).replaceAll(' ', '\u00a0')} | ${step.who === 'service' ? '' : step.who} | ${told} |`;
  });
  return ['| | | |', '| ---: | --- | --- |', ...rows].join('\n');
}

const plainTextOf = ({ message, finding }: Problem): string => (finding?.interleaving?.length ? `${message}\n\n${printInterleaving(finding.interleaving)}` : message);

/** Text from the user's code must not be read as markup; code spans that a message sets itself stay. */
const escape = (text: string): string => text.replace(/`[^`]*`|[\\*_[\]<>#]/g, (it) => (it.startsWith('`') ? it : `\\${it}`));
