/** The one place where LSP's types enter the server, and where offsets become LSP's positions. */
import { CodeActionKind, DiagnosticSeverity, DocumentDiagnosticReportKind, MarkupKind } from 'vscode-languageserver';
import type {
  ClientCapabilities,
  CodeAction,
  CodeLens,
  Command,
  Diagnostic,
  Hover,
  Position,
  Range,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { pathToFileURL } from 'node:url';
import type { Place, Span } from '../model/place.ts';

export { CodeActionKind, DiagnosticSeverity, DocumentDiagnosticReportKind, MarkupKind, TextDocument };
export type { ClientCapabilities, CodeAction, CodeLens, Command, Diagnostic, Hover, Position, Range, TextDocumentEdit, TextEdit, WorkspaceEdit };

/** The answers of a client that decide in which form it is answered. */
export interface ClientAbilities {
  /** Asks for diagnostics itself; then none are published. */
  pull: boolean;
  /** Can be told to ask again. */
  refresh: boolean;
  configuration: boolean;
  watchFiles: boolean;
  relatedInformation: boolean;
  codeDescription: boolean;
  codeActions: boolean;
  documentChanges: boolean;
  /** Shows edits that want it before they are made. */
  changeAnnotations: boolean;
  /** Tells which folders are open, and when that changes. */
  workspaceFolders: boolean;
  markdown: boolean;
  /** Is Fencepost's own client, which shows the status. */
  status: boolean;
  /** Is Fencepost's own client, which has the commands of `messages.ts`. */
  commands: boolean;
  /** Asks for the edit of an action only when it is chosen. */
  resolvesEdits: boolean;
}

/** Reads from `initialize` what the client can do. */
export function abilitiesOf(client: ClientCapabilities): ClientAbilities {
  const { textDocument, workspace } = client;
  const shown = textDocument?.publishDiagnostics;
  const pulled: { relatedInformation?: boolean; codeDescriptionSupport?: boolean } | undefined = textDocument?.diagnostic;
  const experimental: { fencepost?: { status?: boolean; commands?: boolean } } | undefined = client.experimental;
  return {
    pull: textDocument?.diagnostic !== undefined,
    refresh: workspace?.diagnostics?.refreshSupport === true,
    configuration: workspace?.configuration === true,
    watchFiles: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    relatedInformation: (pulled?.relatedInformation ?? shown?.relatedInformation) === true,
    codeDescription: (pulled?.codeDescriptionSupport ?? shown?.codeDescriptionSupport) === true,
    codeActions: textDocument?.codeAction?.codeActionLiteralSupport !== undefined,
    documentChanges: workspace?.workspaceEdit?.documentChanges === true,
    changeAnnotations: workspace?.workspaceEdit?.changeAnnotationSupport !== undefined,
    workspaceFolders: workspace?.workspaceFolders === true,
    markdown: textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) === true,
    status: experimental?.fencepost?.status === true,
    commands: experimental?.fencepost?.commands === true,
    resolvesEdits: textDocument?.codeAction?.resolveSupport?.properties.includes('edit') === true && textDocument.codeAction.dataSupport === true,
  };
}

/** The range of a span of offsets in an open document. */
export const rangeOf = (document: TextDocument, span: Span): Range => ({
  start: document.positionAt(span.start),
  end: document.positionAt(span.end),
});

/**
 * What is shown of a span in an open document: the whole of it where it stays on a line, else its first line. A
 * call that takes a function would underline all that the function does.
 */
export function shownRangeOf(document: TextDocument, span: Span): Range {
  const { start, end } = rangeOf(document, span);
  if (start.line === end.line) return { start, end };
  const first = document.getText({ start, end: { line: start.line + 1, character: 0 } }).trimEnd();
  return { start, end: { line: start.line, character: start.character + first.length } };
}

/** Whether what is shown of a span touches the offsets from `from` to `to`. */
export function isShownAt(document: TextDocument, span: Span, from: number, to = from): boolean {
  return span.start <= to && from <= document.offsetAt(shownRangeOf(document, span).end);
}

/** The range of a place in a file that need not be open. */
export const rangeOfPlace = (place: Place): Range => ({
  start: { line: place.line - 1, character: place.column },
  // Where its first line ends is not known.
  end: place.endLine === place.line ? { line: place.line - 1, character: place.endColumn } : { line: place.line - 1, character: place.column },
});

/** The URI of a place's file: a path, or the URI itself of a document that is on no disk. */
export const uriOfFile = (file: string): string => (/^[a-z][a-z0-9+.-]+:/i.test(file) ? file : pathToFileURL(file).href);

/** A document of our own, for a file that the client has not opened. */
export const createTextDocument = (uri: string, text: string): TextDocument => TextDocument.create(uri, 'plaintext', 0, text);
