/** Values that are kept under a key until somebody asks again: a second holder that computes one computes the same. */
import type { PutEvent } from './events.ts';
import type { CallExpr, Expr } from './ir.ts';
import { sameKey } from './key-form.ts';
import { originsOf } from './origins.ts';
import type { Deep } from './deep.ts';
import type { Model } from './story.ts';
import { sameSite } from './value.ts';

/**
 * A function looks whether the key has a value, answers that where it has, and puts one there where it has
 * not. What it puts is not made of what it has read: that would be a change.
 */
export function isMemo(it: Deep, model: Model): boolean {
  const put = it.event as PutEvent;
  const { func } = it.site;
  const { known } = model.summaries.of(func);
  const own = known.find((each) => each.kind === 'put' && each.via.length === 0 && sameSite(each.site, it.site))?.event as PutEvent | undefined;
  const key = own?.key ?? put.key;
  const isMadeOf = (expr: Expr, get: CallExpr): boolean => originsOf(expr, () => false).calls.some((call) => sameSite(call, get));
  return known.some((get) => {
    if (get.kind !== 'get' || get.via.length > 0 || get.site.span.start > it.site.span.start || !sameKey(get.event.key, key)) return false;
    const answers = func.graph().steps.flatMap(({ op }) => (op.kind === 'return' && op.value ? [op.value] : []));
    return answers.some((answer) => isMadeOf(answer, get.site)) && !it.site.args.slice(1).some((arg) => isMadeOf(arg, get.site));
  });
}
