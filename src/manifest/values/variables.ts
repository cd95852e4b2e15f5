// Values of declared variables: from flags and files, then the environment, then defaults. Sensitive ones are secrets from here
// on.

import { append } from '../../core/append.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import { isList, isObject, type Json } from '../../core/json.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { Suggestions } from '../../core/text/closest.ts';
import { PREFIX_OF_VALUES } from '../../core/text/name-of-shells.ts';
import { byteLength } from '../../core/text/text.ts';
import { isName } from '../../catalog/address.ts';
import { Expression } from '../../core/value.ts';
import { forbiddenCharacterIn } from '../../catalog/fields/forms.ts';
import type { Merged } from '../merge.ts';
import type { SourceMap } from '../source-map.ts';
import type { UnknownValues } from '../unknown-values.ts';
import type { GivenValue, GivenValues } from './given-values.ts';

export interface VariableSources {
  /** --var and --var-file, already merged. */
  readonly given: GivenValues;
  /** Like `given`, for variables that the manifest may not declare. */
  readonly optional?: GivenValues;
  /** Names of variables whose value was to come from elsewhere, and did not: none of those below takes its place. */
  readonly withheld?: ReadonlySet<string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An expression without a reference is an unknown value. */
export type VariableValue = Scalar | Secret | Expression | VariableList;

/** The items of a list variable, which stands where a list may stand, and nowhere else. */
export class VariableList {
  readonly items: readonly (Scalar | Secret)[];
  /** Bytes of the list as text, with a few for each item: what a use of it costs. */
  readonly bytes: number;

  constructor(items: readonly (Scalar | Secret)[]) {
    this.items = items;
    this.bytes = items.reduce<number>(
      (sum, item) => sum + byteLength(item instanceof Secret ? item.reveal() : String(item)) + ITEM_BYTES,
      0,
    );
  }
}

/** What an item costs besides its text. */
const ITEM_BYTES = 32;

export interface Variables {
  readonly values: ReadonlyMap<string, VariableValue>;
  readonly declared: Suggestions;
  /** Declared variables without a value; only their sensitivity is known. */
  readonly unset: ReadonlyMap<string, Expression>;
  /** Variables whose value is a default, and is not said to be sensitive: it is written in the manifest for everyone. */
  readonly openDefaults: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Values of all declared variables that have one; a missing value is an error where the variable is used. */
export function readVariables({ document, sourceMap, unknownValues }: Merged, sources: VariableSources): Variables {
  const values = new Map<string, VariableValue>();
  const unset = new Map<string, Expression>();
  const openDefaults = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const section = document['variables'];
  const declared = isObject(section) ? section : {};
  for (const [name, declaration] of Object.entries(declared)) {
    const path = ['variables', name];
    const about = isObject(declaration) ? declaration : {};
    const isSecret = about['sensitive'] === true;
    const unknown = new Expression([`\${var.${name}}`], { isSecret });
    const written = unknownValues.has([...path, 'default']) ? unknown : defaultOf(about['default'], path, sourceMap);
    const fallback = unlessWithheld(written, name, sources);
    const given = givenFor(name, sources);
    const all = [...given, fallback];
    // Unused ones, too, because they were declared as secrets.
    if (!isSurelyPlain(about['sensitive'], unknownValues.mayHave([...path, 'sensitive']))) all.forEach(keep);
    const value = all.find((one) => one !== undefined);
    if (!isSecret && given.every((one) => one === undefined)) openDefaults.add(name);
    const problem = value === undefined ? undefined : problemIn(name, value, value === fallback);
    if (problem !== undefined) diagnostics.push(sourceMap.error('bad-variable', path, problem));
    if (value === undefined) unset.set(name, unknown);
    else if (problem !== undefined || value instanceof Expression) values.set(name, unknown);
    else values.set(name, variableValue(value, isSecret));
  }
  const names = new Set(Object.keys(declared));
  const likely = new Suggestions([...names].filter(isName));
  keepUnread(sources, names, unknownValues);
  append(diagnostics, undeclared(undeclaredIn(sources, names, unknownValues), likely));
  return { values, declared: likely, unset, openDefaults, diagnostics };
}

/** A value that is for all stacks, where none of this one is awaited. */
function unlessWithheld<T>(value: T, name: string, { withheld }: VariableSources): T | undefined {
  return withheld?.has(name) === true ? undefined : value;
}

function undeclaredIn(
  { given, withheld = new Set() }: VariableSources,
  names: ReadonlySet<string>,
  unread: UnknownValues,
) {
  return [...given.keys(), ...withheld].filter((name) => !names.has(name) && !unread.mayHave(['variables', name]));
}

/** What is given from outside, the most important first. */
function givenFor(name: string, sources: VariableSources): (GivenValue | undefined)[] {
  const { given, optional, env } = sources;
  return [given.get(name), optional?.get(name), unlessWithheld(env[`${PREFIX_OF_VALUES}${name}`], name, sources)];
}

function variableValue(value: Scalar | readonly Scalar[], isSecret: boolean): VariableValue {
  const own = (item: Scalar) => (isSecret ? new Secret(String(item)) : item);
  return isScalars(value) ? new VariableList(value.map(own)) : own(value);
}

function isScalars(value: unknown): value is readonly Scalar[] {
  return Array.isArray(value);
}

function isSurelyPlain(sensitive: Json | undefined, isUnread: boolean): boolean {
  return !isUnread && (sensitive === undefined || sensitive === false);
}

/** Values given for variables whose declaration may be in an unreadable part. */
function keepUnread(
  { given, optional, env }: VariableSources,
  declared: ReadonlySet<string>,
  unread: UnknownValues,
): void {
  const ofEnv = Object.keys(env).filter((name) => name.startsWith(PREFIX_OF_VALUES));
  const names = [
    ...given.keys(),
    ...(optional?.keys() ?? []),
    ...ofEnv.map((variable) => variable.slice(PREFIX_OF_VALUES.length)),
  ];
  for (const name of new Set(names))
    if (!declared.has(name) && unread.mayHave(['variables', name]))
      givenFor(name, { given, env, ...(optional && { optional }) }).forEach(keep);
}

function keep(value: Scalar | readonly Scalar[] | Expression | undefined): void {
  if (value === undefined || value instanceof Expression) return;
  for (const item of isScalars(value) ? value : [value]) knownSecrets.add(String(item));
}

/** The default; a number that is not in JSON notation becomes its source text. */
function defaultOf(
  value: Json | undefined,
  path: readonly string[],
  places: SourceMap,
): Scalar | readonly Scalar[] | undefined {
  if (value === undefined || !isList(value)) return scalarAt(value, [...path, 'default'], places);
  return value.flatMap((item, index) => scalarAt(item, [...path, 'default', String(index)], places) ?? []);
}

function scalarAt(value: Json | undefined, path: readonly string[], places: SourceMap): Scalar | undefined {
  if (typeof value === 'number') return places.numberText(path) ?? value;
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}

type Scalar = string | number | boolean;

function problemIn(
  name: string,
  value: Scalar | readonly Scalar[] | Expression,
  isDefault: boolean,
): ProblemText | undefined {
  if (value instanceof Expression) return undefined;
  for (const item of isScalars(value) ? value : [value]) {
    const problem = typeof item === 'string' ? problemOf(name, item, isDefault) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemOf(name: string, value: string, isDefault: boolean): ProblemText | undefined {
  const strange = forbiddenCharacterIn(value);
  if (strange !== undefined)
    return {
      message: `the value of variable ${name} contains the invisible character ${strange}`,
      fix: 'remove the character from the value',
    };
  if (!isDefault || !/\$\{/.test(value)) return undefined;
  return {
    message: `the default of variable ${name} looks like an expression, but a default cannot contain expressions`,
    fix: 'write the value itself; refer to other values where the variable is used',
  };
}

function undeclared(names: readonly string[], declared: Suggestions): Diagnostic[] {
  return names.map((name) => {
    const fix = declared.didYouMean(name) ?? 'declare it under `variables`';
    const message = `a value was given for "${name}", which is not declared`;
    return { code: 'unknown-variable', severity: 'error', message, fix };
  });
}
