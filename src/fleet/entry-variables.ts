// The variables of one entry of a fleet file: values that it says itself, and the environment variables that have the others. The
// reader of manifests decides what a text says, so that `${…}` means nothing here that it does not mean there.

import { isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { nameForShells, PREFIX_OF_VALUES } from '../core/text/name-of-shells.ts';
import type { WaysToGive } from '../manifest/values/from-outside.ts';
import { givenValue, plainText, type GivenValue, type GivenValues } from '../manifest/values/given-values.ts';
import { EACH_NAME, ENVIRONMENT_VALUE } from '../schema/fleet-schema.ts';
import type { EntryStack } from './entry-stacks.ts';
import type { FleetDocument } from './fleet-document.ts';

interface EntryPlace {
  readonly given: JsonObject;
  readonly at: Path;
  readonly document: FleetDocument;
}

/** The values that the entry says itself. `credentials` are environment variables that no variable gets its value from. */
export function readEntryVariables(entry: EntryPlace, credentials: readonly string[]): GivenValues {
  const { given, at, document } = entry;
  const named = membersOf(given['variables_env']);
  for (const [variable, name] of named) {
    const path = [...at, 'variables_env', variable];
    if (typeof name === 'string' && document.file.unknownValues.has(path))
      document.reword(path, {
        message: `${name} cannot be the environment variable of ${variable}: only names of letters, digits and _ that begin with ${PREFIX_OF_VALUES} may be, so that no fleet file takes another secret of the environment`,
        expected: ENVIRONMENT_VALUE,
        got: JSON.stringify(name),
        fix: `write ${fromEnvironment(variable, nameOf(given))}, and set that environment variable`,
      });
    if (typeof name === 'string' && credentials.includes(name))
      document.report('foreign-credential', path, {
        message: `variables_env names ${name}, which is a credential of this fleet`,
        fix: 'give the value in an environment variable of its own',
      });
  }
  const values = membersOf(given['variables']);
  const twice = values.filter(([variable]) => named.some(([other]) => other === variable));
  for (const [variable] of twice)
    document.found.push(
      document.places.errorAtKey('bad-fleet', [...at, 'variables_env', variable], {
        message: `variable ${variable} stands in \`variables\` and in \`variables_env\` of one entry`,
        fix: 'remove it from one of them',
      }),
    );
  return new Map(values.map(([variable, value]) => [variable, valueOf(variable, value, entry)]));
}

function membersOf(section: Json | undefined): readonly (readonly [string, Json])[] {
  return section !== undefined && isObject(section) ? Object.entries(section) : [];
}

function valueOf(variable: string, json: Json, { given, at, document }: EntryPlace): GivenValue {
  const path = [...at, 'variables', variable];
  const value = givenValue(json, (below) => document.places.numberText([...path, ...below])) ?? '';
  const fix = `write ${fromEnvironment(variable, nameOf(given))} in the entry for a value of the environment, or $\${ for a literal \${`;
  const read = (text: string, here: Path) => {
    const plain = plainText(text);
    if (plain !== undefined) return plain;
    // A value may be a secret, so that no part of it is repeated.
    const message = `the value of variable ${variable} holds an expression, but values of a fleet file are plain text`;
    document.report('bad-expression', here, { message, fix });
    return text;
  };
  if (typeof value === 'string') return read(value, path);
  return value.map((item, index) => read(item, [...path, String(index)]));
}

/** The name of an entry, or what stands for it. */
function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : EACH_NAME;
}

/** What an entry says so that a variable has a value of its own from the environment. */
function fromEnvironment(variable: string, entry: string): string {
  const name = `${PREFIX_OF_VALUES}${nameForShells(`${entry}_${variable}`)}`;
  return `variables_env: { ${variable}: "${name}" }`;
}

type OfEntry = Pick<EntryStack, 'name' | 'pattern' | 'variablesEnv'>;
type Env = Readonly<Record<string, string | undefined>>;

/** Values from the environment variables that an entry names, and the variables of which they are not set, or are empty. */
export function fromNamedEnvironment({ variablesEnv }: Pick<OfEntry, 'variablesEnv'>, env: Env) {
  const found = [...variablesEnv].map(([variable, name]) => [variable, env[name] ?? ''] as const);
  return {
    values: new Map(found.filter(([, value]) => value !== '')),
    withheld: new Set(found.flatMap(([variable, value]) => (value === '' ? [variable] : []))),
  };
}

/** A variable that the environment has for all stacks alike would give one stack the secret of another. */
export function waysToGiveIn({ name: entry, pattern, variablesEnv }: OfEntry): WaysToGive {
  return (variable, isSecret) => {
    const named = variablesEnv.get(variable);
    if (named !== undefined)
      return `set ${named} in the environment, as \`variables_env\` of the entry ${entry} names it`;
    const own = `write ${fromEnvironment(variable, pattern)} in the entry ${entry}, and set that environment variable`;
    return isSecret ? own : `write variables: { ${variable}: VALUE } in the entry ${entry}; or ${own}`;
  };
}
