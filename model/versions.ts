/** Whether the model that a write goes through is declared with a version which its store compares by itself. */
import type { Evaluator } from './evaluator.ts';
import type { Identities } from './identity.ts';
import type { ClassDef, Expr, TypeRef, Module } from './ir.ts';
import { type Value, contains } from './value.ts';

/** True where a schema, an entity or a model among `values` has one of these options or decorators. */
export function isVersioned(values: readonly (Value | undefined)[], names: readonly string[], evaluator: Evaluator, identities: Identities): boolean {
  return values.some((value) => {
    if (!value) return false;
    if (contains(value, (it) => hasOption(it, names))) return true;
    const classes = [...classesIn(value, identities), ...classesNamedBy(value, evaluator, identities)];
    return classes.some((def) => evaluator.lineage(def).some((cls) => isDeclaredVersioned(cls, names, evaluator)));
  });
}

/** `{ version: true }`, `{ version: 'revision' }`, `{ optimisticConcurrency: ['price'] }`; a column of that name is none. */
function hasOption(value: Value, names: readonly string[]): boolean {
  return value.kind === 'object' && names.some((name) => {
    const option = value.props.get(name);
    return option !== undefined && (option.kind === 'array' || (option.kind === 'const' && (option.value === true || (typeof option.value === 'string' && option.value !== ''))));
  });
}

function isDeclaredVersioned(cls: ClassDef, names: readonly string[], evaluator: Evaluator): boolean {
  const isSaid = (it: Expr): boolean => {
    const callee = evaluator.value(it.kind === 'call' ? it.callee : it);
    const name = callee.kind === 'export' ? callee.name.slice(callee.name.lastIndexOf('.') + 1) : '';
    return names.includes(name) || (it.kind === 'call' && it.args.some((arg) => hasOption(evaluator.value(arg), names)));
  };
  return cls.decorators.some(isSaid) || [...cls.fields.values()].some((field) => field.decorators.some(isSaid));
}

function classesIn(value: Value, identities: Identities): ClassDef[] {
  const found: ClassDef[] = [];
  contains(value, (it) => {
    if (it.kind === 'class' || it.kind === 'instance') found.push(it.def);
    return false;
  });
  const def = identities.of(value)?.def;
  return def ? [...found, def] : found;
}

/** The entity of a `Repository<Order>` or a `Model<OrderDocument>`, by the written type of the field or parameter. */
function classesNamedBy(value: Value, evaluator: Evaluator, identities: Identities): ClassDef[] {
  const refs: { ref: TypeRef | undefined; module: Module }[] = [];
  if (value.kind === 'field') {
    const def = identities.of(value.of)?.def;
    for (const cls of def ? evaluator.lineage(def) : []) refs.push({ ref: cls.fields.get(value.name)?.annotation, module: cls.module });
  } else if (value.kind === 'param') refs.push({ ref: value.func.params[value.index]?.annotation, module: value.func.module });
  return refs.flatMap(({ ref, module }) => (ref?.kind === 'name' ? ref.args.flatMap((it) => identities.ofAnnotation(it, module)?.def ?? []) : []));
}
