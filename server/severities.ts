/** How bad each rule's problems are, by the settings. */
import { ruleTable } from '../rules/table.gen.ts';
import type { EditorSettings, RuleSeverity } from './editor-settings.ts';

/** Rule names without prefix, with the severity in `recommended` and the page. */
export const ruleNamed = new Map(ruleTable.map((rule) => [rule.name, rule]));

/** By rule name without prefix. */
export type Severities = ReadonlyMap<string, Exclude<RuleSeverity, 'default'>>;

/** The severities that the settings give; where a project's own configuration counts, only those that are set. */
export function severitiesOf(settings: EditorSettings): Severities {
  const severities = new Map<string, Exclude<RuleSeverity, 'default'>>();
  for (const rule of ruleTable) {
    const wanted = settings.rules[rule.name] ?? 'default';
    if (wanted !== 'default') severities.set(rule.name, wanted);
    else if (!settings.project) severities.set(rule.name, rule.recommended);
  }
  return severities;
}

/** A severity as ESLint counts it. */
export const severityNumber = (severity: Exclude<RuleSeverity, 'default'>): 0 | 1 | 2 => (severity === 'off' ? 0 : severity === 'error' ? 2 : 1);
