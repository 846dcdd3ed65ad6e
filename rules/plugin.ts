/** The ESLint plugin: rules, and the presets made from their table. */
import type { ESLint, Linter } from 'eslint';
import { name, version } from '../package.json';
import { ruleModule } from './eslint.ts';
import { ruleTable } from './table.gen.ts';

const meta = { name, version, namespace: 'fencepost' };

const plugin: ESLint.Plugin & { configs: Record<'recommended' | 'strict' | 'all', Linter.Config> } = {
  meta,
  rules: Object.fromEntries(ruleTable.map((row) => [row.name, ruleModule(row)])),
  configs: {} as Record<'recommended' | 'strict' | 'all', Linter.Config>,
};

function preset(name: string, entries: (readonly [string, Linter.RuleEntry])[]): Linter.Config {
  return { name: `fencepost/${name}`, plugins: { fencepost: plugin }, rules: Object.fromEntries(entries.map(([rule, entry]) => [`fencepost/${rule}`, entry])) };
}

const strict = ruleTable.map((it): readonly [string, Linter.RuleEntry] => [it.name, it.strictly ? [it.strict, it.strictly] : it.strict]);

Object.assign(plugin.configs, {
  recommended: preset('recommended', ruleTable.filter((it) => it.recommended !== 'off').map((it) => [it.name, it.recommended] as const)),
  strict: preset('strict', strict),
  all: preset('all', strict),
});

export default plugin;
