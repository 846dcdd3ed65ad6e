/** What is known of a value: its type in a library, its class in the project, or what its annotation says. */
import type { TypeId } from '../catalog/schema.ts';
import type { ClassDef, Module, TypeRef } from './ir.ts';
import type { Value } from './value.ts';

export interface Identity {
  type?: TypeId;
  /** The typed value itself, where its construction is known. */
  typed?: Value & { kind: 'typed' };
  def?: ClassDef;
  /** The other types that it may be of, by a union. */
  others?: TypeId[];
  /** An object of the language itself: `Map`, `Date`. */
  builtin?: string;
  /** Members that an interface or object type names. */
  members?: Map<string, TypeRef>;
  membersOf?: Module;
  element?: TypeRef;
  elementOf?: Module;
  returns?: TypeRef;
  returnsOf?: Module;
}
