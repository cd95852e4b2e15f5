// Pages of a list: newest first, `limit` and `before_id`, absolute URLs (§4; the parameters are assumed, ADR-0004).

import type { JsonObject } from '../core/json.ts';
import type { Kind } from '../catalog/kind.ts';
import { invalid, PROBLEM } from './problem.ts';
import type { View } from './http/respond.ts';
import { respond } from './http/respond.ts';
import type { Store, Stored } from './state/store.ts';

/** The maximum page size (ADR-0004). */
export const MAX_PAGE = 100;

const LIMIT = 'limit';
const CURSOR = 'before_id';

export interface PageRules {
  readonly pageSize: number;
  /** Whether `limit` is supported. */
  readonly limits: boolean;
}

/** The list envelope for one page. */
export function listPage(view: View, kind: Kind, query: URLSearchParams, rules: PageRules): JsonObject {
  const { list } = kind.operations;
  if (list === undefined) throw invalid(PROBLEM.badQuery, `${kind.title} has no list`);
  checkQuery(query, rules.limits ? [LIMIT, CURSOR] : [CURSOR]);
  const size = Math.min(readLimit(query.get(LIMIT)) ?? rules.pageSize, rules.pageSize);
  const found = take(after(view.store, kind, query.get(CURSOR)), size + 1);
  const page = found.slice(0, size);
  const last = page.at(-1);
  const uri = view.baseUrl + list.path;
  const next = new URLSearchParams({ ...(rules.limits && { [LIMIT]: String(size) }), [CURSOR]: last?.id ?? '' });
  return {
    [list.key]: page.map((stored) => respond(view, kind, stored)),
    uri,
    next_page_uri: found.length > size ? `${uri}?${next.toString()}` : null,
  };
}

/** Throws for a query parameter that is not allowed, or given twice. */
export function checkQuery(query: URLSearchParams, allowed: readonly string[]): void {
  for (const name of query.keys()) {
    if (!allowed.includes(name)) throw invalid(PROBLEM.badQuery, `${name} is not a parameter of this request`);
    if (query.getAll(name).length > 1) throw invalid(PROBLEM.badQuery, `${name} is given twice`);
  }
}

function readLimit(text: string | null): number | undefined {
  if (text === null) return undefined;
  const limit = Number(text);
  if (!/^\d{1,4}$/.test(text) || limit < 1 || limit > MAX_PAGE) {
    throw invalid(PROBLEM.badLimit, `${LIMIT} must be a number from 1 to ${MAX_PAGE}`);
  }
  return limit;
}

/** The objects after the cursor, whose own object may have been deleted. */
function after(store: Store, kind: Kind, cursor: string | null): Iterable<Stored> {
  if (cursor === null) return store.older(kind, undefined);
  if (store.get(cursor)?.kind === kind.name) return store.older(kind, cursor);
  if (kind.isPrefixAssumed !== true && !cursor.startsWith(kind.idPrefix))
    throw invalid(PROBLEM.badCursor, `${CURSOR} must be an id of this list`);
  return withSmallerIds(store.older(kind, undefined), cursor);
}

function* withSmallerIds(objects: Iterable<Stored>, cursor: string): Generator<Stored> {
  for (const stored of objects) if (stored.id < cursor) yield stored;
}

/** The first `count` objects; reads no further. */
function take(objects: Iterable<Stored>, count: number): Stored[] {
  const taken: Stored[] = [];
  for (const stored of objects) {
    taken.push(stored);
    if (taken.length === count) break;
  }
  return taken;
}
