// Which JSON of a line is an entry, and what may follow what. Strict: what this version would not write is refused.

import type { Json, JsonObject } from '../core/json.ts';
import { isList, isObject } from '../core/json.ts';
import { isSegment } from '../core/text/segment.ts';
import type { JournalEntry } from './entry.ts';
import { JOURNAL_VERSION } from './entry.ts';

/** What may stand at a key; undefined when the key is not there. */
type Check = (value: Json | undefined) => boolean;

const text: Check = (value) => typeof value === 'string';
const textOrNull: Check = (value) => value === null || text(value);
const count: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
/** An id becomes a part of paths. */
const id: Check = (value) => typeof value === 'string' && isSegment(value);
const idOrNull: Check = (value) => value === null || id(value);
const ids: Check = (value) => isList(value) && value.length > 0 && value.every(id);
const found: Check = (value) =>
  value === 'absent' || (isObject(value) && id(value['id']) && Object.keys(value).length === 1);

const oneOf =
  (...values: readonly Json[]): Check =>
  (value) =>
    values.some((one) => one === value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

type Keys<E> = Readonly<Record<Exclude<keyof E, 'type'>, Check>>;

const SHAPES: { readonly [T in JournalEntry['type']]: Keys<Extract<JournalEntry, { readonly type: T }>> } = {
  begin: { v: oneOf(JOURNAL_VERSION), run: text, stack: text, service: text, fingerprint: text, at: text },
  intent: {
    n: count,
    run: text,
    step: text,
    address: text,
    kind: text,
    method: oneOf('POST', 'PATCH', 'DELETE'),
    path: text,
    live_id: idOrNull,
    parent_id: idOrNull,
    body_digest: textOrNull,
    at: text,
    replaces: optional(id),
    releases: optional(oneOf(true)),
  },
  outcome: { n: count, status: oneOf('done', 'rejected', 'unknown'), live_id: optional(id) },
  stored: { address: text, live_id: id },
  resolved: { address: text, as: found, parent_id: optional(id) },
  end: { run: text, result: text, gone: optional(ids), unseen: optional(ids), partial: optional(oneOf(true)) },
};
const CHECKS: ReadonlyMap<unknown, ReadonlyMap<string, Check>> = new Map(
  Object.entries(SHAPES).map(([type, checks]) => [type, new Map(Object.entries(checks))]),
);

/** True for exactly an entry. */
export function isEntry(raw: JsonObject): raw is JsonObject & JournalEntry {
  const checks = CHECKS.get(raw['type']);
  if (checks === undefined) return false;
  for (const key in raw) if (key !== 'type' && !checks.has(key)) return false;
  for (const [key, check] of checks) if (!check(raw[key])) return false;
  return true;
}

/** Why an entry cannot stand where it does, or undefined; knows what came before. */
export function createOrder(): (entry: JournalEntry) => string | undefined {
  let run: string | undefined;
  let last = 0;
  let open = new Set<number>();
  return (entry) => {
    if (entry.type === 'begin') {
      run = entry.run;
      last = 0;
      open = new Set();
      return undefined;
    }
    if (run === undefined) return 'is outside a run';
    switch (entry.type) {
      case 'intent':
        if (entry.run !== run || entry.n <= last) return 'is not a next write of its run';
        last = entry.n;
        open.add(entry.n);
        return undefined;
      case 'outcome':
        if (!open.has(entry.n)) return 'answers no open write of its run';
        if (entry.status !== 'unknown') open.delete(entry.n);
        return undefined;
      case 'end':
        if (entry.run !== run) return 'ends another run';
        run = undefined;
        return undefined;
      default:
        return undefined;
    }
  };
}
