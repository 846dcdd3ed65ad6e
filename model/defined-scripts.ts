/** Methods that a module has made from Lua scripts, by a call or with a client's options, and what calls of them do. */
import type { Site } from './arguments.ts';
import type { Calls } from './calls.ts';
import type { ModelEvent } from './events.ts';
import type { CallExpr, Module } from './ir.ts';
import { eventsOfScript } from './scripts.ts';
import type { Value } from './value.ts';

interface DefinedScript {
  lua: string;
  /** How many of its arguments are keys; undefined when each call says it first. */
  keys: number | undefined;
}

export class DefinedScripts {
  private readonly known = new WeakMap<Module, Map<string, DefinedScript>>();
  /** Of a module and those that it imports: which may define some. */
  private readonly defining = new WeakMap<Module, Module[]>();

  /** The calls that define scripts, and the options that bring some, as the catalog has them. */
  private readonly words: readonly string[];

  constructor(private readonly calls: Calls) {
    this.words = calls.catalog.libraries.flatMap(({ calls: rows, obtain }) => [
      ...rows.filter(({ does }) => [does].flat().some(({ kind }) => kind === 'define-script')).flatMap(({ name }) => name),
      ...(obtain ?? []).flatMap(({ scripts }) => (scripts && 'path' in scripts.at ? (scripts.at.path ?? []) : [])),
    ]);
  }

  /** A method that `defineCommand` and its kin have made, here or in a module that this one imports. */
  eventsOf(site: Site): ModelEvent[] | undefined {
    if (!site.receiver || site.name === '()' || site.name === '') return undefined;
    const module = site.call.func.module;
    const { project } = this.calls.evaluator;
    let defining = this.defining.get(module);
    if (!defining) {
      const imported = module.specifiers.filter((it) => this.speaksOfScripts(project.textOf(module, it) ?? '')).map((it) => project.imported(module, it));
      this.defining.set(module, (defining = [module, ...imported].filter((it) => it !== undefined && this.speaksOfScripts(it.text)) as Module[]));
    }
    for (const it of defining) {
      const found = this.definedIn(it).get(site.name);
      if (!found) continue;
      const args = site.args.flatMap((each) => (each.kind === 'array' ? each.items : [each]));
      const count = found.keys ?? (args[0]?.kind === 'const' ? Number(args[0].value) : 1);
      const rest = found.keys === undefined ? args.slice(1) : args;
      return eventsOfScript(found.lua, rest.slice(0, count), rest.slice(count), site.call, undefined);
    }
    return undefined;
  }

  private speaksOfScripts(text: string): boolean {
    return this.words.some((it) => text.includes(it));
  }

  private definedIn(module: Module): Map<string, DefinedScript> {
    const known = this.known.get(module);
    if (known) return known;
    const found = new Map<string, DefinedScript>();
    this.known.set(module, found);
    for (const func of module.functions) {
      for (const step of func.graph().steps) {
        if (step.op.kind !== 'call') continue;
        const site = this.calls.site(step.op.call);
        for (const it of this.calls.match(site)) {
          for (const effect of it.effects) {
            if (effect.kind !== 'define-script') continue;
            const name = this.calls.at(effect.name, site, it.row);
            const lua = this.calls.at(effect.text, site, it.row);
            const keys = this.calls.at(effect.numberOfKeys, site, it.row);
            if (name?.kind === 'const' && lua?.kind === 'const') found.set(String(name.value), { lua: String(lua.value), keys: keys?.kind === 'const' ? Number(keys.value) : undefined });
          }
        }
        this.constructed(step.op.call, site, found);
      }
    }
    return found;
  }

  /** Scripts that a client gets with its options. */
  private constructed(call: CallExpr, site: Site, found: Map<string, DefinedScript>): void {
    const value = this.calls.evaluator.value(call);
    if (value.kind !== 'typed' || site.callee.kind !== 'export') return;
    for (const { row } of this.calls.catalog.obtainFromExport(site.callee.specifier, call.isNew ? 'new' : 'call', site.callee.name)) {
      if (!row.scripts) continue;
      const definitions = this.calls.at(row.scripts.at, site);
      if (definitions?.kind !== 'object') continue;
      for (const [name, it] of definitions.props) {
        const follow = (path: readonly string[]): Value => path.reduce((of, part) => this.calls.evaluator.member(of, part), it.kind === 'typed' && it.args[0] ? it.args[0] : it);
        const lua = follow(row.scripts.text);
        const keys = follow(row.scripts.numberOfKeys);
        if (lua.kind === 'const') found.set(name, { lua: String(lua.value), keys: keys.kind === 'const' ? Number(keys.value) : undefined });
      }
    }
  }
}
