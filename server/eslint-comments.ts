/** Which comments of a text are for ESLint to understand, because they may say something about our rules. */
import type { Program } from '../model/host.ts';

/** A comment that configures ESLint can switch on what the settings have not. */
const configures = /^\*?\s*eslint(?:-env)?\s/;
const disables = /^\s*eslint-(?:dis|en)able(?:-(?:next-)?line)?(?:\s+|$)/;
/** What stands behind it says why. */
const justification = /\s-{2,}\s[\s\S]*/;

/** Whether a comment configures rules, or switches all or some of ours off or on. */
export function needsEslint({ comments = [] }: Program): boolean {
  return comments.some(({ type, value }) => {
    if (type === 'Block' && configures.test(value)) return true;
    const label = disables.exec(value)?.[0];
    if (label === undefined) return false;
    const rules = value.slice(label.length).replace(justification, '').trim();
    return rules === '' || rules.startsWith('--') || rules.includes('fencepost/');
  });
}
