/** What earlier calls have put into a request that is sent later: its parameters, its text. They stand in one chain, or one after another. */
import type { Build } from '../catalog/schema.ts';
import type { Calls, Matched } from './calls.ts';
import type { CallExpr } from './ir.ts';
import type { Value } from './value.ts';

/** Parameters that are bound before `matched`, by their names in small letters. */
export function boundParameters(request: Value | undefined, { site }: Matched, calls: Calls): Map<string, Value> {
  const bound = new Map<string, Value>();
  for (const { effect, matched } of stepsBefore(request, site.call, calls)) {
    const name = effect.bind && calls.at(effect.bind.name, matched.site, matched.row);
    const value = effect.bind && calls.at(effect.bind.value, matched.site, matched.row);
    if (name?.kind === 'const' && value) bound.set(String(name.value).replace(/^@/, '').toLowerCase(), value);
  }
  return bound;
}

/** What was put down under a name last. */
export function putDown(name: string, request: Value | undefined, { site }: Matched, calls: Calls): Value | undefined {
  return stepsBefore(request, site.call, calls).map(({ effect, matched }) => effect.configure?.[name] && calls.at(effect.configure[name], matched.site, matched.row)).findLast((it) => it !== undefined);
}

function stepsBefore(value: Value | undefined, call: CallExpr, calls: Calls): { effect: Build; matched: Matched }[] {
  const request = madeAt(value);
  if (request === undefined) return [];
  return call.func.graph().steps.flatMap(({ op }) => {
    if (op.kind !== 'call' || op.call.span.start > call.span.end) return [];
    return calls.match(calls.site(op.call)).flatMap((matched) => {
      const effect = matched.effects.find((it): it is Build => it.kind === 'build');
      return effect && madeAt(matched.site.receiver) === request ? [{ effect, matched }] : [];
    });
  });
}

/** Where a request was made, under all the steps that were taken on it. */
function madeAt(value: Value | undefined): number | undefined {
  let at = value;
  while (at?.kind === 'typed' && at.base?.kind === 'typed' && at.base.type === at.type) at = at.base;
  return at?.kind === 'typed' ? at.site?.span.start : undefined;
}
