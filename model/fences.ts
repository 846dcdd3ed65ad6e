/**
 * Does a write refuse a stale holder? Judged by structure: a condition on something that the write
 * itself changes is false after another holder's write, and so is an order comparison.
 */
import type { Fenced } from './events.ts';
import { type Value, sameValue } from './value.ts';

export interface Condition {
  column: string;
  op: string;
  /** What the column is compared with; undefined for something of the database itself. */
  value?: Value;
}

export type Filter = (Condition | { any: Filter[] } | { opaque: true })[];

export interface Change {
  column: string;
  value?: Value;
  relative?: boolean;
}

export interface Verdict {
  fenced: Fenced;
  why?: string;
  /** Compared values that make a fence only if they are the lock's owner value or token. */
  compared: Value[];
}

const order = new Set(['<', '<=', '>', '>=']);

/** Judges a write by its filter and by what it changes; `openChange` when not all of that is known. */
export function judge(filter: Filter, changes: readonly Change[], openChange = false): Verdict {
  const compared: Value[] = [];
  let verdict: Fenced = 'no';
  let why: string | undefined;
  const found = (fenced: Fenced, because: string): void => {
    if (verdict !== 'yes') {
      verdict = fenced;
      why = because;
    }
  };
  const plain = filter.filter((it): it is Condition => 'column' in it);
  for (const it of filter) {
    if ('any' in it) {
      const inner = it.any.map((each) => judge(each, changes, openChange));
      if (inner.length && inner.every((each) => each.fenced === 'yes')) found('yes', 'every alternative is conditional');
      else if (inner.some((each) => each.fenced !== 'no')) found('unknown', 'one alternative is conditional');
      continue;
    }
    if ('opaque' in it) {
      found('unknown', 'a condition that is not understood');
      continue;
    }
    const change = changes.find((each) => sameColumn(each.column, it.column));
    const literal = it.value === undefined || it.value.kind === 'const';
    if (order.has(it.op)) found('yes', `\`${it.column}\` is compared by order`);
    else if (it.op === 'is null' || it.op === 'is not null' || it.op === '<>' || it.op === 'other') found(change ? 'yes' : 'unknown', `a condition on \`${it.column}\``);
    else if (change && !(change.value && it.value && sameValue(change.value, it.value))) found('yes', `\`${it.column}\` is compared and changed`);
    else if (plain.length > 1) {
      if (it.value && !literal) compared.push(it.value);
      if (versionWords.test(it.column)) found('yes', `\`${it.column}\` is compared`);
      else if (it.value && isPartOfRead(it.value, it.column)) found('yes', `\`${it.column}\` is compared with what was read`);
      else if (literal) found('unknown', `a condition on \`${it.column}\``);
      else if (openChange) found('unknown', 'it is not known what is changed');
    } else if (it.value && !literal) compared.push(it.value);
  }
  if (filter.length === 0) found('unknown', 'it has no filter');
  return { fenced: verdict, why, compared };
}

/** A column compared with the same column of something that was read; what the caller hands in was not. */
export function isPartOfRead(value: Value, column: string): boolean {
  if (value.kind !== 'field' || !sameColumn(value.name, column)) return false;
  let root: Value = value;
  while (root.kind === 'field' || root.kind === 'item') root = root.of;
  return root.kind === 'result' || root.kind === 'either' || root.kind === 'array';
}

/** What tells a version column that the store raises by itself: structure cannot, the statement does not name it among its changes. */
const versionWords = /^(?:_*(?:version|rev|revision|etag|xmin|rowversion|generation|lock_?version|updated_?at|modified_?at|last_?modified|__v|fence|last_?token|fencing_?token)_*)$/i;

/** Whether a column's name says that it counts the versions of its row. */
export const isVersionColumn = (column: string): boolean => versionWords.test(column);

/** Those that hold nothing but what stores count or note by themselves. */
export const isRaisedByStore = (column: string): boolean => versionWords.test(column) && !/^_*(?:version|rev|revision|generation)_*$/i.test(column);

/** Column names are compared without their table, case and underscores. */
export const sameColumn = (a: string, b: string): boolean => fold(a) === fold(b);
const fold = (name: string): string => name.slice(name.lastIndexOf('.') + 1).replaceAll('_', '').toLowerCase();
