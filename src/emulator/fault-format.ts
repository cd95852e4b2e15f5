// The format of scripted faults, documented in docs/emulator.md. Checks the whole list and reports all problems together.

import { alternatives, nearest } from '../core/text/closest.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { isList, isObject } from '../core/json.ts';
import type { Fault, FaultEffect } from './faults.ts';

/** What a key accepts: a test, and its description. */
interface Rule {
  readonly fits: (value: Json) => boolean;
  readonly words: string;
  readonly required?: true;
}
type Rules = Readonly<Record<string, Rule>>;

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
/** The longest delay: ten minutes. */
const MAX_DELAY_MS = 600_000;
/** Headers that frame an answer; truncating one is a separate action. */
const FRAMING = ['connection', 'content-length', 'transfer-encoding'];

const MATCH: Rules = {
  method: {
    fits: (value) => typeof value === 'string' && METHODS.includes(value.toUpperCase()),
    words: `one of ${METHODS.join(', ')}`,
  },
  path: { fits: isPattern, words: 'a regular expression' },
  nth: wholeNumber(1, Number.MAX_SAFE_INTEGER),
};

/** The keys of each action besides `match` and `action`. */
const EFFECTS: Readonly<Record<FaultEffect['action'], Rules>> = {
  status: {
    status: { ...wholeNumber(200, 599), required: true },
    body: { fits: (value) => typeof value === 'string' || isObject(value), words: 'an object or a text' },
    headers: { fits: areHeaders, words: `header values by name, none of ${FRAMING.join(', ')}` },
    effect: { fits: (value) => typeof value === 'boolean', words: 'true or false' },
  },
  delay: { ms: { ...wholeNumber(0, MAX_DELAY_MS), required: true } },
  dropBefore: {},
  dropAfter: {},
  truncate: { bytes: wholeNumber(0, Number.MAX_SAFE_INTEGER) },
  staleList: { writes: wholeNumber(1, Number.MAX_SAFE_INTEGER) },
};

/** The problems of a list of faults, each with its place; empty when it is well-formed. */
export function faultProblems(json: Json): string[] {
  if (!isList(json)) return ['faults must be a list'];
  return json.flatMap((item, index) => problemsOf(item, `[${index}]`));
}

/** True for a valid list of faults. */
export function areFaults(json: Json): json is readonly (Fault & JsonObject)[] {
  return faultProblems(json).length === 0;
}

function problemsOf(item: Json, place: string): string[] {
  if (!isObject(item)) return [`${place} must be an object`];
  const { match = {}, action, ...others } = item;
  return [...matchProblems(match, `${place}.match`), ...effectProblems(action, others, place)];
}

function matchProblems(match: Json, place: string): string[] {
  return isObject(match) ? brokenRules(MATCH, match, place) : [`${place} must be an object`];
}

function effectProblems(action: Json | undefined, others: JsonObject, place: string): string[] {
  const names = Object.keys(EFFECTS);
  if (!isAction(action)) {
    const got = action === undefined ? '' : `, and not ${JSON.stringify(action)}`;
    return [`${place}.action must be one of ${names.join(', ')}${got}`];
  }
  return brokenRules(EFFECTS[action], others, place, ['match', 'action']);
}

function isAction(action: Json | undefined): action is FaultEffect['action'] {
  return typeof action === 'string' && Object.hasOwn(EFFECTS, action);
}

function brokenRules(rules: Rules, given: JsonObject, place: string, beside: readonly string[] = []): string[] {
  const names = [...beside, ...Object.keys(rules)];
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(rules, name));
  const broken = Object.entries(rules).flatMap(([name, { fits, words, required }]) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) return required ? [`${place}.${name} is missing: ${words}`] : [];
    return fits(value) ? [] : [`${place}.${name} must be ${words}`];
  });
  return [...unknown.map((name) => `${place}.${name} is not a key here; ${meant(name, names)}`), ...broken];
}

function meant(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near.length === 0 ? `there are ${names.join(', ')}` : `do you mean ${alternatives(near)}?`;
}

function wholeNumber(min: number, max: number): Rule {
  return {
    fits: (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    words: `a whole number ${max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`}`,
  };
}

function isPattern(value: Json): boolean {
  if (typeof value !== 'string') return false;
  try {
    return new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Names and values that HTTP can carry; others would break the answer. */
function areHeaders(value: Json): boolean {
  if (!isObject(value)) return false;
  return Object.entries(value).every(
    ([name, text]) =>
      /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
      !FRAMING.includes(name.toLowerCase()) &&
      typeof text === 'string' &&
      /^[\t\x20-\x7e\x80-\xff]*$/.test(text),
  );
}
