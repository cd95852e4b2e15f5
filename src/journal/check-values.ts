// Checks the form of every value in an entry, not its content: an id may contain a word that is a secret elsewhere, but free
// text, which may contain a whole secret, has no place in a journal (ADR-0019).

import { isObject, type JsonObject } from '../core/json.ts';
import { isSegment } from '../core/text/segment.ts';
import { JOURNAL_VERSION, type JournalEntry, type IntentEntry, type OutcomeEntry } from './entry.ts';

/** Every fixed word of an entry that distinguishes it from other entries. */
const JOURNAL_KEYWORDS: readonly string[] = [
  ...(['begin', 'intent', 'outcome', 'stored', 'resolved', 'end'] satisfies JournalEntry['type'][]),
  ...(['done', 'rejected', 'unknown'] satisfies OutcomeEntry['status'][]),
  ...(['POST', 'PATCH', 'DELETE'] satisfies IntentEntry['method'][]),
  'absent',
];

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

type Forms = Readonly<Record<string, ValueCheck | undefined>>;

const FORMS: Forms = {
  type: oneOf(...JOURNAL_KEYWORDS),
  v: oneOf(JOURNAL_VERSION),
  n: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value > 0,
  run: name,
  stack: name,
  // A path may contain an @; before the path, it would mark a user name.
  service: matching(/^https?:\/\/[^\s@"\\/]+(?:\/[^\s"\\]*)?$/),
  at: matching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
  address: matching(/^[\w-]+(?:\.[\w-]+)*$/),
  kind: name,
  method: oneOf('POST', 'PATCH', 'DELETE'),
  path: matching(/^(?:\/[\w.~-]+)+$/),
  live_id: idOrNull,
  parent_id: idOrNull,
  replaces: id,
  releases: oneOf(true),
  status: oneOf('done', 'rejected', 'unknown'),
  as: (value) =>
    value === 'absent' ||
    (typeof value === 'object' && value !== null && 'id' in value && id(value.id) && Object.keys(value).length === 1),
  result: name,
  objects: (value) => Array.isArray(value) && value.every((one) => isObject(one) && hasForms(one, SEEN_FORMS)),
};

const SEEN_FORMS: Forms = {
  id,
  address: FORMS['address'],
  parent_id: id,
  token: oneOf('stored', 'unstored'),
  is: oneOf('leaving', 'gone'),
};

function hasForms(object: JsonObject, forms: Forms): boolean {
  return 'id' in object && 'address' in object && invalidIn(object, forms) === undefined;
}

function invalidIn(object: JournalEntry | JsonObject, forms: Forms): string | undefined {
  return Object.entries(object).find(([key, value]) => forms[key]?.(value) !== true)?.[0];
}

/** The name of a value with an invalid form, or undefined. */
export function findInvalidValue(entry: JournalEntry | JsonObject): string | undefined {
  return invalidIn(entry, FORMS);
}
