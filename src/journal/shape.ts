// From the JSON of a line to an entry, and what may follow what. Strict: what this version would not write is refused.

import type { Json, JsonObject } from '../core/json.ts';
import { isList, isObject, sameJson } from '../core/json.ts';
import { isSegment } from '../core/segment.ts';
import type { End, Entry, Intent, Resolved, WriteOutcome } from './entry.ts';
import { JOURNAL_VERSION } from './entry.ts';

/** The entry that the JSON is, exactly; undefined when it is none. */
export function readEntry(raw: JsonObject): Entry | undefined {
  const entry = entryOf(raw);
  return entry !== undefined && sameJson(jsonOf(entry), raw) ? entry : undefined;
}

function jsonOf(entry: Entry): JsonObject {
  if (entry.type !== 'resolved') return { ...entry };
  return { ...entry, as: entry.as === 'absent' ? entry.as : { id: entry.as.id } };
}

// A field of another type becomes one of the right type here, and the comparison above finds the difference.
function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

function count(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : -1;
}

function textOrNull(value: Json | undefined): string | null {
  return value === null ? null : text(value);
}

/** An id becomes a part of paths, so another text becomes a different one here. */
function id(value: Json | undefined): string {
  return isSegment(text(value)) ? text(value) : `${text(value)}/`;
}

function idOrNull(value: Json | undefined): string | null {
  return value === null ? null : id(value);
}

function entryOf(raw: JsonObject): Entry | undefined {
  switch (raw['type']) {
    case 'begin':
      return {
        type: 'begin',
        v: JOURNAL_VERSION,
        run: text(raw['run']),
        stack: text(raw['stack']),
        service: text(raw['service']),
        fingerprint: text(raw['fingerprint']),
        at: text(raw['at']),
      };
    case 'intent':
      return intentOf(raw);
    case 'outcome':
      return outcomeOf(raw);
    case 'stored':
      return { type: 'stored', address: text(raw['address']), live_id: id(raw['live_id']) };
    case 'resolved':
      return { type: 'resolved', address: text(raw['address']), as: foundOf(raw['as']) };
    case 'end':
      return endOf(raw);
    default:
      return undefined;
  }
}

function intentOf(raw: JsonObject): Intent | undefined {
  const method = raw['method'];
  if (method !== 'POST' && method !== 'PATCH' && method !== 'DELETE') return undefined;
  return {
    type: 'intent',
    n: count(raw['n']),
    run: text(raw['run']),
    step: text(raw['step']),
    address: text(raw['address']),
    kind: text(raw['kind']),
    method,
    path: text(raw['path']),
    live_id: idOrNull(raw['live_id']),
    parent_id: idOrNull(raw['parent_id']),
    body_digest: textOrNull(raw['body_digest']),
    at: text(raw['at']),
    ...(raw['replaces'] !== undefined && { replaces: id(raw['replaces']) }),
    ...(raw['releases'] === true && { releases: true }),
  };
}

function outcomeOf(raw: JsonObject): WriteOutcome | undefined {
  const { status, live_id: liveId } = raw;
  if (status !== 'done' && status !== 'rejected' && status !== 'unknown') return undefined;
  return { type: 'outcome', n: count(raw['n']), status, ...(liveId !== undefined && { live_id: id(liveId) }) };
}

function endOf(raw: JsonObject): End {
  const { partial } = raw;
  return {
    type: 'end',
    run: text(raw['run']),
    result: text(raw['result']),
    ...idsIn(raw, 'gone'),
    ...idsIn(raw, 'unseen'),
    ...(partial === true && { partial }),
  };
}

function idsIn(raw: JsonObject, name: 'gone' | 'unseen'): Pick<End, 'gone' | 'unseen'> {
  const list = raw[name];
  return isList(list) && list.length > 0 ? { [name]: list.map(id) } : {};
}

function foundOf(value: Json | undefined): Resolved['as'] {
  return isObject(value) ? { id: id(value['id']) } : 'absent';
}

/** Why an entry cannot stand where it does, or undefined; knows what came before. */
export function createOrder(): (entry: Entry) => string | undefined {
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
    if (run === undefined) return 'stands outside a run';
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
