/** What kind of value tells a lock's holder from others. */
import { type Value, alternatives, contains } from './value.ts';

/** What is known of the value by which the holder is told from others. */
export type OwnerValue =
  | { kind: 'constant'; text: string }
  /** One value per process, host or instance. */
  | { kind: 'process' }
  | { kind: 'fresh' }
  | { kind: 'unknown' };

export function ownerValue(owner: Value | undefined): OwnerValue {
  if (!owner) return { kind: 'unknown' };
  const all = alternatives(owner);
  if (all.some((it) => contains(it, (each) => each.kind === 'fresh' && each.source !== 'process' && !isMadeOnce(each)) || it.kind === 'typed')) return { kind: 'fresh' };
  if (all.every((it) => it.kind === 'const')) return { kind: 'constant', text: String((all[0] as Value & { kind: 'const' }).value) };
  if (all.every((it) => contains(it, (each) => each.kind === 'fresh' && (each.source === 'process' || isMadeOnce(each))) || contains(it, (each) => each.kind === 'global' && each.name === 'process.pid'))) return { kind: 'process' };
  return { kind: 'unknown' };
}

/** Made when the module is loaded: random, but the same for all that the process does. */
const isMadeOnce = ({ site }: Value & { kind: 'fresh' }): boolean => site.func.kind === 'module';

/** Both are built in the same way, whatever goes into them: JSON of an object with the same properties. */
export function isMadeAlike(a: Value, b: Value): boolean {
  const shape = shapeOf(a);
  return shape !== undefined && shape === shapeOf(b);
}

function shapeOf(value: Value): string | undefined {
  const [first] = alternatives(value);
  if (first?.kind === 'derived' && first.from.length === 1) {
    const inner = shapeOf(first.from[0]!);
    return inner && `${first.how}(${inner})`;
  }
  return first?.kind === 'object' && !first.open && first.props.size > 1 ? [...first.props.keys()].sort().join() : undefined;
}
