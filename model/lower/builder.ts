/**
 * Builds one function's graph: where control goes next, where it goes when a step throws, and how
 * `finally` runs once for every way of leaving its block (each way has its own copy, so that what
 * holds on one path is not mixed with what holds on another).
 */
import type { Func, Graph, Op, Step } from '../ir.ts';
import type { Span } from '../place.ts';

/** An edge that still leads nowhere: successor `slot` of `step`. */
interface Edge {
  step: Step;
  slot: number;
}

type Frame =
  | { kind: 'catch'; entry: Step }
  | { kind: 'finally'; entry: Step; run: () => void }
  | { kind: 'loop'; labels: string[]; breaks: Edge[]; head: Step | undefined; continues: Edge[] }
  | { kind: 'label'; labels: string[]; breaks: Edge[] };

/** Copies of `finally` blocks nest; beyond this depth further copies are left out. */
const maxFinallyDepth = 4;

export class GraphBuilder {
  private readonly steps: Step[] = [];
  private open: Edge[] = [];
  private frames: Frame[] = [];
  private finallyDepth = 0;
  private readonly entry: Step;
  private readonly exit: Step;
  private readonly raise: Step;

  constructor(readonly func: Func) {
    this.entry = this.make({ kind: 'pass' }, { start: func.span.start, end: func.span.start });
    this.exit = this.make({ kind: 'pass' }, { start: func.span.end, end: func.span.end });
    this.raise = this.make({ kind: 'pass' }, { start: func.span.end, end: func.span.end });
    this.open = [{ step: this.entry, slot: 0 }];
  }

  /** False after a `return`, `throw`, `break` or `continue`. */
  get reachable(): boolean {
    return this.open.length > 0;
  }

  /** True while a `finally` block is lowered for the second time or later: assignments in it are known already. */
  get isCopy(): boolean {
    return this.finallyDepth > 0;
  }

  emit(op: Op, span: Span): Step {
    const step = this.make(op, span);
    this.connect(step);
    this.open = [{ step, slot: 0 }];
    if (op.kind === 'call' || op.kind === 'await' || op.kind === 'throw' || op.kind === 'dispose') step.fail = this.failTarget();
    if (op.kind === 'throw') this.open = [];
    return step;
  }

  /** Lowers both sides of a test; control goes on behind both. */
  branch(op: Op & { kind: 'branch' | 'fork' }, span: Span, yes: () => void, no: () => void): void {
    const step = this.emit(op, span);
    this.open = [{ step, slot: 0 }];
    yes();
    const afterYes = this.open;
    this.open = [{ step, slot: 1 }];
    no();
    this.open = [...afterYes, ...this.open];
  }

  return(value: (Op & { kind: 'return' })['value'], span: Span): void {
    this.unwindTo(0);
    const step = this.emit({ kind: 'return', value }, span);
    step.next[0] = this.exit;
    this.open = [];
  }

  /** A loop: `head` is lowered once per turn and tells whether the body runs. */
  loop(labels: string[], parts: { test: (body: () => void, end: () => void) => void; body: () => void; update?: () => void; bodyFirst?: boolean }): void {
    const head = this.emit({ kind: 'pass' }, this.func.nameSpan);
    const frame: Frame & { kind: 'loop' } = { kind: 'loop', labels, breaks: [], head: undefined, continues: [] };
    this.frames.push(frame);
    const turn = (): void => {
      parts.body();
      this.open.push(...frame.continues);
      frame.continues = [];
    };
    if (parts.bodyFirst) {
      turn();
      parts.test(
        () => this.jump(head),
        () => {},
      );
    } else {
      parts.test(
        () => {
          turn();
          parts.update?.();
          this.jump(head);
        },
        () => {},
      );
    }
    this.frames.pop();
    this.open.push(...frame.breaks);
  }

  labelled(labels: string[], body: () => void): void {
    const frame: Frame = { kind: 'label', labels, breaks: [] };
    this.frames.push(frame);
    body();
    this.frames.pop();
    this.open.push(...frame.breaks);
  }

  break(label: string | undefined): void {
    this.leave((it) => (it.kind === 'loop' && label === undefined) || ((it.kind === 'loop' || it.kind === 'label') && label !== undefined && it.labels.includes(label)) || (it.kind === 'label' && label === undefined && it.labels.includes('')), 'breaks');
  }

  continue(label: string | undefined): void {
    this.leave((it) => it.kind === 'loop' && (label === undefined || it.labels.includes(label)), 'continues');
  }

  tryCatch(block: () => void, handler: (entry: Step) => void, span: Span, catchOp: Op): void {
    const entry = this.make(catchOp, span);
    this.frames.push({ kind: 'catch', entry });
    block();
    this.frames.pop();
    const afterBlock = this.open;
    this.open = [{ step: entry, slot: 0 }];
    handler(entry);
    this.open = [...afterBlock, ...this.open];
  }

  tryFinally(block: () => void, finalizer: () => void, span: Span): void {
    const entry = this.make({ kind: 'pass' }, span);
    const frame: Frame = { kind: 'finally', entry, run: finalizer };
    this.frames.push(frame);
    block();
    this.frames.pop();
    if (this.reachable) finalizer();
    const afterBlock = this.open;
    this.open = [{ step: entry, slot: 0 }];
    this.copy(finalizer);
    if (this.reachable) this.emit({ kind: 'throw', value: { kind: 'error', span } }, span);
    this.open = afterBlock;
  }

  finish(span: Span): Graph {
    if (this.reachable) this.return(undefined, span);
    return { entry: this.entry, exit: this.exit, raise: this.raise, steps: this.steps };
  }

  private make(op: Op, span: Span): Step {
    const step: Step = { id: this.steps.length, op, span, next: [] };
    this.steps.push(step);
    return step;
  }

  private connect(step: Step): void {
    for (const it of this.open) it.step.next[it.slot] = step;
  }

  private jump(to: Step): void {
    this.connect(to);
    this.open = [];
  }

  private failTarget(): Step {
    for (let i = this.frames.length - 1; i >= 0; i--) {
      const frame = this.frames[i]!;
      if (frame.kind === 'catch' || frame.kind === 'finally') return frame.entry;
    }
    return this.raise;
  }

  /** Runs the finalizers between here and frame `depth`, innermost first. */
  private unwindTo(depth: number): void {
    const saved = this.frames;
    for (let i = saved.length - 1; i >= depth; i--) {
      const frame = saved[i]!;
      if (frame.kind !== 'finally' || !this.reachable) continue;
      this.frames = saved.slice(0, i);
      this.copy(frame.run);
    }
    this.frames = saved;
  }

  private copy(finalizer: () => void): void {
    if (this.finallyDepth >= maxFinallyDepth) return;
    this.finallyDepth++;
    finalizer();
    this.finallyDepth--;
  }

  private leave(matches: (frame: Frame) => boolean, list: 'breaks' | 'continues'): void {
    for (let i = this.frames.length - 1; i >= 0; i--) {
      const frame = this.frames[i]!;
      if (!matches(frame)) continue;
      this.unwindTo(i + 1);
      if (frame.kind === 'loop') frame[list].push(...this.open);
      else if (frame.kind === 'label') frame.breaks.push(...this.open);
      this.open = [];
      return;
    }
    this.open = [];
  }
}
