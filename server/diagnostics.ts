/** An answer as LSP diagnostics. */
import { createHash } from 'node:crypto';
import type { Place } from '../model/place.ts';
import type { Problem } from './lint.ts';
import { DiagnosticSeverity, rangeOfPlace, shownRangeOf, uriOfFile, type ClientAbilities, type Diagnostic, type Range, type TextDocument } from './protocol.ts';
import { ruleNamed } from './severities.ts';
import type { Answer } from './workspace.ts';

const severities = { error: DiagnosticSeverity.Error, warn: DiagnosticSeverity.Warning, info: DiagnosticSeverity.Information, hint: DiagnosticSeverity.Hint };

/** Where a place is for the client: `documentOf` gives the open document of a file, which may have a URI of its own. */
export function locationOf(place: Place, document: TextDocument, shift: 0 | 1, documentOf: (file: string) => TextDocument | undefined): { uri: string; range: Range } {
  const open = documentOf(place.file);
  // Offsets are followed through edits, lines are not; they tell the place in the document that was analysed.
  if (open === document) return { uri: document.uri, range: shownRangeOf(document, { start: place.start + shift, end: place.end + shift }) };
  return { uri: open?.uri ?? uriOfFile(place.file), range: rangeOfPlace(place) };
}

/** The diagnostic of one problem. */
export function diagnosticOf(problem: Problem, answer: Answer, document: TextDocument, client: ClientAbilities, documentOf: (file: string) => TextDocument | undefined): Diagnostic {
  const related = problem.finding?.related ?? [];
  const page = ruleNamed.get(problem.rule)?.url;
  return {
    range: shownRangeOf(document, problem.span),
    severity: severities[problem.severity],
    source: 'fencepost',
    code: problem.rule,
    message: problem.message,
    ...(client.codeDescription && page && { codeDescription: { href: page } }),
    ...(client.relatedInformation &&
      related.length > 0 && { relatedInformation: related.map(({ place, text }) => ({ location: locationOf(place, document, answer.shift, documentOf), message: text })) }),
  };
}

/** The name of a list of diagnostics: equal lists have equal names, whatever version they were made from. */
export function resultIdOf(diagnostics: readonly Diagnostic[]): string {
  return createHash('sha1').update(JSON.stringify(diagnostics)).digest('base64url');
}
