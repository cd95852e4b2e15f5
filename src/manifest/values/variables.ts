// Values of declared variables: from flags and files, then the environment, then defaults. Sensitive ones are secrets from here
// on.

import { append } from '../../core/append.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import { isObject, type Json } from '../../core/json.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { Secret } from '../../core/secrets/secret.ts';
import { Suggestions } from '../../core/text/closest.ts';
import { isName } from '../../catalog/address.ts';
import { Expression } from '../../core/value.ts';
import { forbiddenCharacterIn } from '../../catalog/fields/forms.ts';
import type { Merged } from '../merge.ts';
import type { SourceMap } from '../source-map.ts';
import type { UnknownValues } from '../unknown-values.ts';

interface VariableSources {
  /** --var and --var-file, already merged. */
  readonly given: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An expression without a reference is an unknown value. */
export type VariableValue = string | number | boolean | Secret | Expression;

export interface Variables {
  readonly values: ReadonlyMap<string, VariableValue>;
  readonly declared: Suggestions;
  /** Declared variables without a value; only their sensitivity is known. */
  readonly unset: ReadonlyMap<string, Expression>;
  readonly diagnostics: readonly Diagnostic[];
}

const PREFIX = 'EDGEFORM_VAR_';

/** Values of all declared variables that have one; a missing value is an error where the variable is used. */
export function readVariables({ document, sourceMap, unknownValues }: Merged, sources: VariableSources): Variables {
  const values = new Map<string, VariableValue>();
  const unset = new Map<string, Expression>();
  const diagnostics: Diagnostic[] = [];
  const section = document['variables'];
  const declared = isObject(section) ? section : {};
  for (const [name, declaration] of Object.entries(declared)) {
    const path = ['variables', name];
    const about = isObject(declaration) ? declaration : {};
    const isSecret = about['sensitive'] === true;
    const unknown = new Expression([`\${var.${name}}`], { isSecret });
    const fallback = unknownValues.has([...path, 'default']) ? unknown : defaultOf(about['default'], path, sourceMap);
    const all = [sources.given.get(name), sources.env[`${PREFIX}${name}`], fallback];
    // Unused ones, too, because they were declared as secrets.
    if (!isSurelyPlain(about['sensitive'], unknownValues.mayHave([...path, 'sensitive']))) all.forEach(keep);
    const value = all.find((one) => one !== undefined);
    const problem = typeof value === 'string' ? problemOf(name, value, value === fallback) : undefined;
    if (problem !== undefined) diagnostics.push(sourceMap.error('bad-variable', path, problem));
    if (value === undefined) unset.set(name, unknown);
    else if (problem !== undefined || value instanceof Expression) values.set(name, unknown);
    else values.set(name, isSecret ? new Secret(String(value)) : value);
  }
  const names = new Set(Object.keys(declared));
  const likely = new Suggestions([...names].filter(isName));
  keepUnread(sources, names, unknownValues);
  const wrong = [...sources.given.keys()].filter(
    (name) => !names.has(name) && !unknownValues.mayHave(['variables', name]),
  );
  append(diagnostics, undeclared(wrong, likely));
  return { values, declared: likely, unset, diagnostics };
}

function isSurelyPlain(sensitive: Json | undefined, isUnread: boolean): boolean {
  return !isUnread && (sensitive === undefined || sensitive === false);
}

/** Values given for variables whose declaration may be in an unreadable part. */
function keepUnread({ given, env }: VariableSources, declared: ReadonlySet<string>, unread: UnknownValues): void {
  const ofEnv = Object.keys(env).filter((name) => name.startsWith(PREFIX));
  for (const name of new Set([...given.keys(), ...ofEnv.map((one) => one.slice(PREFIX.length))]))
    if (!declared.has(name) && unread.mayHave(['variables', name]))
      [given.get(name), env[`${PREFIX}${name}`]].forEach(keep);
}

function keep(value: VariableValue | undefined): void {
  if (value !== undefined && !(value instanceof Expression)) knownSecrets.add(String(value));
}

/** The default; a number that is not in JSON notation becomes its source text. */
function defaultOf(value: Json | undefined, path: readonly string[], places: SourceMap): Scalar | undefined {
  if (typeof value === 'number') return places.numberText([...path, 'default']) ?? value;
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}

type Scalar = string | number | boolean;

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
