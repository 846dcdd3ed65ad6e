/** What a rule is: a query over the story, a message, and the edits that it offers. */
import type { Story } from '../model/story.ts';
import type { Place } from '../model/place.ts';
import type { CallExpr } from '../model/ir.ts';
import { placeOf } from '../model/story.ts';
import type { Edit, Finding } from './finding.ts';
import type { Settings } from './settings.ts';

export interface RuleContext {
  story: Story;
  settings: Settings;
  /** The rule's own options, as ESLint has checked them against the schema. */
  options: Record<string, unknown>;
}

export interface RuleFinding extends Omit<Finding, 'rule' | 'message' | 'edits'> {
  data: Record<string, string>;
  /** Made when they are asked for: most findings are looked at and not mended. */
  edits: Edit[] | (() => Edit[]);
}

export interface Rule {
  /** Without prefix. */
  name: string;
  preset: 'recommended' | 'strict';
  severity: 'error' | 'warn';
  /** One line for tables. */
  description: string;
  /** Templates with `{{name}}`; the first sentence stands alone. Every one ends with a period. */
  messages: Record<string, string>;
  /** JSON schema of the options object. */
  schema?: Record<string, unknown>;
  /** Defaults of the options, and what `strict` sets. */
  defaults?: Record<string, unknown>;
  strict?: Record<string, unknown>;
  find(context: RuleContext): RuleFinding[];
}

export const defineRule = (rule: Rule): Rule => rule;

/** The place of a call, in whichever module it stands. */
export const at = (call: CallExpr): Place => placeOf(call.func.module, call.span);

/** Puts `data` into a message's template. */
export function render(template: string, data: Record<string, string>): string {
  return template.replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => data[name] ?? whole);
}
