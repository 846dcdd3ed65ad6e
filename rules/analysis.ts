/** One file → its story and the findings of all rules. Pure: what it needs of the outside is handed in. */
import { libraries } from '../catalog/index.gen.ts';
import { words } from '../catalog/redis-commands.ts';
import type { Library } from '../catalog/schema.ts';
import { carrierOf } from '../model/carriers.ts';
import { CatalogIndex } from '../model/catalog-index.ts';
import type { ModuleHost, Program } from '../model/host.ts';
import type { Module } from '../model/ir.ts';
import { lockWords } from '../model/lock-words.ts';
import type { Place } from '../model/place.ts';
import { Project, type Touch } from '../model/project.ts';
import { type Names, exposesLocks } from '../model/exposure.ts';
import { touchesOf, worksOnData } from '../model/touching.ts';
import { isTest } from '../model/tests.ts';
import { Model, type Story, tellStory } from '../model/story.ts';
import { isCandidate, mayReach } from './candidate.ts';
import type { Edit, Finding } from './finding.ts';
import { rules } from './index.gen.ts';
import { isSame, standing, strongerThan } from './precedence.ts';
import { type Rule, type RuleFinding, render } from './rule.ts';
import type { Settings } from './settings.ts';

export interface Analysis {
  /** Of a file that no rule has anything to say of it is told when somebody asks. */
  readonly story: Story;
  /** Findings of every rule, with the rules' default options; made when first asked for. */
  readonly findings: Finding[];
  /** The findings of one rule with these options, but for those where a stronger rule speaks. Made once. */
  of(rule: Rule, options?: Record<string, unknown>): Finding[];
}

export interface Input {
  /** Absolute path, or the name under which the host knows the text. */
  file: string;
  text: string;
  program: Program;
}

/**
 * Analyses a file. Undefined when it mentions nothing of what the catalog knows, nor does a module
 * that it imports, and for a text of more than a million characters. Never throws for what stands in the file.
 */
export const analyse = (input: Input, host: ModuleHost, settings: Settings): Analysis | undefined => (isCandidate(input.file, input.text, host, settings) ? look(input, host, settings) : undefined);

/** Analyses a file that is worth it. */
export function look(input: Input, host: ModuleHost, settings: Settings): Analysis {
  const model = modelFor(host, settings);
  const module = model.project.add(input.file, input.text, input.program, host);
  return analysisOf(model, module, settings);
}

/** Whether a module hands locks to one that imports it and can come to these methods of it. It is parsed for the answer. */
export function exposes(file: string, names: Names, host: ModuleHost, settings: Settings): boolean {
  const model = modelFor(host, settings);
  const module = model.project.reread(file, host);
  return module !== undefined && exposesLocks(model, module, names);
}

const models = new WeakMap<object, WeakMap<CatalogIndex, Model>>();

/** What was computed of helpers is kept from file to file, where the host says that it may be. */
function modelFor(host: ModuleHost, settings: Settings): Model {
  const catalog = catalogFor(settings.catalog);
  const make = (): Model => {
    const touches = (file: string, touch: Touch): boolean => {
      const module = model.project.module(file);
      return !module || touchesOf(model, module)[touch];
    };
    const model = new Model(new Project(host, catalog, (file, touch, of) => of.snapshot === undefined || mayReach(file, touch, of, settings, (it) => touches(it, touch))));
    return model;
  };
  const key = host.parsesLike;
  if (!key) return make();
  let byCatalog = models.get(key);
  if (!byCatalog) models.set(key, (byCatalog = new WeakMap()));
  let model = byCatalog.get(catalog);
  if (!model) byCatalog.set(catalog, (model = make()));
  return model;
}

function analysisOf(model: Model, module: Module, settings: Settings): Analysis {
  const found = new Map<string, Finding[]>();
  let told: Story | undefined;
  const tell = (): Story => (told ??= tellStory(model, module, { efficiencyKeys: settings.efficiencyKeys }));
  const silent = isSilent(model, module);
  // Where something fails, it fails here, once for all rules.
  if (!silent) tell();
  const carried = (place: Place, story: Story): Place => (place.file === module.file ? story.place(carrierOf(place, module, model)) : place);
  /** Before any other rule is asked. */
  const own = (rule: Rule, options: Record<string, unknown>): Finding[] => {
    const key = `${rule.name} ${JSON.stringify(options)}`;
    const known = found.get(key);
    if (known) return known;
    if (silent) return [];
    const story = tell();
    // Sections can lie in each other and in helpers of other files: a rule says one thing once, and of this file.
    const isFirst = (it: RuleFinding, i: number, all: readonly RuleFinding[]): boolean => all.findIndex((other) => isSame(other.place, it.place)) === i;
    const said = rule.find({ story, settings, options }).map((it) => ({ ...it, place: carried(it.place, story) })).filter(({ place }) => place.file === module.file).filter(isFirst);
    const findings = said.map(({ data, edits, ...it }) => withEdits({ ...it, rule: rule.name, message: render(rule.messages[it.messageId]!, data) }, edits));
    found.set(key, findings);
    return findings;
  };
  const of = (rule: Rule, options = rule.defaults ?? {}): Finding[] => {
    const findings = own(rule, options);
    if (findings.length === 0) return findings;
    const stronger = strongerThan(rule.name).flatMap((name) => rules.filter((it) => it.name === name).flatMap((it) => own(it, it.defaults ?? {})));
    return stronger.length === 0 ? findings : standing(findings, stronger);
  };
  let all: Finding[] | undefined;
  return {
    get story() {
      return tell();
    },
    of,
    get findings() {
      return (all ??= rules.flatMap((rule) => of(rule)));
    },
  };
}

/** No rule has anything to say of a test, nor of what does nothing to data itself where no lock can be taken and no key that is called one is removed. */
const isSilent = (model: Model, module: Module): boolean =>
  isTest(module, model.project) || (!model.project.mayTake(module) && !worksOnData(model, module) && !(model.project.mayLock(module) && lockWords.test(module.text)));

/** Edits are made at the first question. A copy of the finding has none: they fit the text that it was found in. */
function withEdits(finding: Omit<Finding, 'edits'>, edits: RuleFinding['edits']): Finding {
  let made: Edit[] | undefined;
  return Object.defineProperty(finding, 'edits', { get: () => (made ??= typeof edits === 'function' ? edits() : edits) }) as Finding;
}

const catalogs = new WeakMap<readonly Library[], CatalogIndex>();
const builtIn = new CatalogIndex(libraries, words);

function catalogFor(own: readonly Library[]): CatalogIndex {
  if (own.length === 0) return builtIn;
  let known = catalogs.get(own);
  if (!known) catalogs.set(own, (known = new CatalogIndex([...own, ...libraries], words)));
  return known;
}
