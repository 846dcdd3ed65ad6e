/**
 * The open documents and the last answer of each. An answer is made when it is asked for and kept
 * for the text it was made from; what an edit does to the answers of other documents is decided here.
 */
import { fileURLToPath } from 'node:url';
import type { Analysis } from '../rules/analysis.ts';
import type { ModuleHost, SourceText } from '../model/host.ts';
import type { Edit } from '../rules/finding.ts';
import { editsThroughCallers } from '../rules/fixes/through-callers.ts';
import { hiddenBy, type Baseline } from './baseline.ts';
import { carry } from './carry.ts';
import type { EditorSettings } from './editor-settings.ts';
import type { ProjectImporters } from './importers.ts';
import type { Linted, Parsed, Problem } from './lint.ts';
import type { StatusParams } from './messages.ts';
import { createTextDocument, uriOfFile, type TextDocument } from './protocol.ts';
import { recordingHost, type Dependencies } from './recording-host.ts';

export interface Answer {
  /** The document's version that `problems` fit. */
  version: number;
  /** The version that was analysed. An older one means that the problems were carried through edits since. */
  analysedVersion: number;
  problems: readonly Problem[];
  analysis?: Analysis;
  shift: 0 | 1;
}

export type Status = Omit<StatusParams, 'uri'>;

interface OpenDocument {
  document: TextDocument;
  /** The path under which the analysis knows the document; it ends with an extension of its language. */
  file: string;
  /** The text at the last event; `document` itself changes in place. */
  text: string;
  /** What other documents see of this one: its newest text that was checked and parsed, so that half-typed text costs them nothing. */
  shown: { text: string; version: string };
  answer: Answer;
  dependencies?: Dependencies;
  /** The text as it was parsed last: it is checked again when other files change. */
  parsed?: { text: string; as: Parsed };
  /** What the answer was made from; undefined when it must be made again. */
  checked?: { version: number; settings: EditorSettings };
  status: Status;
}

export interface WorkspaceParts {
  lint(text: string, file: string, settings: EditorSettings, host: ModuleHost, known?: Parsed): Linted;
  /** A host that sees open documents, by path, over the files on disk. */
  hostOver(openDocument: (file: string) => SourceText | undefined): ModuleHost;
  /** The baseline of this name above a file: what it knows, and the file's path in it. `problem` says why it cannot be used. */
  baselineFor(file: string, name: string): { baseline: Baseline; path: string; problem?: string } | undefined;
  /** Who imports a file, over the host that sees open documents. */
  importersOver(host: ModuleHost): ProjectImporters;
  /** Told once per cause. */
  log(level: 'info' | 'error', message: string): void;
  now(): number;
}

export type Workspace = ReturnType<typeof createWorkspace>;

/** Language ids that are checked, and the extension that makes the parser read a nameless text as that language. */
const extensions: Record<string, string> = { javascript: '.js', javascriptreact: '.jsx', typescript: '.ts', typescriptreact: '.tsx' };
export const isChecked = (languageId: string): boolean => Object.hasOwn(extensions, languageId);

/** The workspace of one server. */
export function createWorkspace(parts: WorkspaceParts) {
  const open = new Map<string, OpenDocument>();
  const byFile = new Map<string, OpenDocument>();
  const told = new Set<string>();
  const host = parts.hostOver((file) => byFile.get(file)?.shown);
  const importers = parts.importersOver(host);

  // Documents count their versions from their opening; across closing and opening only a count of our own tells texts apart.
  let texts = 0;
  const shownText = (text: string) => ({ text, version: `open:${++texts}` });

  function tellOnce(level: 'info' | 'error', cause: string, details = ''): void {
    if (told.has(cause)) return;
    told.add(cause);
    parts.log(level, cause + details);
  }

  /** Has a defect of ours told once, with all that helps to find it; gives the sentence for the status. */
  function tellFailure(uri: string, error: unknown): string {
    const [reason] = String(error).split('\n');
    tellOnce('error', `The analysis of ${uri} failed; other files are not affected. Please report this. ${reason}`, error instanceof Error ? `\n${error.stack}` : '');
    return `The analysis of this file failed: ${reason}`;
  }

  /** Makes the answer anew; gives the URIs of others whose answers may have changed by it. */
  function check(it: OpenDocument, settings: EditorSettings): string[] {
    const { document, text } = it;
    const idle = reasonForSkipping(it, settings);
    it.checked = { version: document.version, settings };
    if (idle) {
      if (idle.startsWith('The file has ')) tellOnce('info', `${document.uri} is skipped. ${idle}`);
      it.answer = { version: document.version, analysedVersion: document.version, problems: [], shift: 0 };
      it.dependencies = undefined;
      it.status = { state: 'idle', reason: idle, ms: 0 };
      return show(it);
    }
    const recording = recordingHost(host);
    const start = parts.now();
    const took = () => Math.round(parts.now() - start);
    let linted: Linted;
    try {
      linted = parts.lint(text, it.file, settings, recording.host, it.parsed?.text === text ? it.parsed.as : undefined);
    } catch (error) {
      it.status = { state: 'error', reason: tellFailure(document.uri, error), ms: took() };
      it.answer = { ...it.answer, version: document.version };
      return [];
    }
    if (linted.syntaxError) {
      it.answer = { ...it.answer, version: document.version };
      it.status = { state: 'idle', reason: `Line ${linted.syntaxError.line} does not parse (${linted.syntaxError.message}); the last good answer is shown.`, ms: took() };
      return [];
    }
    it.dependencies = recording.dependencies;
    it.parsed = linted.parsed && { text, as: linted.parsed };
    if (linted.isLeftOut) {
      it.answer = { version: document.version, analysedVersion: document.version, problems: [], shift: 0 };
      it.status = { state: 'idle', reason: `${settings.project!.file} leaves this file out.`, ms: took() };
      return show(it);
    }
    const problems = known(it.file, linted.problems, settings);
    it.answer = { version: document.version, analysedVersion: document.version, problems, analysis: linted.analysis, shift: linted.shift };
    it.status = linted.analysis
      ? { state: 'ok', reason: problems.length === 0 ? 'Nothing found in this file.' : `${problems.length} ${problems.length === 1 ? 'finding' : 'findings'} in this file.`, ms: took() }
      : { state: 'idle', reason: 'This file mentions no lock, client or store that is known.', ms: took() };
    if (linted.failure !== undefined) it.status = { state: 'error', reason: tellFailure(document.uri, linted.failure), ms: took() };
    return show(it);
  }

  /** Without what a baseline knows. */
  function known(file: string, problems: readonly Problem[], settings: EditorSettings): Problem[] {
    const found = settings.baseline === '' ? undefined : parts.baselineFor(file, settings.baseline);
    if (!found) return [...problems];
    if (found.problem !== undefined) tellOnce('error', found.problem);
    const isHidden = hiddenBy(found.baseline, found.path, problems);
    return problems.filter((it) => !isHidden(it));
  }

  /** Lets others see the text that was checked. */
  function show(it: OpenDocument): string[] {
    if (it.shown.text === it.text) return [];
    it.shown = shownText(it.text);
    return invalidate(({ files }) => files.has(it.file), it);
  }

  /** Forgets the answers of the documents that depend on a changed file; gives their URIs. */
  function invalidate(isAffected: (dependencies: Dependencies) => boolean, except?: OpenDocument): string[] {
    const affected: string[] = [];
    for (const [uri, it] of open) {
      if (it === except || !it.dependencies || !isAffected(it.dependencies)) continue;
      it.checked = undefined;
      affected.push(uri);
    }
    return affected;
  }

  return {
    /** Takes a document in; gives the URIs of others whose answers may have changed by it. */
    opened(document: TextDocument): string[] {
      const file = fileOf(document);
      const text = document.getText();
      const before = host.read(file)?.text;
      const it: OpenDocument = {
        document,
        file,
        text,
        shown: shownText(text),
        answer: { version: document.version, analysedVersion: document.version, problems: [], shift: 0 },
        status: { state: 'idle', reason: 'Not checked yet.', ms: 0 },
      };
      open.set(document.uri, it);
      byFile.set(file, it);
      return before === text ? [] : invalidate(({ files }) => files.has(file), it);
    },

    /** Carries the answer through an edit. What it changes for others shows when it has been checked. */
    edited(uri: string): void {
      const it = open.get(uri);
      if (!it) return;
      const text = it.document.getText();
      it.answer = { ...it.answer, version: it.document.version, problems: carry(it.answer.problems, it.file, it.text, text) };
      it.text = text;
    },

    /** Has the next answer be made from the text as it is, also where edits are carried. */
    saved(uri: string): void {
      const it = open.get(uri);
      if (it && it.checked?.version !== it.document.version) it.checked = undefined;
    },

    /** Lets a document go; the file on disk counts again for others. */
    closed(uri: string): string[] {
      const it = open.get(uri);
      if (!it) return [];
      open.delete(uri);
      if (byFile.get(it.file) === it) byFile.delete(it.file);
      return host.read(it.file)?.text === it.shown.text ? [] : invalidate(({ files }) => files.has(it.file));
    },

    /** Files changed on disk; `structural` when some came, went, or say where others are found. */
    changedOnDisk(files: ReadonlySet<string>, structural: boolean): string[] {
      importers.forget();
      return invalidate((dependencies) => (structural && (dependencies.missing || dependencies.files.size > 0)) || [...files].some((file) => dependencies.files.has(file)));
    },

    /**
     * The answer for the text that the document has now. `edits` says what an edited text gets: its own
     * analysis, or what was carried from the last one. `affected` are others whose answers may have changed by it.
     */
    answer(uri: string, settings: EditorSettings, edits: 'analyse' | 'carry'): { answer: Answer; document: TextDocument; status: Status; affected: string[] } | undefined {
      const it = open.get(uri);
      if (!it) return undefined;
      const { checked, document } = it;
      const isEdited = checked !== undefined && checked.version !== document.version;
      const isDue = !checked || checked.settings !== settings || (isEdited && edits === 'analyse');
      const affected = isDue ? check(it, settings) : [];
      return { answer: it.answer, document, status: it.status, affected };
    },

    /** The problems of a text that is in no open document, or of another text for one; kept nowhere. `why` is the end of a sentence. */
    checkClosed(file: string, text: string, settings: EditorSettings): Answer | { why: string } {
      try {
        const { problems, analysis, shift, syntaxError } = parts.lint(text, file, settings, host);
        if (syntaxError) return { why: `line ${syntaxError.line} has a syntax error (${syntaxError.message.replace(/\.$/, '')})` };
        return { version: 0, analysedVersion: 0, problems: known(file, problems, settings), analysis, shift };
      } catch (error) {
        return { why: `Fencepost failed on it, which is a bug (${String(error).split('\n')[0]})` };
      }
    },

    /** Edits of a problem that reach into other files, for one that cannot be mended in its own, or not as well. */
    editsAcross({ finding }: Problem, { analysis }: Answer, settings: EditorSettings): readonly Edit[] {
      return finding && analysis ? editsThroughCallers(finding, analysis.story, settings.analysis, importers) : [];
    },

    isOpen: (uri: string): boolean => open.has(uri),
    /** The path under which the analysis knows an open document. */
    fileOf: (uri: string): string | undefined => open.get(uri)?.file,
    openUris: (): string[] => [...open.keys()],
    /** The open document that the analysis knows under `file`. */
    documentOf: (file: string): TextDocument | undefined => byFile.get(file)?.document,

    /** The text of a file as analyses see it, for edits; undefined when the editor's text has moved on. */
    editable(file: string): { document: TextDocument; version: number | null } | undefined {
      const it = byFile.get(file);
      if (it) return it.shown.text === it.document.getText() ? { document: it.document, version: it.document.version } : undefined;
      const source = host.read(file);
      return source && { document: createTextDocument(uriOfFile(file), source.text), version: null };
    },
  };
}

function reasonForSkipping({ file, text }: OpenDocument, settings: EditorSettings): string | undefined {
  if (!settings.enable) return 'Switched off by the setting fencepost.enable.';
  if (text.length > settings.maxFileSize || Buffer.byteLength(text) > settings.maxFileSize) {
    return `The file has more than ${settings.maxFileSize} bytes, the limit set by fencepost.maxFileSize.`;
  }
  if (/[\\/]node_modules[\\/]/.test(file)) return 'The file is from a package, not from this project.';
  return text.includes('\0') ? 'The file is binary.' : undefined;
}

/** A path for every document: its own on disk, else a made-up one below its URI's scheme. */
function fileOf(document: TextDocument): string {
  const { uri, languageId } = document;
  let file: string | undefined;
  try {
    if (uri.startsWith('file:')) file = fileURLToPath(uri);
  } catch {
    // A file URI with a host, on a system that has none.
  }
  file ??= `/${uri.replace(/[^\w.-]+/g, '/')}`;
  return /\.[cm]?[jt]sx?$/.test(file) ? file : file + (extensions[languageId] ?? '.js');
}
