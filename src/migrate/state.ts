// The resources in the output of `terraform show -json` for a state. Knows the shape of a state, but no kind and no field.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { isList, isObject, tryParseJson, type Json, type JsonObject } from '../core/json.ts';
import { truncateMiddle } from '../core/bounds.ts';

/** Maximum size of a state; larger ones are rejected before they are parsed. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;
/** Maximum number of resources in a state, of any type. */
const MAX_RESOURCES = 20_000;
/** Maximum depth of a state; a module takes two levels. */
const MAX_DEPTH = 100;
const MAX_ADDRESS = 300;

/** A resource of a state, or what is known of one that is damaged. */
export interface StateResource {
  /** Terraform's address, for people. */
  readonly address: string;
  readonly type: string;
  /** The address without its type, as the parts of a name. */
  readonly words: readonly string[];
  readonly values: JsonObject;
  /** The same structure with `true` in place of sensitive values. */
  readonly marks: Json;
  /** Why it cannot be imported, as far as the state says. */
  readonly why: string | undefined;
}

/** All resources of a state in its order, or what is wrong with the file. */
export function readState(text: string): Result<readonly StateResource[]> {
  const json = tryParseJson(text);
  if (!isObject(json)) return unusable(`it is not ${json === undefined ? 'JSON' : 'a JSON object'}`);
  const problem = problemOf(json);
  if (problem !== undefined) return unusable(problem);
  if (isDeeper(json, MAX_DEPTH)) return unusable(`it is nested deeper than ${MAX_DEPTH} levels`);
  const found = [...resourcesIn(objectAt(objectAt(json, 'values'), 'root_module'), [])];
  if (found.length <= MAX_RESOURCES) return { value: found, diagnostics: [] };
  return unusable(
    `it has ${found.length} resources; at most ${MAX_RESOURCES} are read`,
    'split it, or remove resources',
  );
}

const SHOW = 'run `terraform show -json > state.json` without a plan file, and name that file';

function unusable(why: string, fix = SHOW): { readonly diagnostics: readonly Diagnostic[] } {
  const message = `the file is not a state that can be imported: ${why}`;
  return { diagnostics: [{ code: 'bad-state-file', severity: 'error', message, fix }] };
}

function problemOf(json: JsonObject): string | undefined {
  if ('planned_values' in json || 'resource_changes' in json) return 'it is a plan';
  if ('lineage' in json || 'serial' in json) return 'it is a state file as Terraform stores it';
  const version = json['format_version'];
  if (typeof version !== 'string') return 'it has no format_version';
  if (/^[01]\.\d+$/.test(version)) return undefined;
  return `its format_version is ${JSON.stringify(truncateMiddle(version, 20))}, and 1.x is known`;
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((item: Json) => isDeeper(item, levels - 1));
}

function objectAt(value: JsonObject, name: string): JsonObject {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isObject(found) ? found : {};
}

function listAt(value: JsonObject, name: string): readonly Json[] {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return found !== undefined && isList(found) ? found : [];
}

function textAt(value: JsonObject, name: string): string {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

function* resourcesIn(module: JsonObject, above: readonly string[]): Generator<StateResource> {
  for (const one of listAt(module, 'resources')) yield resourceOf(isObject(one) ? one : {}, above);
  for (const one of listAt(module, 'child_modules'))
    // `module.net["eu"]` → `net["eu"]`
    if (isObject(one)) yield* resourcesIn(one, [textAt(one, 'address').replace(/(^|\.)module\./g, '$1')]);
}

function resourceOf(given: JsonObject, above: readonly string[]): StateResource {
  const type = textAt(given, 'type');
  const address = textAt(given, 'address') || `${type}.${textAt(given, 'name')}`;
  return {
    address: truncateMiddle(address, MAX_ADDRESS),
    type: truncateMiddle(type, MAX_ADDRESS),
    words: [...above, textAt(given, 'name'), textAt(given, 'index')].filter((word) => word !== ''),
    values: objectAt(given, 'values'),
    marks: objectAt(given, 'sensitive_values'),
    why: whyNot(given),
  };
}

function whyNot(given: JsonObject): string | undefined {
  if (textAt(given, 'type') === '' || textAt(given, 'mode') === '') return 'it is not a resource of a state';
  if (given['mode'] !== 'managed') return 'it is a data source, which Terraform only reads';
  if (textAt(given, 'deposed_key') !== '') return 'it is deposed: Terraform was about to delete it';
  return given['tainted'] === true ? 'it is tainted: Terraform was about to replace it' : undefined;
}
