// Compiles schemas to plain code during the build, so that no command compiles one at start-up. Used by the build only.

import { Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { BugError } from '../core/diagnostic.ts';
import { canonicalJson, isList, isObject, mapObject, type Json, type JsonObject } from '../core/json.ts';
import { kinds } from '../catalog/kinds/index.ts';
import { documentSchema } from './documents.ts';
import { fleetSchema } from './fleet-schema.ts';
import { manifestSchema } from './generate.ts';
import { policySchema } from './policy-schema.ts';

/** Documents that commands read. Of a manifest, what is judged is plain; editors judge what is written. */
const READ: Readonly<Record<string, JsonObject>> = {
  manifest: manifestSchema(kinds),
  plan: documentSchema('plan') ?? {},
  fleet: fleetSchema(),
  policies: policySchema(),
};

/** Name in this folder → a module with the validator of one document; one each, so that a command loads only what it needs. */
export function compiledFiles(): [string, string][] {
  return Object.entries(READ).map(([name, schema]) => [`compiled-${name}.mjs`, compile(schema)]);
}

function compile(schema: JsonObject): string {
  const code = { source: true, esm: true, lines: true };
  const ajv = new Ajv({
    code,
    allErrors: true,
    messages: false,
    ownProperties: true,
    strict: false,
    inlineRefs: false,
  });
  const made = standalone.default(ajv, ajv.compile(inFunctions(schema)));
  return `// Made by \`npm run build\`.\n${APPEND}\n${withoutCopies(made)}\n`;
}

const APPEND = 'function append(list, items) {\nfor (const item of items) list.push(item);\nreturn list;\n}';

/** The library copies all errors so far for each part that has some: the square of their number. */
function withoutCopies(code: string): string {
  const made = code.replaceAll(/vErrors\.concat\((\w+\.errors)\)/g, 'append(vErrors, $1)');
  if (made.includes('.concat(')) throw new BugError('the validators copy their errors in another way');
  return made;
}

/** Keywords for people and editors, and lengths and choices, which the loader checks on decoded text. */
const UNJUDGED: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'title',
  'description',
  'markdownDescription',
  'examples',
  'default',
  'errorMessage',
  'patternErrorMessage',
  'minLength',
  'maxLength',
  'oneOf',
]);
const LITERAL = ['const', 'enum', 'required', 'type'];

/**
 * The schema with each distinct object as a definition of its own: each becomes a function that is compiled only when a
 * document needs it.
 */
function inFunctions(schema: JsonObject): JsonObject {
  const names = new Map<string, string>();
  const definitions: Record<string, Json> = {};
  const slim = (at: JsonObject, isName: boolean): JsonObject =>
    mapObject(at, (value, key) => {
      if (!isName && (UNJUDGED.has(key) || key.startsWith('x-'))) return undefined;
      if (!isName && LITERAL.includes(key)) return value;
      if (isList(value)) return value.map((item) => (isObject(item) ? apart(item) : item));
      if (!isObject(value)) return value;
      return !isName && key === 'properties' ? slim(value, true) : apart(value);
    });
  const apart = (at: JsonObject): JsonObject => {
    const made = slim(at, false);
    if (!('properties' in made)) return made;
    const text = canonicalJson(made);
    const name = names.get(text) ?? `d${names.size}`;
    names.set(text, name);
    definitions[name] = made;
    return { $ref: `#/definitions/${name}` };
  };
  return { ...slim(schema, false), definitions };
}
