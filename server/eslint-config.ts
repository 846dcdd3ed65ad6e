/**
 * What a project's ESLint configuration says about Fencepost, read from its text: the server runs no code of
 * the workspace. Presets, literal severities with their options, `settings.fencepost`, and the files that they
 * are for. What is not written out is left to the editor's settings, and is named in `problems`.
 */
import type { TSESTree } from '@typescript-eslint/types';
import type { Linter } from 'eslint';
import plugin from '../rules/plugin.ts';
import { readSettings } from '../rules/settings.ts';
import { ruleNamed } from './severities.ts';
import { plain, readModule, type StaticValue } from './static-value.ts';

/** A configuration object of which only the parts about Fencepost are left. */
export type ConfigElement = Pick<Linter.Config, 'files' | 'ignores' | 'rules' | 'settings' | 'basePath'>;

export interface ReadConfig {
  elements: ConfigElement[];
  /** Sentences without the file's name, which begin with the line. */
  problems: string[];
}

const packageName = 'eslint-plugin-fencepost';
const presets: Record<'recommended' | 'strict' | 'all', Linter.Config> = plugin.configs;
const isPreset = (name: string): name is keyof typeof presets => Object.hasOwn(presets, name);

/** Functions that only hand their arguments on as configuration objects. */
const gathering = new Set(['eslint/config defineConfig', 'typescript-eslint config', 'typescript-eslint defineConfig']);

/** Reads `program`, the tree of an `eslint.config.*` file with the text `text`. Undefined when it does not use the plugin. */
export function readEslintConfig(program: TSESTree.Program, text: string): ReadConfig | undefined {
  if (!text.includes(packageName)) return undefined;
  const { exported } = readModule(program);
  const reader = new Reader(text);
  if (!exported) return { elements: [], problems: ['It exports nothing that can be read.'] };
  const elements = reader.elements(exported);
  return reader.usesPlugin ? { elements, problems: reader.problems } : undefined;
}

class Reader {
  readonly problems: string[] = [];
  usesPlugin = false;
  /** The prefixes under which the plugin's rules are named. */
  private readonly prefixes = new Set(['fencepost']);

  constructor(private readonly text: string) {}

  elements(value: StaticValue): ConfigElement[] {
    switch (value.kind) {
      case 'array':
        return value.items.flatMap((it) => this.elements(it));
      case 'spread':
        return this.elements(value.of);
      case 'import':
        return this.imported(value.module, value.path);
      case 'call':
        return this.called(value);
      case 'object':
        return this.object(value);
      case 'literal':
        return [];
      case 'unknown':
        this.notUnderstood(value.node, 'this part');
        return [];
    }
  }

  private imported(module: string, path: readonly string[]): ConfigElement[] {
    if (module === packageName) {
      this.usesPlugin = true;
      const [folder, name] = path;
      if (folder === 'configs' && name !== undefined && isPreset(name)) return [preset(name)];
      this.problems.push(`"${path.join('.')}" of ${packageName} is not one of its presets.`);
    } else if (module.startsWith('.')) this.problems.push(`What it takes from "${module}" is not followed.`);
    // Presets of other packages do not speak of our rules.
    return [];
  }

  private called(call: Extract<StaticValue, { kind: 'call' }>): ConfigElement[] {
    const { callee, args, node } = call;
    if (callee.kind === 'import') {
      const name = `${callee.module} ${callee.path.join('.')}`;
      if (gathering.has(name)) return args.flatMap((it) => this.elements(it));
      if (name === 'eslint/config globalIgnores') {
        const ignored = args[0] && plain(args[0]);
        return ignored?.isWhole ? [{ ignores: ignored.value as string[] }] : [];
      }
      if (!callee.module.startsWith('.') && !this.source(node).includes('fencepost')) return [];
    }
    this.notUnderstood(node, 'a call');
    return [];
  }

  private object({ props, node }: Extract<StaticValue, { kind: 'object' }>): ConfigElement[] {
    const plugins = props.get('plugins');
    if (plugins?.kind === 'object') {
      for (const [name, it] of plugins.props) {
        if (it.kind !== 'import' || it.module !== packageName || it.path.length > 0) continue;
        this.usesPlugin = true;
        this.prefixes.add(name);
      }
    }
    const where: ConfigElement = {};
    for (const name of ['files', 'ignores', 'basePath'] as const) {
      const given = props.get(name);
      if (!given) continue;
      const { value, isWhole } = plain(given);
      if (!isWhole) {
        this.notUnderstood(node, `the ${name} of this object`);
        return [];
      }
      Object.assign(where, { [name]: value });
    }
    const others = [...props.keys()].filter((it) => !['ignores', 'basePath', 'name'].includes(it));
    if (others.length === 0) return [where];
    const below = this.extended(props.get('extends')).map((it) => ({ ...it, ...where }));
    const rules = this.rules(props.get('rules'));
    const settings = this.settings(props.get('settings'));
    return rules || settings ? [...below, { ...where, ...(rules && { rules }), ...(settings && { settings }) }] : below;
  }

  private extended(value: StaticValue | undefined): ConfigElement[] {
    if (!value) return [];
    return (value.kind === 'array' ? value.items : [value]).flatMap((it) => {
      if (it.kind !== 'literal' || typeof it.value !== 'string') return this.elements(it);
      const [prefix, name] = it.value.split('/');
      return prefix && name && this.prefixes.has(prefix) && isPreset(name) ? [preset(name)] : [];
    });
  }

  private rules(value: StaticValue | undefined): Linter.RulesRecord | undefined {
    if (value?.kind !== 'object') return undefined;
    const rules: Linter.RulesRecord = {};
    for (const [name, entry] of value.props) {
      const [prefix, rule] = name.split('/');
      if (rule === undefined || !this.prefixes.has(prefix!)) continue;
      const { value: given, isWhole } = plain(entry);
      const severity: unknown = Array.isArray(given) ? given[0] : given;
      if (!Object.hasOwn(plugin.rules!, rule)) this.problems.push(`"${name}" is not a rule of this version.`);
      else if (!isWhole || !['off', 'warn', 'error', 0, 1, 2].includes(severity as string)) this.problems.push(`The severity of "${name}" is not written out; that of the editor's settings is used.`);
      else if (Array.isArray(given) && !areOptionsOf(rule, given.slice(1))) {
        this.problems.push(`The options of "${name}" are not of their form; its defaults are used.`);
        rules[`fencepost/${rule}`] = given[0] as Linter.RuleEntry;
      } else rules[`fencepost/${rule}`] = given as Linter.RuleEntry;
    }
    return Object.keys(rules).length > 0 ? rules : undefined;
  }

  /** Those of the settings that are written out and right. */
  private settings(value: StaticValue | undefined): ConfigElement['settings'] | undefined {
    const own = value?.kind === 'object' ? value.props.get('fencepost') : undefined;
    if (!own) return undefined;
    if (own.kind !== 'object') {
      this.problems.push('settings.fencepost is not written out; those of the editor are used.');
      return undefined;
    }
    const taken: Record<string, unknown> = {};
    for (const [name, it] of own.props) {
      const { value: given, isWhole } = plain(it);
      const { problems } = readSettings({ [name]: given });
      if (!isWhole) this.problems.push(`settings.fencepost.${name} is not written out; that of the editor is used.`);
      else if (problems.length > 0) this.problems.push(...problems);
      else taken[name] = given;
    }
    return { fencepost: taken };
  }

  private notUnderstood(node: TSESTree.Node, what: string): void {
    const line = this.text.slice(0, node.range[0]).split('\n').length;
    this.problems.push(`Line ${line}: ${what} is not written out; what it says about Fencepost is left to the editor's settings.`);
  }

  private source(node: TSESTree.Node): string {
    return this.text.slice(...node.range);
  }
}

/** Whether a rule may be given these. */
function areOptionsOf(rule: string, given: readonly unknown[]): boolean {
  const properties = ruleNamed.get(rule)?.schema?.properties as Record<string, { type: string }> | undefined;
  return given.length <= 1 && given.every((it) => typeof it === 'object' && it !== null && Object.entries(it).every(([name, value]) => properties !== undefined && Object.hasOwn(properties, name) && typeof value === properties[name]!.type));
}

const preset = (name: keyof typeof presets): ConfigElement => ({ rules: presets[name].rules! });
