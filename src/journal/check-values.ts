// The form of every value in an entry. An entry is known by the form of its values, not by what they spell: an id may hold
// a word that is somebody's secret, and no free text, which may hold a whole one, has a place here (ADR-0019).

import { isSegment } from '../core/text/segment.ts';
import type { JournalEntry } from './entry.ts';
import { JOURNAL_KEYWORDS } from './entry.ts';

type ValueCheck = (value: unknown) => boolean;

const matching =
  (pattern: RegExp): ValueCheck =>
  (value) =>
    typeof value === 'string' && value.length <= LONGEST && pattern.test(value);

const LONGEST = 2048;

const count: ValueCheck = Number.isSafeInteger;
const word: ValueCheck = (value) => JOURNAL_KEYWORDS.some((one) => one === value);
const name = matching(/^[\w-]{1,128}$/);
const id: ValueCheck = (value) => typeof value === 'string' && isSegment(value);
const idOrNull: ValueCheck = (value) => value === null || id(value);
const ids: ValueCheck = (value) => Array.isArray(value) && value.length > 0 && value.every(id);

const FORMS: Readonly<Record<string, ValueCheck>> = {
  type: word,
  v: count,
  n: count,
  run: name,
  stack: name,
  // A path may hold an @; in front of it there would be a user.
  service: matching(/^https?:\/\/[^\s@"\\/]+(?:\/[^\s"\\]*)?$/),
  fingerprint: matching(/^sha256:[0-9a-f]{1,64}$/),
  at: matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  step: matching(/^[\w.-]{1,128}$/),
  address: matching(/^[\w-]+(?:\.[\w-]+)*$/),
  kind: name,
  method: word,
  path: matching(/^(?:\/[\w.~-]+)+$/),
  live_id: idOrNull,
  parent_id: idOrNull,
  replaces: id,
  releases: (value) => value === true,
  body_digest: (value) => value === null || name(value),
  status: word,
  as: (value) => word(value) || (typeof value === 'object' && value !== null && 'id' in value && id(value.id)),
  result: name,
  gone: ids,
  unseen: ids,
  partial: (value) => value === true,
};

/** The name of a value that has another form than such a value has, or undefined. */
export function findInvalidValue(entry: JournalEntry): string | undefined {
  return Object.entries(entry).find(([key, value]) => FORMS[key]?.(value) !== true)?.[0];
}
