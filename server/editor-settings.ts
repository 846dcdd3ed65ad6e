/**
 * The settings of the editor, `fencepost.*`. The manifest is the one place of their names, types
 * and defaults; this module reads it, so that no default is written twice.
 */
import { contributes } from '../package.json';
import { ruleTable } from '../rules/table.gen.ts';
import { readSettings, type Settings } from '../rules/settings.ts';
import type { ProjectConfig } from './project-settings.ts';

export type RuleSeverity = 'default' | 'off' | 'hint' | 'info' | 'warn' | 'error';

export interface EditorSettings {
  enable: boolean;
  run: 'onType' | 'onSave';
  /** By rule name without prefix; a rule that is missing has its severity of the `recommended` preset. */
  rules: Record<string, RuleSeverity>;
  /** Options by rule name, where a preset sets some. */
  options?: Record<string, Record<string, unknown>>;
  maxFileSize: number;
  /** Name of the file of known findings, looked for in the folders above a document; empty for none. */
  baseline: string;
  /** Code lenses above acquires and findings. */
  codeLens: boolean;
  /** What the analysis takes from them. */
  analysis: Settings;
  /** The ESLint configuration of the file's project, where it uses the plugin: its severities stand where `rules` names none. */
  project?: ProjectConfig;
}

/** As much of JSON Schema as the manifest uses. */
interface Schema {
  type: string;
  default?: unknown;
  enum?: readonly string[];
  minimum?: number;
  items?: Schema;
  additionalProperties?: Schema;
}

const schemas = new Map<string, Schema>(
  Object.entries(contributes.configuration.properties).map(([name, schema]) => [name.slice('fencepost.'.length), schema as Schema]),
);

/**
 * Completes what the client gave for the section `fencepost` with the manifest's defaults. What is
 * unknown or of the wrong type is named in `problems`, a sentence each, and otherwise ignored.
 */
export function readEditorSettings(given: unknown): { settings: EditorSettings; problems: string[] } {
  const problems: string[] = [];
  const values = new Map<string, unknown>([...schemas].map(([name, schema]) => [name, structuredClone(schema.default)]));
  collect(given, '', values, problems);
  const value = <T>(name: string): T => values.get(name) as T;
  for (const rule of Object.keys(value<EditorSettings['rules']>('rules'))) {
    if (!ruleTable.some((it) => it.name === rule)) problems.push(`fencepost.rules names "${rule}", which is not a rule.`);
  }
  const analysis = readSettings({
    catalog: value('catalog'),
    efficiencyKeys: value('efficiencyKeys'),
    serverCommands: value('serverCommands'),
    fence: { column: value('fence.column'), error: value('fence.error'), errorImport: value('fence.errorImport') },
  });
  const settings: EditorSettings = {
    enable: value('enable'),
    run: value('run'),
    rules: value('rules'),
    maxFileSize: value('maxFileSize'),
    baseline: value('baseline'),
    codeLens: value('codeLens'),
    analysis: analysis.settings,
  };
  return { settings, problems: [...problems, ...analysis.problems.map((it) => it.replace('settings.fencepost.', 'fencepost.'))] };
}

function collect(given: unknown, prefix: string, values: Map<string, unknown>, problems: string[]): void {
  if (given === undefined || given === null) return;
  if (typeof given !== 'object' || Array.isArray(given)) {
    problems.push(`fencepost${prefix && `.${prefix.slice(0, -1)}`} must be an object.`);
    return;
  }
  for (const [key, value] of Object.entries(given)) {
    const name = prefix + key;
    const schema = schemas.get(name);
    if (value === undefined || value === null) continue;
    else if (!schema && [...schemas.keys()].some((it) => it.startsWith(`${name}.`))) collect(value, `${name}.`, values, problems);
    else if (!schema) problems.push(`fencepost.${name} is not a setting.`);
    else {
      const mismatch = mismatchOf(value, schema);
      if (mismatch) problems.push(`fencepost.${name} ${mismatch}.`);
      else values.set(name, value);
    }
  }
}

/** Why a value does not fit its schema, as the end of a sentence; undefined when it fits. */
function mismatchOf(value: unknown, schema: Schema): string | undefined {
  if (schema.enum && !schema.enum.includes(value as string)) return `must be one of ${schema.enum.join(', ')}`;
  switch (schema.type) {
    case 'array': {
      if (!Array.isArray(value)) return 'must be an array';
      const { items } = schema;
      return items && value.map((it) => mismatchOf(it, items)).find(Boolean)?.replace(/^/, 'has an entry that ');
    }
    case 'object': {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
      const { additionalProperties: entry } = schema;
      return entry && Object.entries(value).flatMap(([key, it]) => mismatchOf(it, entry)?.replace(/^/, `has an entry "${key}" that `) ?? [])[0];
    }
    case 'integer':
      if (!Number.isInteger(value)) return 'must be a whole number';
      return schema.minimum !== undefined && (value as number) < schema.minimum ? `must be at least ${schema.minimum}` : undefined;
    default:
      return typeof value === schema.type ? undefined : `must be a ${schema.type}`;
  }
}
