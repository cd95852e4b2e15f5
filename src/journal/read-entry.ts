// Which JSON of a line is an entry, and what may follow what. Strict: what this version would not write is refused.

import type { JsonObject } from '../core/json.ts';
import { findInvalidValue } from './check-values.ts';
import type { JournalEntry } from './entry.ts';

type Keys<T> = readonly (keyof Extract<JournalEntry, { readonly type: T }>)[];

/** The keys of each entry: those that are always there, and the others. */
const KEYS: { readonly [T in JournalEntry['type']]: readonly [always: Keys<T>, others: Keys<T>] } = {
  begin: [['v', 'run', 'stack', 'service', 'fingerprint', 'at'], []],
  intent: [
    ['n', 'run', 'step', 'address', 'kind', 'method', 'path', 'live_id', 'parent_id', 'body_digest', 'at'],
    ['replaces', 'releases'],
  ],
  outcome: [['n', 'status'], ['live_id']],
  stored: [['address', 'live_id'], []],
  resolved: [['address', 'as'], ['parent_id']],
  end: [
    ['run', 'result'],
    ['gone', 'unseen', 'partial'],
  ],
};
const KEYS_BY_TYPE: ReadonlyMap<unknown, readonly (readonly string[])[]> = new Map(Object.entries(KEYS));

/** True for exactly an entry. Only an intent has a null: an object that is not there yet has no id. */
export function isEntry(raw: JsonObject): raw is JsonObject & JournalEntry {
  const [always, others = []] = KEYS_BY_TYPE.get(raw['type']) ?? [];
  return (
    always !== undefined &&
    always.every((key) => Object.hasOwn(raw, key)) &&
    Object.keys(raw).every((key) => key === 'type' || always.includes(key) || others.includes(key)) &&
    findInvalidValue(raw) === undefined &&
    (raw['type'] === 'intent' || !Object.values(raw).includes(null))
  );
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
