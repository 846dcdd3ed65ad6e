/** The code actions of a range: the edits of the problems there, and comments that disable their rules. */
import type { Change, Edit } from '../rules/finding.ts';
import { diagnosticOf } from './diagnostics.ts';
import { disableForFile, disableForLine, endOfLine } from './disable-comments.ts';
import type { Problem } from './lint.ts';
import { commands, type EfficiencyParams } from './messages.ts';
import { CodeActionKind, isShownAt, rangeOf, type ClientAbilities, type CodeAction, type Diagnostic, type Range, type TextDocument, type TextEdit, type WorkspaceEdit } from './protocol.ts';
import { ruleNamed } from './severities.ts';
import type { Answer } from './workspace.ts';

export interface CodeActionQuestion {
  range: Range;
  /** Kinds that the client wants; all when undefined. */
  only?: string[];
}

/** A text that an edit was made for; `version` is null when it lies on disk and not in the editor. */
export interface EditableText {
  document: TextDocument;
  version: number | null;
}

export interface OtherFiles {
  /** The open document of a file. */
  documentOf(file: string): TextDocument | undefined;
  /** The text of a file as the analysis saw it; undefined when it has changed since. */
  editable(file: string): EditableText | undefined;
  /** Edits that reach into other files, for a problem that cannot be mended in its own, or not as well. */
  editsAcross(problem: Problem, answer: Answer): readonly Edit[];
}

/**
 * The actions for `question`, best first. None when the document has changed since it was analysed:
 * an edit fits the text that it was made for and no other.
 */
export function codeActionsFor(
  question: CodeActionQuestion,
  answer: Answer,
  document: TextDocument,
  client: ClientAbilities,
  others: OtherFiles,
): CodeAction[] {
  const wantsQuickFixes = !question.only || question.only.some((kind) => kind === '' || kind === CodeActionKind.QuickFix);
  if (!client.codeActions || !wantsQuickFixes || answer.analysedVersion !== document.version) return [];
  const start = document.offsetAt(question.range.start);
  const end = document.offsetAt(question.range.end);
  const asked = answer.problems.filter(({ span }) => isShownAt(document, span, start, end));

  const fixes: CodeAction[] = [];
  const disabling: CodeAction[] = [];
  const disabledForFile = new Set<string>();
  for (const problem of asked) {
    const diagnostic = diagnosticOf(problem, answer, document, client, others.documentOf);
    const action = (title: string, edit: WorkspaceEdit, isPreferred = false): CodeAction => ({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      edit,
      ...(isPreferred && { isPreferred }),
    });
    const inDocument = (edit: TextEdit) => workspaceEdit([{ document, version: document.version, edits: [edit] }], client);
    for (const [index, edit] of [...others.editsAcross(problem, answer), ...(problem.finding?.edits ?? [])].entries()) {
      const change = changesOf(edit, problem, answer, document, others);
      if (change) fixes.push(action(edit.title, workspaceEdit(change, client, edit.kind, document.uri), index === 0));
    }
    const line = disableForLine(problem, document);
    if (line) disabling.push(action(`Disable ${problem.rule} for this line`, inDocument(line)));
    if (!disabledForFile.has(problem.rule)) disabling.push(action(`Disable ${problem.rule} for this file`, inDocument(disableForFile(problem, document))));
    disabledForFile.add(problem.rule);
  }
  return [...fixes, ...allOfAKind(asked, answer, document, client), ...(client.commands ? commandActions(asked, answer, document, (it) => diagnosticOf(it, answer, document, client, others.documentOf)) : []), ...disabling];
}

/** What an action that mends a whole file carries until it is chosen. */
export interface MendData {
  uri: string;
  version: number;
  rule: string;
}

/** One action for each rule of which the file has more findings that can be mended. Its edit is made when it is chosen. */
function allOfAKind(asked: readonly Problem[], answer: Answer, document: TextDocument, client: ClientAbilities): CodeAction[] {
  if (!client.resolvesEdits) return [];
  const rules = new Set(asked.filter((it) => it.finding?.edits.length).map((it) => it.rule));
  return [...rules].flatMap((rule): CodeAction[] => {
    const count = answer.problems.filter((it) => it.rule === rule && it.finding?.edits.length).length;
    return count < 2 ? [] : [{ title: `Mend all ${count} of ${rule} in this file`, kind: CodeActionKind.QuickFix, data: { uri: document.uri, version: document.version, rule } satisfies MendData }];
  });
}

/**
 * The edit that mends every finding of a rule: edits are made one after the other, each on the text that
 * the last one has left, because the second may build on what the first has brought in. `lintText` gives
 * the problems of a text. Undefined where they come to no end.
 */
export function mendAll(text: string, rule: string, lintText: (text: string) => readonly Problem[]): string | undefined {
  let current = text;
  let problems = lintText(current).filter((it) => it.rule === rule && it.finding?.edits.length);
  for (let rounds = problems.length; rounds > 0 && problems.length > 0; rounds--) {
    const [edit] = problems[0]!.finding!.edits;
    // An edit that reaches into other files is for the hand.
    if (edit!.changes.some((it) => it.file !== undefined && it.file !== problems[0]!.finding!.place.file)) return undefined;
    for (const { start, end, text: replacement } of [...edit!.changes].sort((a, b) => b.start - a.start)) current = current.slice(0, start) + replacement + current.slice(end);
    problems = lintText(current).filter((it) => it.rule === rule && it.finding?.edits.length);
  }
  return problems.length === 0 && current !== text ? current : undefined;
}

/** What Fencepost's own client does by commands. Each says which diagnostic it is about: editors put actions without one last. */
function commandActions(asked: readonly Problem[], answer: Answer, document: TextDocument, diagnosticFor: (problem: Problem) => Diagnostic): CodeAction[] {
  const actions: CodeAction[] = [];
  const byCommand = (title: string, problem: Problem, command: string, argument: unknown) =>
    actions.push({ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnosticFor(problem)], command: { title, command, arguments: [argument] } });
  const told = asked.find((it) => it.finding?.interleaving?.length);
  if (told) byCommand('Show how this loses data', told, commands.showTimeline, { textDocument: { uri: document.uri }, position: document.positionAt(told.span.start) });
  for (const it of asked) {
    const marked = acquireOf(it, answer, document);
    if (!marked) continue;
    byCommand('Mark as efficiency lock…', it, commands.markEfficiency, marked);
    break;
  }
  const pages = new Map(asked.map((it) => [it.rule, it]));
  for (const [rule, it] of pages) byCommand(`Open the page of ${rule}`, it, commands.openPage, ruleNamed.get(rule)!.url);
  return actions;
}

/** The line of the acquire whose lock the problem is about, where it stands in this document and a comment can go above it. */
function acquireOf(problem: Problem, { analysis, shift }: Answer, document: TextDocument): EfficiencyParams | undefined {
  if (!analysis || problem.rule === 'no-blind-release') return undefined;
  const { story } = analysis;
  const places = [problem.finding?.place, ...(problem.finding?.related.map((it) => it.place) ?? [])];
  const section = story.sections.find(({ section: { at, lock } }) => lock.kind === 'lease' && at.func.module === story.module && places.some((it) => it?.file === story.module.file && it.start === at.span.start));
  if (!section || section.isEfficiency) return undefined;
  const { line } = document.positionAt(section.section.at.span.start + shift);
  const indent = /^[ \t]*/.exec(document.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }))![0];
  return { uri: document.uri, version: document.version, line, indent };
}

interface FileEdits extends EditableText {
  edits: TextEdit[];
}

/** An edit's changes by file; undefined when one is for a text that is no more. */
function changesOf(edit: Edit, problem: Problem, answer: Answer, document: TextDocument, others: OtherFiles): FileEdits[] | undefined {
  const files = new Map<string, FileEdits>();
  for (const change of edit.changes) {
    const own = change.file === undefined || change.file === problem.finding?.place.file;
    const target = own ? { document, version: document.version } : others.editable(change.file!);
    if (!target) return undefined;
    const { uri } = target.document;
    const entry = files.get(uri) ?? { ...target, edits: [] };
    files.set(uri, entry);
    entry.edits.push(textEditOf(change, target.document, own ? answer.shift : 0));
  }
  return [...files.values()];
}

const textEditOf = (change: Change, document: TextDocument, shift: 0 | 1): TextEdit => ({
  range: rangeOf(document, { start: change.start + shift, end: change.end + shift }),
  newText: change.text.replace(/\r?\n/g, endOfLine(document)),
});

/** What is said of an edit that reaches into other files, by its kind: of its part in this file, and of that in others. */
const previews: Record<string, { here: Preview; elsewhere: Preview }> = {
  'compare-and-delete-across': {
    here: { label: 'The owner value in this file', description: 'a release that is told the key compares it as well' },
    elsewhere: { label: 'The owner value in other files', description: 'whoever takes the lock hands it to acquire and release' },
  },
  'compare-and-extend-across': {
    here: { label: 'The owner value in this file', description: 'a renewal that is told the key compares it as well' },
    elsewhere: { label: 'The owner value in other files', description: 'whoever holds the lock hands it to the renewal' },
  },
  'fenced-write-across': {
    here: { label: 'The token in this file', description: 'minted in the grant, and handed on' },
    elsewhere: { label: 'The token in other files', description: 'a parameter of the functions on the way, compared in the statement that writes' },
  },
};
const anyPreview = { here: { label: 'In this file', description: '' }, elsewhere: { label: 'In other files', description: '' } };

interface Preview {
  label: string;
  description: string;
}

/**
 * With the version that each document must still have, where the client understands that. What reaches into
 * other files is shown before it is done, where the client can; `kind` is the edit's.
 */
function workspaceEdit(files: FileEdits[], client: ClientAbilities, kind = '', own = files[0]?.document.uri): WorkspaceEdit {
  if (!client.documentChanges) return { changes: Object.fromEntries(files.map(({ document, edits }) => [document.uri, edits])) };
  if (files.length === 1 || !client.changeAnnotations) return { documentChanges: files.map(({ document, version, edits }) => ({ textDocument: { uri: document.uri, version }, edits })) };
  const { here, elsewhere } = previews[kind] ?? anyPreview;
  return {
    documentChanges: files.map(({ document, version, edits }) => ({ textDocument: { uri: document.uri, version }, edits: edits.map((it) => ({ ...it, annotationId: document.uri === own ? 'here' : 'elsewhere' })) })),
    changeAnnotations: { here: { ...here, needsConfirmation: true }, elsewhere: { ...elsewhere, needsConfirmation: true } },
  };
}
