/**
 * Owns what CQL, Cassandra's language, says other than SQL: the condition of a lightweight
 * transaction stands after `IF` at the end of the statement.
 */

import type { SqlText } from './facts.ts';

/** The same statement in SQL: `IF` joins the `WHERE`, `IF NOT EXISTS` is a conflict clause, a time to live is left out. */
export function cqlAsSql({ parts }: SqlText): SqlText {
  const isInsert = parts.some((it) => typeof it === 'string' && /\binsert\s+into\b/i.test(it));
  return {
    parts: parts.map((it) =>
      typeof it !== 'string' ? it
      : quoted(it, (plain) => plain
        .replaceAll(/\busing\s+(?:ttl|timestamp)\s+\d+/gi, ' ')
        .replaceAll(/\bif\s+not\s+exists\b/gi, isInsert ? 'ON CONFLICT DO NOTHING' : ' ')
        // It refuses only where there is no row at all.
        .replaceAll(/\bif\s+exists\b/gi, ' ')
        .replaceAll(/\bif\b/gi, 'AND'))),
  };
}

/** Changes what stands outside of quotes. */
const quoted = (text: string, change: (plain: string) => string): string => text.split(/('(?:[^']|'')*')/).map((it, i) => (i % 2 === 0 ? change(it) : it)).join('');
