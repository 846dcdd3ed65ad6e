/** The code actions of a range: the edits of the problems there, and comments that disable their rules. */
import type { Change, Edit } from '../rules/finding.ts';
import { diagnosticOf } from './diagnostics.ts';
import { disableForFile, disableForLine, endOfLine } from './disable-comments.ts';
import type { Problem } from './lint.ts';
import { CodeActionKind, rangeOf, type ClientAbilities, type CodeAction, type Range, type TextDocument, type TextEdit, type WorkspaceEdit } from './protocol.ts';
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
  const asked = answer.problems.filter(({ span }) => span.start <= end && start <= span.end);

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
    for (const [index, edit] of (problem.finding?.edits ?? []).entries()) {
      const change = changesOf(edit, problem, answer, document, others);
      if (change) fixes.push(action(edit.title, workspaceEdit(change, client), index === 0));
    }
    const line = disableForLine(problem, document);
    if (line) disabling.push(action(`Disable ${problem.rule} for this line`, inDocument(line)));
    if (!disabledForFile.has(problem.rule)) disabling.push(action(`Disable ${problem.rule} for this file`, inDocument(disableForFile(problem, document))));
    disabledForFile.add(problem.rule);
  }
  return [...fixes, ...disabling];
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

/** With the version that each document must still have, where the client understands that. */
function workspaceEdit(files: FileEdits[], client: ClientAbilities): WorkspaceEdit {
  if (client.documentChanges) {
    return { documentChanges: files.map(({ document, version, edits }) => ({ textDocument: { uri: document.uri, version }, edits })) };
  }
  return { changes: Object.fromEntries(files.map(({ document, edits }) => [document.uri, edits])) };
}
