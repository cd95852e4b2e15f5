// The resources in the output of `terraform show -json` for a state. Knows the shape of a state, but no kind and no field.

import { append } from '../core/append.ts';
import { truncateMiddle } from '../core/bounds.ts';
import type { Result } from '../core/diagnostic.ts';
import { isList, isObject, readJson, type Json, type JsonObject } from '../core/json.ts';

/** Maximum number of resources in a state, of any type. */
const MAX_RESOURCES = 20_000;

export interface StateResource {
  /** Terraform's address, for people. */
  readonly address: string;
  readonly type: string;
  /** The address without its type, as the parts of a name. */
  readonly words: readonly string[];
  readonly values: JsonObject;
  /** The same structure with `true` in place of sensitive values. */
  readonly marks: Json | undefined;
  /** Why it cannot be imported, as far as the state says. */
  readonly why: string | undefined;
}

/** All resources of a state in its order, or what is wrong with the file. */
export function readState(text: string): Result<readonly StateResource[]> {
  const reading = readJson(text);
  if (reading.problem !== undefined) return unusable(`it ${reading.why}`);
  const { json } = reading;
  if (!isObject(json)) return unusable('it is not a JSON object');
  const problem = problemOf(json);
  if (problem !== undefined) return unusable(problem);
  const found = [...resourcesIn(objectOf(objectOf(json['values'])['root_module']))];
  if (found.length <= MAX_RESOURCES) return { value: found, diagnostics: [] };
  return unusable(`it has ${found.length} resources, and at most ${MAX_RESOURCES} are read`, 'import it in parts');
}

const SHOW = 'run `terraform show -json > state.json` without a plan file, and name that file';

function unusable(why: string, fix = SHOW): Result<never> {
  const message = `the file is not a state that can be imported: ${why}`;
  return { diagnostics: [{ code: 'bad-state-file', severity: 'error', message, fix }] };
}

function problemOf(json: JsonObject): string | undefined {
  if ('planned_values' in json || 'resource_changes' in json) return 'it is a plan';
  if ('lineage' in json || 'serial' in json) return 'it is a state file as Terraform stores it';
  const version = textOf(json['format_version']);
  if (version === '') return 'it has no format_version';
  if (/^[01]\.\d+$/.test(version)) return undefined;
  return `its format_version is ${JSON.stringify(truncateMiddle(version, 20))}, and 1.x is known`;
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return value !== undefined && isList(value) ? value.map(objectOf) : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Level by level: modules may be in modules, however deep. */
function* resourcesIn(root: JsonObject): Generator<StateResource> {
  const modules = [root];
  for (const module of modules) {
    // `module.net["eu"]` → `net["eu"]`
    const words = textOf(module['address']).replace(/(^|\.)module\./g, '$1');
    for (const one of listOf(module['resources'])) yield resourceOf(one, words);
    append(modules, listOf(module['child_modules']));
  }
}

function resourceOf(given: JsonObject, above: string): StateResource {
  const [type, name] = [textOf(given['type']), textOf(given['name'])];
  return {
    address: textOf(given['address']) || `${type}.${name}`,
    type,
    words: [above, name, textOf(given['index'])].filter((word) => word !== ''),
    values: objectOf(given['values']),
    marks: given['sensitive_values'],
    why: whyNot(given),
  };
}

function whyNot({ mode, deposed_key: deposed, tainted }: JsonObject): string | undefined {
  if (mode !== 'managed') return 'it is a data source, which Terraform only reads';
  if (textOf(deposed) !== '') return 'it is deposed: Terraform was about to delete it';
  return tainted === true ? 'it is tainted: Terraform was about to replace it' : undefined;
}
