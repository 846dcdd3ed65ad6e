/** What is thrown when a stale write was refused: the class that the settings name, where the file can have it, else a plain `Error`. */
import type { ClassDef } from '../../../model/ir.ts';
import type { Model } from '../../../model/story.ts';
import type { Settings } from '../../settings.ts';
import type { Draft } from '../source/draft.ts';
import { nameOfExport } from '../source/imports.ts';
import { type Binding, resolve } from '../source/scopes.ts';
import { quoted } from '../source/style.ts';
import type { Node } from '../source/tree.ts';
import { valueOf } from '../source/values.ts';

/** `throw new StaleTokenError('…');`, with the class imported where that is needed. */
export function refusal(target: string, at: Node, settings: Settings, draft: Draft, model: Model, why = 'the token is stale'): string {
  const { semi } = draft.style;
  const message = quoted(`${target} was not written: ${why}`, draft.style);
  const { error, errorImport } = settings.fence;
  const known = resolve(error, at, draft.tree);
  if (known && known.kind !== 'type') {
    const args = argumentsFor(known, message, draft, model);
    return args === undefined ? `throw new Error(${message})${semi}` : `throw new ${error}(${args})${semi}`;
  }
  const imported = errorImport && !known ? nameOfExport(errorImport, error, draft) : undefined;
  return `throw new ${imported ?? 'Error'}(${message})${semi}`;
}

/** What the class's constructor takes: a text, or nothing; undefined where it wants something else. */
function argumentsFor(binding: Binding, message: string, draft: Draft, model: Model): string | undefined {
  const def = classOf(binding, draft, model);
  if (!def) return message;
  const params = model.evaluator.construct(def)?.params;
  if (!params) return message;
  if (params.length === 0) return '';
  const required = params.filter((it) => !it.fallback && !it.rest);
  const written = draft.tree.module === def.module || params[0]!.annotation !== undefined ? def.module.text.slice(params[0]!.span.start, params[0]!.span.end) : '';
  const isText = !written.includes(':') || /:\s*(?:string|unknown|any)\b/.test(written);
  return required.length <= 1 && isText ? message : undefined;
}

function classOf(binding: Binding, draft: Draft, model: Model): ClassDef | undefined {
  if (binding.kind === 'class') return draft.tree.module.classes.find((it) => it.span.start === binding.declaration.range[0] && it.span.end === binding.declaration.range[1]);
  const value = valueOf(binding, model, draft.tree);
  return value?.kind === 'class' ? value.def : undefined;
}
