/** Effects of which a part is found when somebody asks for all of them: most of what functions do is never asked for. */
import type { AtCall, Deep, Effects, Grant } from './deep.ts';

export const whole = (deep: readonly Deep[]): Effects => ({ deep, known: deep, isWhole: true });

/** With the locks that are left taken. */
export const granting = (effects: Effects, grants: readonly Grant[]): AtCall => ({
  known: effects.known,
  isWhole: effects.isWhole,
  get deep() {
    return effects.deep;
  },
  grants,
});

/** One after the other. */
export function joined(parts: readonly Effects[], late: Late): Effects {
  if (parts.length === 1) return parts[0]!;
  const known = parts.flatMap((it) => it.known);
  return parts.every((it) => it.isWhole) ? whole(known) : late.effects(known, () => parts.flatMap((it) => it.deep));
}

/**
 * Finds what is left out. Functions call each other in circles: what asks for itself is answered with nothing,
 * which adds nothing that the first round has not, and what was found with such an answer is kept only until
 * the first question is answered.
 */
export class Late {
  /** How often something was met that was being looked for. */
  circles = 0;
  /** Questions that are open, one because of the other. */
  private open = 0;
  private halves = new Map<object, readonly Deep[]>();

  /** Whether nothing else is being looked for. */
  get isFirst(): boolean {
    return this.open === 0;
  }

  /** Answers one question of several that follow from each other. */
  during<T>(find: () => T): T {
    if (this.open === 0) this.halves = new Map();
    this.open++;
    try {
      return find();
    } finally {
      this.open--;
    }
  }

  effects(known: readonly Deep[], find: () => readonly Deep[]): Effects {
    let found: readonly Deep[] | undefined;
    let isBusy = false;
    const ask = (it: object): readonly Deep[] => {
      if (isBusy) {
        this.circles++;
        return [];
      }
      const half = this.open > 0 ? this.halves.get(it) : undefined;
      if (half) return half;
      const before = this.circles;
      isBusy = true;
      const all = this.during(find);
      isBusy = false;
      if (this.circles === before || this.open === 0) found = all;
      else this.halves.set(it, all);
      return all;
    };
    return {
      known,
      isWhole: false,
      get deep() {
        return found ?? ask(this);
      },
    };
  }
}
