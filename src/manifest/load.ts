// Files → manifest: parse, merge, validate, fill in, check. Every problem of every file is reported at once.

import type { Diagnostic, Outcome } from '../base/diagnostic.ts';
import { hasErrors, sortDiagnostics } from '../base/diagnostic.ts';
import { sha256 } from '../base/digest.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { canonicalJson, isObject } from '../base/json.ts';
import { SECRET_MASK, Secret } from '../base/secret.ts';
import type { Value } from '../base/value.ts';
import { Expression, mapLeaves, secretsIn } from '../base/value.ts';
import { validateManifestDocument } from '../schema/validate.ts';
import type { ExpandContext } from './expand.ts';
import { expandFree } from './expand.ts';
import type { Manifest } from './manifest.ts';
import { mergeFiles } from './merge.ts';
import { checkMoves, readMoved, readRemoved } from './moves.ts';
import { parseFile } from './parse.ts';
import type { Places } from './places.ts';
import { placesOf } from './places.ts';
import { checkFree, checkReferences } from './references.ts';
import type { Located } from './resources.ts';
import { readResources } from './resources.ts';
import { checkRules } from './rules.ts';
import { readVariables } from './variables.ts';

export interface LoadInput {
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** Values of --var and --var-file. */
  readonly variables: ReadonlyMap<string, string>;
  /** Only names that start with EDGEFORM_VAR_ are looked at. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a text file below the manifest's folder. */
  readonly readFile: (relative: string) => Outcome<string>;
}

/** Loads one stack. The value is missing when there is any error; warnings come beside a value. */
export function loadManifest(input: LoadInput): Outcome<Manifest> {
  const files = input.files.map((file) => parseFile(file.name, file.text));
  const places = placesOf(files);
  const merged = mergeFiles(files);
  const parsed = [...files.flatMap((file) => file.diagnostics), ...merged.diagnostics];
  const broken = files.some((file) => file.json === null);
  const schema = validateManifestDocument(merged.document).flatMap((problem): Diagnostic[] => {
    const { path, code, atKey, ...words } = problem;
    return [atKey ? places.errorAtKey(code, path, words) : places.error(code, path, words)];
  });
  const required = broken ? [] : requiredKeys(merged.document, places);
  const before = [...parsed, ...schema, ...required];
  const diagnostics: Diagnostic[] = [];
  const declared = merged.document['variables'];
  const variables = readVariables(
    isObject(declared) ? declared : {},
    { given: input.variables, env: input.env },
    places,
  );
  const context: ExpandContext = { variables, readFile: input.readFile, places, diagnostics };
  const resources = readResources(merged.document, context);
  const outputs = readOutputs(merged.document['outputs'], context, resources);
  // What the schema already found wrong would only be repeated by the rules.
  const rules =
    schema.length > 0 || broken
      ? []
      : [
          ...checkReferences(resources, places),
          ...checkRules(resources, places),
          ...checkMoves(merged.document, resources, places),
        ];
  const all = sortDiagnostics(distinct([...before, ...variables.diagnostics, ...diagnostics, ...rules]));
  if (hasErrors(all)) return { diagnostics: all };
  const given = [...variables.values.values()].filter((value) => value instanceof Secret);
  const manifest = assemble(merged.document, resources, outputs, places);
  const secrets = [...given, ...resources.flatMap(({ resource }) => secretsIn(resource.spec))];
  return { value: { ...manifest, secrets: distinctSecrets(secrets) }, diagnostics: all };
}

function distinctSecrets(secrets: readonly Secret[]): Secret[] {
  return [...new Map(secrets.map((secret) => [secret.reveal(), secret])).values()];
}

/** One problem per place and code: the schema and the loader may both see that a value is wrong. */
function distinct(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const one of diagnostics) {
    const place = one.range === undefined ? one.message : `${one.range.file} ${one.range.line} ${one.range.column}`;
    const key = `${place} ${one.code}${one.code === 'missing-field' || one.code === 'unknown-reference' ? one.message : ''}`;
    if (!seen.has(key)) seen.set(key, one);
  }
  return [...seen.values()];
}

function requiredKeys(document: JsonObject, places: Places): Diagnostic[] {
  return ['version', 'stack']
    .filter((key) => document[key] === undefined)
    .map((key) =>
      places.error('missing-field', [], {
        message: `"${key}" is missing`,
        fix: key === 'version' ? 'add `version: 1`' : 'add `stack: NAME`',
      }),
    );
}

function readOutputs(
  given: Json | undefined,
  context: ExpandContext,
  resources: readonly Located[],
): Map<string, Value> {
  const outputs = new Map<string, Value>();
  const known = new Set(resources.map((one) => one.resource.address));
  for (const [name, json] of Object.entries(isObject(given) ? given : {})) {
    const path = ['outputs', name];
    const value = expandFree(json, path, context);
    if (value === undefined) continue;
    context.diagnostics.push(...checkFree(value, path, known, context.places));
    outputs.set(name, value);
  }
  return outputs;
}

function assemble(
  document: JsonObject,
  resources: readonly Located[],
  outputs: ReadonlyMap<string, Value>,
  places: Places,
): Omit<Manifest, 'secrets'> {
  const stack = String(document['stack']);
  const list = resources.map((one) => one.resource);
  const moved = readMoved(document, places);
  const removed = readRemoved(document, places);
  const moves = [...moved, ...removed].map(({ range: _, ...entry }) => entry);
  const content = list.map(({ address, spec, lifecycle }) => ({
    address,
    spec: opaque(spec),
    lifecycle: { ...lifecycle },
  }));
  return {
    stack,
    resources: list,
    outputs,
    moved,
    removed,
    digest: sha256(
      canonicalJson(
        JSON.parse(
          JSON.stringify({
            stack,
            content,
            moves,
            outputs: [...outputs].map(([name, value]) => [name, opaque(value)]),
          }),
        ) as Json,
      ),
    ),
  };
}

/** The value without secrets, references written out. */
function opaque(value: Value): Json {
  return mapLeaves(value, (leaf) => {
    if (leaf instanceof Secret) return SECRET_MASK;
    if (!(leaf instanceof Expression)) return leaf;
    return leaf.parts
      .map((part) =>
        typeof part === 'string' ? part : part instanceof Secret ? SECRET_MASK : `\${${part.address}.${part.attr}}`,
      )
      .join('');
  }) as Json;
}
