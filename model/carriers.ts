/** Calls that only carry a command object: `client.send(new PutCommand(…))` is one call to whoever reads it. */
import type { Module } from './ir.ts';
import type { Span } from './place.ts';
import type { Model } from './story.ts';

const known = new WeakMap<Module, Map<string, Span>>();

/** What a report on a command object covers: the call that carries it, where there is one. */
export function carrierOf(span: Span, module: Module, model: Model): Span {
  let carriers = known.get(module);
  if (!carriers) known.set(module, (carriers = carriersIn(module, model)));
  return carriers.get(`${span.start} ${span.end}`) ?? span;
}

function carriersIn(module: Module, model: Model): Map<string, Span> {
  const found = new Map<string, Span>();
  for (const func of module.functions) {
    for (const { op } of func.graph().steps) {
      if (op.kind !== 'call' || op.call.isNew || op.call.callee.kind !== 'member') continue;
      const [command] = op.call.args;
      if (command?.kind !== 'call' || !command.isNew || model.calls.match(model.calls.site(op.call)).length > 0) continue;
      if (model.interpreter.meaning(command).events.length > 0) found.set(`${command.span.start} ${command.span.end}`, op.call.span);
    }
  }
  return found;
}
