/** The types of the published plugin: copied to `dist/` by the build, and needing nothing but ESLint's own. */
import type { Linter, Rule } from 'eslint';

declare const plugin: {
  readonly meta: { readonly name: string; readonly version: string; readonly namespace: string };
  readonly rules: Record<string, Rule.RuleModule>;
  readonly configs: {
    /** What a reviewer would sign. */
    readonly recommended: Linter.Config;
    /** `recommended` and the advice rules. */
    readonly strict: Linter.Config;
    /** Every rule. */
    readonly all: Linter.Config;
  };
};

export default plugin;
