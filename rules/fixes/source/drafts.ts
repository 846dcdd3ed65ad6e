/** An edit that reaches into several files: a draft for each, all of them or none. */
import type { Module } from '../../../model/ir.ts';
import type { Change, Edit } from '../../finding.ts';
import { Draft } from './draft.ts';
import { treeOf } from './tree.ts';

export class Drafts {
  private readonly drafts = new Map<Module, Draft>();

  /** `own` is the file of the finding. */
  constructor(readonly own: Module) {}

  of(module: Module): Draft {
    let draft = this.drafts.get(module);
    if (!draft) this.drafts.set(module, (draft = new Draft(treeOf(module))));
    return draft;
  }

  /** The finished edit, or nothing where it could not be made right in one of the files. */
  finish(edit: Omit<Edit, 'changes'>): Edit[] {
    const changes: Change[] = [];
    for (const [module, draft] of this.drafts) {
      const made = draft.made();
      if (!made) return [];
      changes.push(...(module === this.own ? made : made.map((it) => ({ ...it, file: module.file }))));
    }
    return changes.length > 0 ? [{ ...edit, changes }] : [];
  }
}
