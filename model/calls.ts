/** Calls with their receivers and arguments evaluated, and which rows of the catalog they match. */
import type { Answer, ArgPath, Call, Effect, Lease, Library, When, Misfit, TypeId } from '../catalog/schema.ts';
import { Answers } from './answers.ts';
import { Arguments, type LeaseLength, type Site } from './arguments.ts';
import type { CallRow, CatalogIndex } from './catalog-index.ts';
import type { Evaluator, Store } from './evaluator.ts';
import { handedType, handedValue } from './handed.ts';
import type { Identities } from './identity.ts';
import type { CallExpr, Expr } from './ir.ts';
import type { Value } from './value.ts';

export interface Matched extends CallRow {
  site: Site;
  effects: readonly Effect[];
}

export class Calls {
  readonly catalog: CatalogIndex;
  readonly arguments: Arguments;
  private readonly answers = new Answers(this);
  private readonly sites = new WeakMap<CallExpr, Site>();
  private readonly matches = new WeakMap<CallExpr, readonly Matched[]>();

  constructor(
    readonly evaluator: Evaluator,
    readonly identities: Identities,
  ) {
    this.catalog = evaluator.project.catalog;
    this.arguments = new Arguments(evaluator, identities);
    evaluator.callValue = (call, store) => this.answers.of(this.site(call, store));
    identities.handed = (func, index) => handedType(func, index, this);
    identities.handedValue = (func, index) => handedValue(func, index, this);
  }

  site(call: CallExpr, store?: Store): Site {
    if (!store) {
      const known = this.sites.get(call);
      if (known) return known;
    }
    const before = this.evaluator.circles.count;
    const callee = this.evaluator.value(call.callee, store);
    const isMethod = call.callee.kind === 'member';
    const receiver = isMethod ? this.evaluator.value((call.callee as Expr & { kind: 'member' }).object, store) : callee.kind === 'field' ? callee.of : undefined;
    const name = isMethod ? memberName(call.callee as Expr & { kind: 'member' }, callee) : callee.kind === 'field' ? callee.name : '()';
    const args: Value[] = [];
    let open = false;
    for (const it of call.args) {
      if (it.kind !== 'spread') {
        args.push(this.evaluator.value(it, store));
        continue;
      }
      const inner = this.evaluator.value(it.of, store);
      if (inner.kind === 'array' && !inner.open) args.push(...inner.items);
      else {
        args.push({ kind: 'item', of: inner });
        open = true;
      }
    }
    const site: Site = { call, store, callee, receiver, identity: receiver && this.identities.of(receiver), name, args, open };
    if (!store && this.evaluator.circles.count === before) this.sites.set(call, site);
    return site;
  }

  /** The rows that fit, one per library at most; for a receiver of unknown type those that fit by shape. */
  match(site: Site): readonly Matched[] {
    if (!site.store) {
      const known = this.matches.get(site.call);
      if (known) return known;
    }
    const before = this.evaluator.circles.count;
    const found = this.find(site);
    if (!site.store && this.evaluator.circles.count === before && this.sites.get(site.call) === site) this.matches.set(site.call, found);
    return found;
  }

  private find(site: Site): readonly Matched[] {
    const { callee, call } = site;
    const tag = call.isTag;
    if (callee.kind === 'func' || callee.kind === 'class') {
      // A class of the project that extends a library's: its own methods come first.
      return [];
    }
    if (callee.kind === 'global') {
      const rows = this.first(this.catalog.callsOnGlobal(callee.name), site);
      // What every object of the language has, its globals have too: `process.on`.
      return rows.length > 0 || call.callee.kind !== 'member' ? rows : this.first(this.catalog.callsOnAny(site.name).filter((it) => it.library.family === 'language'), site);
    }
    // What a package that no row describes exports is told by the shape of its calls.
    if (callee.kind === 'export' && (site.receiver === undefined || this.catalog.librariesOf(callee.specifier).length > 0)) {
      const name = callee.name;
      const rows = this.catalog.callsOfExport(callee.specifier, name);
      const bare = name.startsWith('default.') ? this.catalog.callsOfExport(callee.specifier, name.slice('default.'.length)) : [];
      const value = this.catalog.obtainFromExport(callee.specifier, 'value', name)[0];
      const onValue = value ? this.catalog.callsOnType(value.row.type, tag ? '`' : '()') : [];
      const [head, ...tail] = name.split('.');
      const valueOfHead = tail.length ? this.catalog.obtainFromExport(callee.specifier, 'value', head!)[0] : undefined;
      const onMember = valueOfHead ? this.catalog.callsOnType(valueOfHead.row.type, tail.join('.')) : [];
      const own = this.identities.of(callee)?.type;
      const onOwn = own === undefined ? [] : this.catalog.callsOnType(own, tag ? '`' : '()');
      const onReceiver = site.identity?.type ? this.catalog.callsOnType(site.identity.type, site.name) : [];
      return this.first([...rows, ...bare, ...onValue, ...onMember, ...onOwn, ...onReceiver], site);
    }
    const own = this.identities.of(callee);
    if (own?.type) {
      const rows = this.catalog.callsOnType(own.type, tag ? '`' : '()');
      if (rows.length) return this.first(rows, { ...site, receiver: callee, identity: own });
    }
    const type = site.identity?.type ?? (site.identity?.def && site.receiver?.kind !== 'class' ? this.identities.baseType(site.identity.def) : undefined);
    if (type) {
      const rows = this.first(this.catalog.callsOnType(type, site.name), site);
      if (rows.length && !rows.some((it) => it.effects.some((effect) => effect.kind === 'put' && effect.condition === 'unknown'))) return rows;
      const byShape = rows.length ? this.first(this.catalog.callsOnAny(site.name), site) : [];
      if (rows.length) return byShape.length ? byShape : rows;
      const chain = this.chainOf(call.callee);
      const steps = chain && chain !== type ? this.first(this.catalog.callsOnType(chain, site.name), site) : [];
      if (steps.length) return steps;
      // A known receiver whose library says nothing of the method is not something else by its shape.
      if (this.catalog.typeLibrary(type)?.family !== 'language' && !languageMethods.has(site.name)) return [];
    }
    if (site.receiver === undefined) return [];
    const chain = type === undefined ? this.chainOf(call.callee) : undefined;
    const steps = chain ? this.first(this.catalog.callsOnType(chain, site.name), site) : [];
    if (steps.length) return steps;
    const byShape = [...this.catalog.callsOnAny(site.name), ...(tag ? this.catalog.callsOnAny('`') : [])];
    // A `Map` has a `delete` of its own.
    return this.first(site.identity?.builtin ? byShape.filter((it) => it.library.family === 'language') : byShape, site);
  }

  /** What the call before may be followed by until it is sent, whatever it answers then: a query, for `Model.findOne(…).lean()`. */
  private chainOf(callee: Expr): TypeId | undefined {
    const previous = callee.kind === 'member' ? callee.object : undefined;
    if (previous?.kind !== 'call') return undefined;
    const row = this.match(this.site(previous))[0]?.row;
    return row && (row.chains ?? (row.on === row.answers && previous.callee.kind === 'member' ? this.chainOf(previous.callee) : undefined));
  }

  /** A step of a statement that the call before has begun. */
  isChainStep({ row, site }: Matched): boolean {
    return this.chainOf(site.call.callee) === row.on;
  }

  private first(rows: readonly CallRow[], site: Site): readonly Matched[] {
    const found: Matched[] = [];
    for (const it of rows) {
      if (found.some((known) => known.library === it.library)) continue;
      const matched = this.fitting(it, site);
      if (matched) found.push(matched);
    }
    return found.length > 1 && found.some((it) => it.row.on !== 'any') ? found.slice(0, 1) : found;
  }

  /** The row with its effects, when it fits the call. */
  fitting(it: CallRow, site: Site): Matched | undefined {
    if (isTemplateRow(it.row) !== site.call.isTag || !this.holds(it, site, it.row)) return undefined;
    const effects = effectsOf(it.row);
    // What a client ignores depends on its version: of an unknown one no trap is told.
    const isTrap = effects.some((effect) => 'trap' in effect && effect.trap !== undefined);
    if (isTrap && it.row.versions && this.range(it.library.packages, site) === undefined) return undefined;
    return { ...it, site, effects };
  }

  /** Whether a row's versions and conditions fit the call; `call` is the row itself when it tells how answers are delivered. */
  holds({ row, library }: { row: { versions?: string; when?: readonly When[] }; library: Library }, site: Site, call?: Call): boolean {
    if (row.versions && !this.catalog.holdsIn(row.versions, this.range(library.packages, site))) return false;
    return (row.when ?? []).every((it) => this.arguments.fulfils(it, site, call));
  }

  /** The client that a lock's library was given and does not work on. */
  misfit(misfits: readonly Misfit[] | undefined, site: Site, row: Call): Misfit | undefined {
    return misfits?.find((it) => {
      const value = this.at(it.at, site, row);
      const clients = value === undefined ? [] : value.kind === 'array' ? value.items : [value];
      return clients.some((client) => {
        const identity = this.identities.of(client);
        if (identity?.type !== it.type) return false;
        const library = this.catalog.typeLibrary(it.type);
        const range = it.versions && library ? this.range(library.packages, { ...site, identity }) : undefined;
        // Which majors it does not work on says nothing of an unknown one.
        return !it.versions || (range !== undefined && this.catalog.holdsIn(it.versions, range));
      });
    });
  }

  /** The range of the package that the receiver comes from, or of the first of the library's that package.json names. */
  private range(packages: readonly string[], site: Site): string | undefined {
    const typed = site.identity?.typed;
    const from = typed?.from ?? site.call.func.module;
    for (const name of packages) {
      if (name.endsWith('/*')) continue;
      const range = this.evaluator.project.packageRange(from, name);
      if (range !== undefined) return range;
    }
    return undefined;
  }

  /** The value at a path, or undefined when nothing stands there. */
  at(path: ArgPath, site: Site, row?: Call): Value | undefined {
    return this.arguments.at(path, site, row);
  }

  /** The expression at a path, for reports and edits; only direct arguments have one. */
  exprAt(path: ArgPath, site: Site): Expr | undefined {
    return this.arguments.exprAt(path, site);
  }

  /** How long a lock that the call takes or prolongs is kept. */
  lease(leases: readonly Lease[] | undefined, site: Site, row: Call): LeaseLength | undefined {
    return this.arguments.lease(leases, site, row);
  }

  /** A value that the catalog describes, as this call hands it out. */
  fromAnswer(answer: Answer, site: Site): Value {
    return this.answers.described(answer, site);
  }
}

/** Methods that arrays and functions have, whatever else their receiver's library says. */
const languageMethods = new Set(['map', 'forEach', 'filter', 'flatMap', 'reduce', 'bind', 'toString', 'on', 'once']);

function memberName(callee: Expr & { kind: 'member' }, value: Value): string {
  if (typeof callee.name === 'string') return callee.name;
  return value.kind === 'field' ? value.name : value.kind === 'func' ? value.func.name : '';
}

const effectsOf = (row: Call): readonly Effect[] => (Array.isArray(row.does) ? (row.does as readonly Effect[]) : [row.does as Effect]);

const isTemplateRow = (row: Call): boolean => {
  return effectsOf(row).some((it) => it.kind === 'sql' && typeof it.text === 'object' && 'template' in it.text) || row.name === '`' || (Array.isArray(row.name) && row.name.includes('`'));
};
