// Checks the form of every value in an entry, not its content: an id may contain a word that is a secret elsewhere, but free
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

const isShown = matching(/^[\w-]*\.[\w-]*$/);
const isUntaken: ValueCheck = (text) => {
  const [field = '', shown = '', ...more] = text.split('=');
  return more.length === 0 && name(field) && isShown(shown);
};

/** The form of each text, by its name in an entry or in an object of one. */
const FORMS: Readonly<Record<string, ValueCheck | undefined>> = {
  type: name,
  run: name,
  stack: name,
  // A path may contain an @; before the path, it would mark a user name.
  service: matching(/^https?:\/\/[^\s@"\\/]+(?:\/[^\s"\\]*)?$/),
  at: matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  address: matching(/^[\w-]+(?:\.[\w-]+)*$/),
  kind: name,
  method: matching(/^(?:POST|PATCH|DELETE)$/),
  path: matching(/^(?:\/[\w.~-]+)+$/),
  id: isSegment,
  live_id: isSegment,
  parent_id: isSegment,
  replaces: isSegment,
  status: matching(/^(?:done|rejected|unknown)$/),
  as: name,
  result: name,
  is: name,
  fields: (text) => text.length <= LONGEST && text.split(' ').every(name),
  untaken: (text) => text.length <= LONGEST && text.split(' ').every(isUntaken),
};

/** Ids of what does not exist yet, and of what has no parent. */
const NULLABLE = ['live_id', 'parent_id'];

const FLAGS = ['releases', 'foreign', 'created_here', 'token_stored', 'released'];

/** The name of a value with an invalid form, or undefined. */
export function findInvalidValue(entry: JournalEntry | JsonObject): string | undefined {
  return Object.entries(entry).find(([key, value]) => !hasForm(key, value))?.[0];
}

function hasForm(key: string, value: unknown): boolean {
  if (key === 'objects') return Array.isArray(value) && value.every((one) => isObject(one) && isNamed(one));
  if (key === 'formerly') return Array.isArray(value) && value.every((one) => hasForm('address', one));
  if (key === 'as' && isObject(value)) return 'id' in value && findInvalidValue(value) === undefined;
  const form = FORMS[key];
  if (form === undefined)
    return FLAGS.includes(key) ? value === true : isCount(value) && ['n', 'v', 'account'].includes(key);
  return value === null ? NULLABLE.includes(key) : typeof value === 'string' && form(value);
}

function isNamed(object: JsonObject): boolean {
  return 'id' in object && 'address' in object && findInvalidValue(object) === undefined;
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
