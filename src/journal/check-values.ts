// The form of every value in an entry. An entry is known by the form of its values, not by what they spell: an id may hold
// a word that is somebody's secret, and no free text, which may hold a whole one, has a place here (ADR-0019).

import type { JsonObject } from '../core/json.ts';
import { isSegment } from '../core/text/segment.ts';
import { JOURNAL_KEYWORDS, JOURNAL_VERSION, type JournalEntry } from './entry.ts';

type ValueCheck = (value: unknown) => boolean;

const matching =
  (pattern: RegExp): ValueCheck =>
  (value) =>
    typeof value === 'string' && value.length <= LONGEST && pattern.test(value);

const LONGEST = 2048;

const oneOf =
  (...values: readonly unknown[]): ValueCheck =>
  (value) =>
    values.includes(value);
const name = matching(/^[\w-]{1,128}$/);
const id: ValueCheck = (value) => typeof value === 'string' && isSegment(value);
const idOrNull: ValueCheck = (value) => value === null || id(value);
const ids: ValueCheck = (value) => Array.isArray(value) && value.length > 0 && value.every(id);

const FORMS: Readonly<Record<string, ValueCheck>> = {
  type: oneOf(...JOURNAL_KEYWORDS),
  v: oneOf(JOURNAL_VERSION),
  n: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value > 0,
  run: name,
  stack: name,
  // A path may hold an @; in front of it there would be a user.
  service: matching(/^https?:\/\/[^\s@"\\/]+(?:\/[^\s"\\]*)?$/),
  fingerprint: matching(/^sha256:[0-9a-f]{1,64}$/),
  at: matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  step: matching(/^[\w.-]{1,128}$/),
  address: matching(/^[\w-]+(?:\.[\w-]+)*$/),
  kind: name,
  method: oneOf('POST', 'PATCH', 'DELETE'),
  path: matching(/^(?:\/[\w.~-]+)+$/),
  live_id: idOrNull,
  parent_id: idOrNull,
  replaces: id,
  releases: oneOf(true),
  body_digest: (value) => value === null || name(value),
  status: oneOf('done', 'rejected', 'unknown'),
  as: (value) =>
    value === 'absent' ||
    (typeof value === 'object' && value !== null && 'id' in value && id(value.id) && Object.keys(value).length === 1),
  result: name,
  gone: ids,
  unseen: ids,
  partial: oneOf(true),
};

/** The name of a value that has another form than such a value has, or undefined. */
export function findInvalidValue(entry: JournalEntry | JsonObject): string | undefined {
  return Object.entries(entry).find(([key, value]) => FORMS[key]?.(value) !== true)?.[0];
}
