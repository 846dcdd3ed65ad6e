/**
 * What stands at the places of a call that a row of the catalog names: values and expressions at
 * paths, whether the row's conditions hold, and how long a lease is.
 */
import type { ArgPath, Call, Constant, Lease, Sort, Unit, When } from '../catalog/schema.ts';
import type { Evaluator, Store } from './evaluator.ts';
import type { Identity } from './identified.ts';
import type { Identities } from './identity.ts';
import type { CallExpr, Expr } from './ir.ts';
import type { Given } from './open-calls.ts';
import { type Value, alternatives, constant, text, unknown } from './value.ts';

/** A call with its receiver and arguments evaluated. */
export interface Site {
  call: CallExpr;
  store: Store | undefined;
  callee: Value;
  /** The receiver of a method call. */
  receiver: Value | undefined;
  identity: Identity | undefined;
  name: string;
  args: Value[];
  /** Arguments were spread from something unknown. */
  open: boolean;
  /** For a call that waited for its caller: what stands in it. */
  given?: readonly Given[];
}

/** A lease length as far as it is known. */
export interface LeaseLength {
  value: Value;
  unit: Unit;
  /** In milliseconds, when it is constant and a length. */
  ms?: number;
  site: Expr | undefined;
}

export class Arguments {
  constructor(
    private readonly evaluator: Evaluator,
    private readonly identities: Identities,
  ) {}

  /** Whether a text is SQL; set by `Model`, which knows the dialects. */
  isSql: (value: Value) => boolean = () => false;

  /** Whether what a row asks of a call is so. */
  fulfils(it: When, site: Site, row?: Call): boolean {
    if ('has' in it) {
      const value = this.at(it.has, site, row);
      return present(value) && !isOnlyPossible(value);
    }
    if ('lacks' in it) return !present(this.at(it.lacks, site, row));
    if ('noFlag' in it) return this.flagIndex(it.noFlag, it.from, this.flat(site, row)) < 0;
    if ('flag' in it) return this.flagIndex(it.flag, it.from, this.flat(site, row)) >= 0;
    if ('is' in it) {
      const value = this.at(it.is, site, row);
      const wanted: readonly Constant[] = Array.isArray(it.value) ? (it.value as readonly Constant[]) : [it.value as Constant];
      return value !== undefined && alternatives(value).some((each) => each.kind === 'const' && wanted.includes(each.value as Constant));
    }
    if ('sort' in it) {
      const value = this.at(it.sort, site, row);
      return value !== undefined && this.isSort(value, it.of);
    }
    if ('typed' in it) {
      const value = this.at(it.typed, site, row);
      const found = value && this.identities.of(value);
      return found?.type !== undefined && [found.type, ...(found.others ?? [])].every((type) => it.as.includes(type));
    }
    const count = this.plain(site, row).length;
    return !site.open && (it.atLeast ? count >= it.count : count === it.count);
  }

  private isSort(value: Value, sort: Sort): boolean {
    switch (sort) {
      case 'sql':
        return this.isSql(value);
      case 'function':
        return alternatives(value).some((it) => it.kind === 'func' || it.kind === 'class' || it.kind === 'releaser' || (it.kind === 'field' && it.of.kind !== 'unknown' && this.identities.of(it)?.returns !== undefined));
      case 'array':
        return alternatives(value).some((it) => it.kind === 'array') || this.identities.of(value)?.element !== undefined;
      case 'object':
        return alternatives(value).some((it) => it.kind === 'object' || it.kind === 'instance' || it.kind === 'typed');
      case 'string':
        return alternatives(value).some((it) => it.kind === 'text' || it.kind === 'fresh' || (it.kind === 'const' && typeof it.value === 'string') || (it.kind === 'some' && it.sort === 'string'));
      case 'number':
        return alternatives(value).some((it) => (it.kind === 'const' && typeof it.value === 'number') || (it.kind === 'some' && it.sort === 'number') || (it.kind === 'field' && it.name === 'length'));
    }
  }

  /** Arguments without a trailing callback. */
  private plain(site: Site, row: Call | undefined): Value[] {
    if (row?.delivery?.callback === undefined) return site.args;
    const last = site.args[site.args.length - 1];
    return last?.kind === 'func' ? site.args.slice(0, -1) : site.args;
  }

  private flat(site: Site, row: Call | undefined): Value[] {
    return this.plain(site, row).flatMap((it) => (it.kind === 'array' ? it.items : [it]));
  }

  private flagIndex(flag: string, from: number, args: readonly Value[]): number {
    return args.findIndex((it, i) => i >= from && alternatives(it).some((each) => each.kind === 'const' && typeof each.value === 'string' && each.value.toUpperCase() === flag.toUpperCase()));
  }

  /** The value at a path, or undefined when nothing stands there. */
  at(path: ArgPath, site: Site, row?: Call): Value | undefined {
    if ('constant' in path) return constant(path.constant);
    if ('joined' in path) {
      const parts = path.joined.map((it) => this.at(it, site, row));
      return parts.every((it) => it !== undefined) ? text(parts) : undefined;
    }
    if ('flag' in path) {
      const args = this.flat(site, row);
      const index = this.flagIndex(path.flag, path.from, args);
      return index < 0 ? undefined : args[index + 1];
    }
    if ('rest' in path) {
      const items = this.plain(site, row).slice(path.rest).flatMap((it) => (it.kind === 'array' ? it.items : [it]));
      return { kind: 'array', items, open: site.open };
    }
    if ('last' in path) return site.args[site.args.length - 1];
    if ('self' in path) return site.receiver && this.follow(site.receiver, path.path);
    if ('ctor' in path) {
      const made = site.identity?.typed?.args[path.ctor];
      return made && this.follow(made, path.path);
    }
    if ('configured' in path) return configuredOf(site.identity?.typed, path.configured);
    if ('each' in path) return this.eachOf(path, site);
    let value: Value | undefined = site.args[path.arg];
    if (path.built !== undefined) value = value?.kind === 'typed' || value?.kind === 'instance' || value?.kind === 'result' ? value.args[path.built] : undefined;
    if (path.chain !== undefined) value = value?.kind === 'typed' ? configuredOf(value, path.chain) : undefined;
    return value && this.follow(value, path.path);
  }

  private eachOf(path: { arg: number; path?: readonly string[]; each: readonly string[] }, site: Site): Value | undefined {
    const list = site.args[path.arg];
    const of = list && this.follow(list, path.path);
    if (of?.kind !== 'array') return undefined;
    const items: Value[] = [];
    for (const it of of.items) {
      const first = this.follow(it, path.each.slice(0, 1));
      if (!first) continue;
      const value = this.follow(first, path.each.slice(1));
      if (!value) return undefined;
      items.push(value);
    }
    return items.length ? { kind: 'array', items, open: of.open } : undefined;
  }

  /** The expression at a path, for reports and edits; only direct arguments have one. */
  exprAt(path: ArgPath, site: Site): Expr | undefined {
    const { args } = site.call;
    if (args.some((it) => it.kind === 'spread')) return undefined;
    let expr: Expr | undefined;
    if ('arg' in path) expr = args[path.arg];
    else if ('last' in path) expr = args[args.length - 1];
    else if ('flag' in path) {
      const index = args.findIndex((it, i) => i >= path.from && it.kind === 'const' && typeof it.value === 'string' && it.value.toUpperCase() === path.flag.toUpperCase());
      expr = index < 0 ? undefined : args[index + 1];
    } else return undefined;
    for (const name of ('path' in path && path.path) || []) {
      if (expr?.kind !== 'object') return undefined;
      expr = expr.props.find((it) => it.name === name)?.value;
    }
    return expr;
  }

  private follow(value: Value, path: readonly string[] | undefined): Value | undefined {
    let at: Value = value;
    for (const name of path ?? []) {
      if (hasNoProperties(at)) return undefined;
      at = this.evaluator.member(at, name);
      if (at.kind === 'const' && at.value === undefined) return undefined;
      // A property of something that is not known may or may not be there.
      if (at.kind === 'field' && at.of.kind !== 'object' && !this.knownProperty(at)) return undefined;
    }
    return at;
  }

  private knownProperty(value: Value & { kind: 'field' }): boolean {
    const of = this.identities.of(value.of);
    return of?.members?.has(value.name) ?? true;
  }

  /** The first of the lengths that the call gives, or else the library's own. */
  lease(leases: readonly Lease[] | undefined, site: Site, row: Call): LeaseLength | undefined {
    for (const it of leases ?? []) {
      const value = this.at(it.at, site, row);
      if (value === undefined || (value.kind === 'const' && (value.value === undefined || value.value === null))) continue;
      const named = it.unitFrom && this.at(it.unitFrom.at, site, row);
      // Of a length in an unknown unit nothing can be said.
      if (named && named.kind !== 'const') return { value: unknown('a length in a unit that is not known'), unit: it.unit, ms: undefined, site: this.exprAt(it.at, site) };
      const unit = named?.kind === 'const' ? (it.unitFrom!.units[String(named.value)] ?? it.unit) : it.unit;
      return { value, unit, ms: milliseconds(value, unit), site: this.exprAt(it.at, site) };
    }
    const byDefault = leases?.find((it) => it.default !== undefined);
    // An object that was made out of sight may have been given a length.
    if (!byDefault || (leases?.some((it) => 'ctor' in it.at) && !site.identity?.typed)) return undefined;
    const value = constant(byDefault.default);
    return { value, unit: byDefault.unit, ms: milliseconds(value, byDefault.unit), site: undefined };
  }
}

function present(value: Value | undefined): boolean {
  return value !== undefined && !(value.kind === 'const' && (value.value === undefined || value.value === false || value.value === null));
}

/** A property that an object in sight does not have itself: what was spread into it may bring it. */
const isOnlyPossible = (value: Value | undefined): boolean => value?.kind === 'field' && value.of.kind === 'object';

/** Texts, numbers and functions: what an options object would say is not there. */
function hasNoProperties(value: Value): boolean {
  return value.kind === 'const' || value.kind === 'text' || value.kind === 'func' || value.kind === 'fresh' || value.kind === 'array' || (value.kind === 'some' && value.sort !== 'object');
}

/** What an earlier step of the chain put down under a name. */
function configuredOf(typed: (Value & { kind: 'typed' }) | undefined, name: string): Value | undefined {
  for (let at = typed; at; at = at.base?.kind === 'typed' ? at.base : undefined) {
    const value = at.configured?.get(name);
    if (value) return value;
  }
  return undefined;
}

/** In milliseconds, when it is a constant length. */
export function milliseconds(value: Value, unit: Unit): number | undefined {
  if (value.kind === 'const' && unit === 'duration' && typeof value.value === 'string') return duration(value.value);
  if (value.kind !== 'const') return undefined;
  const n = typeof value.value === 'number' ? value.value : typeof value.value === 'string' && value.value.trim() !== '' ? Number(value.value) : NaN;
  if (!Number.isFinite(n)) return undefined;
  return unit === 's' ? n * 1000 : unit === 'ms' || unit === 'duration' ? n : undefined;
}

const unitsOfDuration: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `15s`, `500ms`, `2m`. */
function duration(text: string): number | undefined {
  const unit = Object.keys(unitsOfDuration).filter((it) => text.endsWith(it)).sort((a, b) => b.length - a.length)[0];
  const n = Number(unit ? text.slice(0, -unit.length) : text);
  return Number.isFinite(n) && text !== '' ? n * (unit ? unitsOfDuration[unit]! : 1) : undefined;
}
