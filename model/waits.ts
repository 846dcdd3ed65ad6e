/**
 * How long code waits at most by its own constants: sleeps, timeouts of requests, queries and
 * transactions, budgets of retries. What follows in sequence is added, side by side the longest
 * counts, and so does the longer of two branches. A length that is not constant counts as nothing.
 */
import { milliseconds } from './arguments.ts';
import { bindingsOf } from './binding.ts';
import type { RunsEvent } from './events.ts';
import type { CallExpr, Expr, Func, Step } from './ir.ts';
import { ticksOf, turnsOf } from './loops.ts';
import type { Model } from './story.ts';
import { type Value, alternatives, sameSite } from './value.ts';

/** A length of time, and the calls of the frame by which it is spent, in order. */
export interface Waiting {
  ms: number;
  at: readonly CallExpr[];
}

/** Puts in what the callers have handed over. */
export type Bind = (value: Value) => Value;

export const noWait: Waiting = { ms: 0, at: [] };
const maxCalls = 8;

const longer = (a: Waiting, b: Waiting): Waiting => (b.ms > a.ms ? b : a);
const added = (a: Waiting, b: Waiting): Waiting => (b.ms === 0 ? a : { ms: a.ms + b.ms, at: a.at.some((it) => b.at.includes(it)) ? a.at : [...a.at, ...b.at] });

export class Waits {
  private readonly busy: Func[] = [];

  constructor(private readonly model: Model) {}

  /** The longest way through some of a function's steps; what a `return` hands on is waited for by the caller only. */
  along(steps: ReadonlySet<Step>, bind: Bind, countsReturned: boolean): Waiting {
    const costs = new Map<Step, Waiting>();
    const cost = (step: Step): Waiting => {
      let known = costs.get(step);
      if (!known) costs.set(step, (known = step.op.kind === 'call' && isWaitedFor(step.op.call, countsReturned) ? this.ofCall(step.op.call, bind) : noWait));
      return known;
    };
    return this.longest(steps, cost, bind, 0);
  }

  /** A whole function that is called with these values. */
  ofFunction(callee: Value & { kind: 'func' }, args: Value[], open: boolean): Waiting {
    const { func } = callee;
    if (this.busy.includes(func) || this.busy.length >= maxCalls) return noWait;
    const bindings = bindingsOf(callee, args, open);
    this.busy.push(func);
    const found = this.along(new Set(func.graph().steps), (value) => bindings.reduce((at, it) => this.model.evaluator.bind(at, it), value), true);
    this.busy.pop();
    return found;
  }

  /** What one call takes, when it is waited for. */
  private ofCall(call: CallExpr, bind: Bind): Waiting {
    const spent = (ms: number | undefined): Waiting => (ms !== undefined && ms > 0 ? { ms, at: [call] } : noWait);
    const { calls, interpreter } = this.model;
    for (const { row, site, effects } of calls.match(calls.site(call))) {
      for (const effect of effects) {
        if (effect.kind === 'joins') return this.joined(call.args[0], effect.how, bind);
        if (effect.kind === 'wait') return spent(this.constant(calls.at(effect.ms, site, row), effect.unit ?? 'ms', bind));
      }
      const limit = calls.lease(row.timeout, site, row);
      const ms = limit && milliseconds(bind(limit.value), limit.unit);
      if (ms !== undefined) return spent(ms);
    }
    const meaning = interpreter.meaning(call);
    const timer = call.isNew ? this.ofExecutor(call, bind) : undefined;
    if (timer !== undefined) return spent(timer);
    const inner = [
      ...meaning.entered.map((it) => this.ofFunction(it.callee, it.args.map(bind), it.open)),
      ...meaning.events.flatMap((it) => (it.kind === 'runs' && it.when === 'now' ? this.ofBodies(it, bind) : [])),
    ];
    return spent(Math.max(0, ...inner.map((it) => it.ms)));
  }

  private ofBodies(event: RunsEvent, bind: Bind): Waiting[] {
    return alternatives(bind(event.body)).flatMap((body) => (body.kind === 'func' ? [this.ofFunction(body, event.args.map(bind), false)] : []));
  }

  /** `new Promise((resolve) => setTimeout(resolve, ms))`. */
  private ofExecutor(call: CallExpr, bind: Bind): number | undefined {
    const { calls, evaluator } = this.model;
    const executor = call.args[0] && evaluator.value(call.args[0]);
    if (executor?.kind !== 'func') return undefined;
    for (const { op } of executor.func.graph().steps) {
      if (op.kind !== 'call') continue;
      for (const { row, site, effects } of calls.match(calls.site(op.call))) {
        for (const effect of effects) if (effect.kind === 'calls' && effect.when === 'later' && effect.delay) return this.constant(calls.at(effect.delay, site, row), 'ms', bind) ?? 0;
      }
    }
    return undefined;
  }

  /** All of several that run side by side take as long as the longest; of a race the shortest that is known ends it. */
  private joined(items: Expr | undefined, how: 'all' | 'settled' | 'race' | 'any', bind: Bind): Waiting {
    const list = items?.kind === 'array' ? items.items : items ? [items] : [];
    const each = list.map((it) => this.ofExpression(it, bind)).filter((it) => it.ms > 0);
    if (each.length === 0) return noWait;
    return how === 'all' || how === 'settled' ? each.reduce(longer) : each.reduce((a, b) => (b.ms < a.ms ? b : a));
  }

  private ofExpression(expr: Expr, bind: Bind): Waiting {
    if (expr.kind === 'call') return this.ofChain(expr, bind);
    if (expr.kind === 'await' || expr.kind === 'spread') return this.ofExpression(expr.of, bind);
    return expr.kind === 'var' && expr.variable.values.length === 1 && expr.variable.kind === 'const' ? this.ofExpression(expr.variable.values[0]!, bind) : noWait;
  }

  /** The call, and those that it is chained to: `fetch(url, options).then(…)`. */
  private ofChain(call: CallExpr, bind: Bind): Waiting {
    const own = this.ofCall(call, bind);
    const before = call.callee.kind === 'member' && call.callee.object.kind === 'call' ? call.callee.object : undefined;
    return before?.use === 'chained' ? added(this.ofChain(before, bind), own) : own;
  }

  private constant(value: Value | undefined, unit: 'ms' | 's' | 'epoch-ms' | 'epoch-s' | 'duration', bind: Bind): number | undefined {
    return value && milliseconds(bind(value), unit);
  }

  /** The longest way through the steps; a loop is gone through as often as its constants say, otherwise once. */
  private longest(steps: ReadonlySet<Step>, cost: (step: Step) => Waiting, bind: Bind, depth: number): Waiting {
    const parts = components(steps);
    const ways = new Map<Step, Waiting>();
    let all = noWait;
    // A part stands after all that can be reached from it, so that the ends of the ways come first.
    for (const part of parts) {
      const inside = new Set(part);
      const own = part.length > 1 && depth < 6 ? this.ofLoop(inside, steps, cost, bind, depth) : cost(part[0]!);
      let after = noWait;
      for (const step of part) for (const next of followers(step)) if (!inside.has(next) && steps.has(next)) after = longer(after, ways.get(next) ?? noWait);
      const way = added(own, after);
      for (const step of part) ways.set(step, way);
      all = longer(all, way);
    }
    return all;
  }

  private ofLoop(loop: ReadonlySet<Step>, steps: ReadonlySet<Step>, cost: (step: Step) => Waiting, bind: Bind, depth: number): Waiting {
    const heads = new Set<Step>();
    for (const step of steps) if (!loop.has(step)) for (const next of followers(step)) if (loop.has(next)) heads.add(next);
    const [head] = heads.size > 0 ? heads : loop;
    // Without its head the loop falls apart into one turn, in which there may be further loops.
    const turn = added(cost(head!), this.longest(new Set([...loop].filter((it) => it !== head)), cost, bind, depth + 1));
    const budget = ticksOf(loop, this.model, bind);
    if (budget !== undefined) return turn.at.length > 0 ? { ms: Math.max(budget, turn.ms), at: turn.at } : noWait;
    return { ms: turn.ms * Math.max(1, turnsOf(loop, this.model, bind) ?? 1), at: turn.at };
  }
}

/** Whether the function goes on only when the call, or the chain that it begins, is done. */
function isWaitedFor(call: CallExpr, countsReturned: boolean): boolean {
  let at: CallExpr | undefined = call;
  while (at?.use === 'chained') {
    const before: CallExpr = at;
    at = before.func.graph().steps.flatMap(({ op }) => (op.kind === 'call' && op.call.callee.kind === 'member' && op.call.callee.object.kind === 'call' && sameSite(op.call.callee.object, before) ? [op.call] : []))[0];
  }
  return at?.use === 'await' || (countsReturned && at?.use === 'return');
}

const followers = (step: Step): Step[] => [...step.next.filter((it) => it !== undefined), ...(step.fail ? [step.fail] : [])];

/** Strongly connected parts, each after those that it leads to (Tarjan). */
function components(steps: ReadonlySet<Step>): Step[][] {
  const order = new Map<Step, { index: number; low: number; isOpen: boolean }>();
  const open: Step[] = [];
  const found: Step[][] = [];
  for (const root of steps) {
    if (order.has(root)) continue;
    const work: { step: Step; rest: Step[] }[] = [];
    const enter = (step: Step): void => {
      order.set(step, { index: order.size, low: order.size, isOpen: true });
      open.push(step);
      work.push({ step, rest: followers(step).filter((it) => steps.has(it)) });
    };
    enter(root);
    while (work.length > 0) {
      const { step, rest } = work.at(-1)!;
      const own = order.get(step)!;
      const next = rest.pop();
      if (next) {
        const known = order.get(next);
        if (!known) enter(next);
        else if (known.isOpen) own.low = Math.min(own.low, known.index);
        continue;
      }
      work.pop();
      const outer = work.at(-1);
      if (outer) order.get(outer.step)!.low = Math.min(order.get(outer.step)!.low, own.low);
      if (own.low !== own.index) continue;
      const part: Step[] = [];
      for (let it = open.pop(); it; it = open.pop()) {
        order.get(it)!.isOpen = false;
        part.push(it);
        if (it === step) break;
      }
      found.push(part);
    }
  }
  return found;
}
