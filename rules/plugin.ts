/** The ESLint plugin: rules, and the presets made from their table. */
import type { ESLint, Linter } from 'eslint';
import manifest from '../package.json' with { type: 'json' };
import { ruleModule } from './eslint.ts';
import { ruleTable, rules } from './index.gen.ts';

const meta = { name: manifest.name, version: manifest.version, namespace: 'fencepost' };

const plugin: ESLint.Plugin & { configs: Record<'recommended' | 'strict' | 'all', Linter.Config> } = {
  meta,
  rules: Object.fromEntries(rules.map((rule) => [rule.name, ruleModule(rule, ruleTable.find((it) => it.name === rule.name)!.url)])),
  configs: {} as Record<'recommended' | 'strict' | 'all', Linter.Config>,
};

function preset(name: string, entries: (readonly [string, Linter.RuleEntry])[]): Linter.Config {
  return { name: `fencepost/${name}`, plugins: { fencepost: plugin }, rules: Object.fromEntries(entries.map(([rule, entry]) => [`fencepost/${rule}`, entry])) };
}

const strictly = (name: string): Record<string, unknown> | undefined => rules.find((it) => it.name === name)?.strict;
const strict = ruleTable.map((it): readonly [string, Linter.RuleEntry] => {
  const options = strictly(it.name);
  return [it.name, options ? [it.strict, options] : it.strict];
});

Object.assign(plugin.configs, {
  recommended: preset('recommended', ruleTable.filter((it) => it.recommended !== 'off').map((it) => [it.name, it.recommended] as const)),
  strict: preset('strict', strict),
  all: preset('all', strict),
});

export default plugin;
