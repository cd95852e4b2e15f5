// Checks the form of every text in an entry, not its content: an id may contain a word that is a secret elsewhere, but free
// text, which may contain a whole secret, has no place in a journal (ADR-0019).

import { isObject, type JsonObject } from '../core/json.ts';
import { isSegment } from '../core/text/segment.ts';
import type { JournalEntry } from './entry.ts';

type ValueCheck = (text: string) => boolean;

const matching =
  (pattern: RegExp): ValueCheck =>
  (text) =>
    text.length <= LONGEST && pattern.test(text);

const LONGEST = 2048;

const name = matching(/^[\w-]{1,128}$/);

/** The form of each text, by its name in an entry or in an object of one; any other value has no room for free text. */
const FORMS: Readonly<Record<string, ValueCheck | undefined>> = {
  type: name,
  run: name,
  stack: name,
  // A path may contain an @; before the path, it would mark a user name.
  service: matching(/^https?:\/\/[^\s@"\\/]+(?:\/[^\s"\\]*)?$/),
  at: matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  address: matching(/^[\w-]+(?:\.[\w-]+)*$/),
  kind: name,
  method: name,
  path: matching(/^(?:\/[\w.~-]+)+$/),
  id: isSegment,
  live_id: isSegment,
  parent_id: isSegment,
  replaces: isSegment,
  status: name,
  as: name,
  result: name,
  token: name,
  is: name,
};

/** The name of a value with an invalid form, or undefined. */
export function findInvalidValue(entry: JournalEntry | JsonObject): string | undefined {
  return Object.entries(entry).find(([key, value]) => !hasForm(key, value))?.[0];
}

function hasForm(key: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => hasForm(key, item));
  if (isObject(value)) return findInvalidValue(value) === undefined;
  return typeof value !== 'string' || FORMS[key]?.(value) === true;
}
