/**
 * A fixture of the catalog is ordinary code that uses one library, with what each call means in a
 * comment at its line:
 *
 *   await redis.set(`lock:${id}`, owner, 'PX', 30_000, 'NX'); // events: acquire lock:{id} lease=30s …
 *
 * Here it is read: by the interpreter, against the packages that `test/catalog/package.json` names.
 * A major is imported under the alias that it is installed as (`redis-4`), and stands for the package itself.
 * A fixture that says `// without package.json` is read as in a project that names no versions.
 */
import '../../rules/sql-engine.ts';
import * as typescriptParser from '@typescript-eslint/parser';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { libraries } from '../../catalog/index.gen.ts';
import { words } from '../../catalog/redis-commands.ts';
import type { Call, Decorator, Library, Obtain, State, Token } from '../../catalog/schema.ts';
import { CatalogIndex, type CallRow, type ObtainRow } from '../../model/catalog-index.ts';
import type { ModuleHost, Program } from '../../model/host.ts';
import { usesIn } from '../../model/expression-uses.ts';
import type { CallExpr, Expr, Func, Module } from '../../model/ir.ts';
import { Project } from '../../model/project.ts';
import { Model } from '../../model/story.ts';
import { alternatives, printValue } from '../../model/value.ts';
import { fileHost } from '../../rules/file-host.ts';
import { root } from '../root.ts';
import { describeEvent } from './events-text.ts';

export const fixturesFolder = join(root, 'test/catalog/fixtures');
const manifest = JSON.parse(readFileSync(join(root, 'test/catalog/package.json'), 'utf8')) as { devDependencies: Record<string, string> };

/** A package that is installed under another name: which one, and in which range. */
interface Alias {
  name: string;
  range: string;
}

/** `@types/acme__locks` holds the types of `@acme/locks`. */
const described = (name: string): string => (name.startsWith('@types/') ? name.slice(7).replace(/^(.+)__/, '@$1/') : name);

const aliases = new Map<string, Alias>();
const installed = new Map<string, string>();
for (const [name, range] of Object.entries(manifest.devDependencies)) {
  const alias = /^npm:(@?[^@]+)@(.+)$/.exec(range);
  if (alias) aliases.set(name, { name: described(alias[1]!), range: alias[2]! });
  else installed.set(described(name), range);
}

/** The catalog, noting which of its rows were asked for and found. */
class NotingCatalog extends CatalogIndex {
  readonly reachedObtain = new Set<Obtain>();
  readonly reachedDecorators = new Set<Decorator>();

  override obtainFromExport(specifier: string, by: Obtain['by'], name: string): ObtainRow[] {
    const found = super.obtainFromExport(specifier, by, name);
    for (const it of found) this.reachedObtain.add(it.row);
    return found;
  }

  override obtainFromType(of: string, by: 'method' | 'property' | 'new' | 'call', name: string): ObtainRow[] {
    const found = super.obtainFromType(of, by, name);
    for (const it of found) this.reachedObtain.add(it.row);
    return found;
  }

  override obtainWithout(of: string): readonly ObtainRow[] {
    const found = super.obtainWithout(of);
    for (const it of found) this.reachedObtain.add(it.row);
    return found;
  }

  override decoratorOf(specifier: string, name: string): { row: Decorator; library: Library } | undefined {
    const found = super.decoratorOf(specifier, name);
    if (found) this.reachedDecorators.add(found.row);
    return found;
  }
}

const catalog = new NotingCatalog(libraries, words);

function parse(file: string, text: string): Program | undefined {
  return typescriptParser.parse(text, { filePath: file, range: true, loc: true, comment: true, sourceType: 'module', jsx: file.endsWith('x') }) as never;
}

/** The fixture's text with its majors under the names of the packages, and the ranges that then hold. */
function withoutAliases(text: string): { text: string; ranges: Map<string, string> } {
  const used = new Map(installed);
  const plain = text.replaceAll(/(\bfrom |\bimport |\brequire\(|\bimport\()'((?:@[^/']+\/)?[^/'.][^/']*)/g, (whole, before: string, name: string) => {
    const alias = aliases.get(name);
    if (!alias) return whole;
    used.set(alias.name, alias.range);
    return `${before}'${alias.name}`;
  });
  return { text: plain, ranges: used };
}

export interface Reading {
  /** What each line means, by 1-based line; lines without events are absent. */
  lines: Map<number, string[]>;
  calls: Set<Call>;
}

/** Rows that any fixture has reached so far. */
export const reached = { calls: new Set<Call>(), obtained: catalog.reachedObtain, decorators: catalog.reachedDecorators, tokens: new Set<Token>(), states: new Set<State>() };

export interface CatalogFixture {
  /** File name without its ending. */
  name: string;
  path: string;
  text: string;
}

export const catalogFixtures = (): CatalogFixture[] =>
  readdirSync(fixturesFolder).filter((name) => /\.(?:ts|cts)$/.test(name) && !name.endsWith('.d.ts')).sort().map((name) => ({
    name: name.replace(/\.[^.]+$/, ''),
    path: join(fixturesFolder, name),
    text: readFileSync(join(fixturesFolder, name), 'utf8'),
  }));

/** What the interpreter makes of a fixture. */
export function read({ path, text: written }: CatalogFixture): Reading {
  const { text, ranges } = withoutAliases(written);
  const isKnown = !/^\/\/ without package\.json$/m.test(written);
  const host: ModuleHost = { ...fileHost({ parse }), packageRange: (_, name) => (isKnown ? ranges.get(name) : undefined) };
  const project = new Project(host, catalog);
  const module = project.add(path, text, parse(path, text)!);
  const model = new Model(project);
  const reading: Reading = { lines: new Map(), calls: new Set() };
  const say = (offset: number, said: string): void => {
    const line = lineOf(module, offset);
    const known = reading.lines.get(line);
    if (known) known.push(said);
    else reading.lines.set(line, [said]);
  };
  for (const func of module.functions) {
    for (const call of decoratorsOf(func)) {
      const event = model.interpreter.decorated(call);
      if (event) say(call.callee.span.end, `around the method: ${describeEvent(event)}`);
    }
    for (const step of func.graph().steps) {
      if (step.op.kind !== 'call') continue;
      const { call } = step.op;
      const site = model.calls.site(call);
      const matched = model.calls.match(site);
      for (const it of matched) note(it, reading);
      const said = [...new Set([...model.interpreter.meaning(call).events.map(describeEvent), ...givenBy(call, model, matched)])];
      for (const it of said) say(call.callee.span.end, it);
    }
    for (const expr of usesIn(func).keys()) for (const it of toldBy(expr, model)) say(expr.span.end, it);
  }
  return reading;
}

function note({ row }: CallRow, reading: Reading): void {
  reading.calls.add(row);
  reached.calls.add(row);
}

/** What the call hands out, where that is a value that rows speak of. */
function givenBy(call: CallExpr, model: Model, matched: readonly CallRow[]): string[] {
  const value = model.evaluator.value(call);
  const types = call.use === 'chained' || call.use === 'drop' ? [] : alternatives(value).flatMap((it) => (it.kind === 'typed' ? [`is ${it.type}`] : it.kind === 'releaser' ? ['is a release function'] : []));
  const effects = matched.flatMap((it) => it.row.does);
  if (effects.some((it) => ['fresh', 'derives', 'passes'].includes(it.kind)) && types.length === 0) return [`gives ${printValue(value)}`];
  return types;
}

/** What a property, or a value as a whole, tells of the order of holders or of the lock's state. */
function toldBy(expr: Expr, model: Model): string[] {
  if (expr.kind !== 'member' && expr.kind !== 'call' && expr.kind !== 'var') return [];
  const path: string[] = [];
  const said: string[] = [];
  for (let at = model.evaluator.value(expr); ; at = at.of) {
    const type = model.identities.of(at)?.type;
    for (const library of libraries) {
      const isIt = (it: { of: string; path: readonly string[] }): boolean => it.of === type && it.path.join('.') === path.join('.');
      for (const it of (library.tokens ?? []).filter(isIt)) {
        reached.tokens.add(it);
        said.push(it.sound ? 'a token' : 'no token');
      }
      for (const it of (library.states ?? []).filter(isIt)) {
        reached.states.add(it);
        said.push(`tells ${it.tells}`);
      }
    }
    if (at.kind !== 'field' || said.length > 0) return said;
    path.unshift(at.name);
  }
}

function decoratorsOf(func: Func): CallExpr[] {
  return func.decorators.filter((it): it is CallExpr => it.kind === 'call');
}

const lineOf = (module: Module, offset: number): number => {
  const next = module.starts.findIndex((start) => start > offset);
  return next < 0 ? module.starts.length : next;
};

const comment = /\s*\/\/ events: (.*)$/;

/** The comments of a fixture, by 1-based line. */
export function expectedIn(text: string): Map<number, string> {
  return new Map(text.split('\n').flatMap((line, index) => {
    const said = comment.exec(line)?.[1];
    return said === undefined ? [] : [[index + 1, said.trim()] as const];
  }));
}

/** The fixture's text with the comments that a reading asks for. */
export function commented(text: string, { lines }: Reading): string {
  return text.split('\n').map((line, index) => {
    const said = lines.get(index + 1);
    const bare = line.replace(comment, '');
    return said ? `${bare} // events: ${said.join('; ')}` : bare;
  }).join('\n');
}
