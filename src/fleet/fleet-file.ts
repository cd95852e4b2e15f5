// The text of a fleet file → its entries, with every problem at its place. Knows no manifests; paths are looked up by a port.

import { dirname, resolve } from 'node:path';
import { sortDiagnostics, type Diagnostic, type Result, type SourceRange } from '../core/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { didYouMean } from '../core/text/closest.ts';
import { FIRST_WAVE } from '../core/waves.ts';
import type { GivenValues } from '../manifest/values/given-values.ts';
import { checkStructure } from '../manifest/structure.ts';
import { parseFile } from '../manifest/text/parse.ts';
import { OPENINGS } from '../core/built-in-policies.ts';
import { DEFAULT_CREDENTIALS, EACH_NAME } from '../schema/fleet-schema.ts';
import { validateFleetDocument } from '../schema/validate-fleet.ts';
import { stacksOf, type EntryStack } from './entry-stacks.ts';
import { readEntryVariables } from './entry-variables.ts';
import { FleetDocument, listOf, type FleetInput } from './fleet-document.ts';

/** One stack of a fleet. */
export interface FleetEntry extends EntryStack {
  readonly variables: GivenValues;
  readonly varFiles: readonly string[];
  /** Files that are laid over the manifest, in this order. */
  readonly overlays: readonly string[];
  readonly baseUrlEnv: string;
  readonly apiKeyEnv: string;
  /** Its wave; undefined if no entry of the file names one. */
  readonly wave: number | undefined;
  /** Where its wave is given, or its name. */
  readonly waveRange: SourceRange;
  /** Where its name is given: the place of every problem that has none of its own. */
  readonly range: SourceRange;
}

export interface FleetFile {
  readonly entries: readonly FleetEntry[];
  readonly policies: readonly string[];
  /** Whether they name the built-in policy `openings`. */
  readonly refusesOpenings: boolean;
  /**
   * Full paths of the fleet file, variable files, overlays and policies: a folder or a pattern does not name them as manifests.
   */
  readonly notManifests: ReadonlySet<string>;
}

const MAX_STACKS = 20_000;
/** Maximum number of patterns, each of which visits a part of the file system. */
const MAX_EACH = 100;
const CREDENTIALS = 'EDGEFORM_FLEET_CREDENTIALS';
const TOO_LARGE = 'use `each`, or split the fleet';

/** Every stack of the file that can be read, in its order; with errors in the file, what its entries have together is not known. */
export function parseFleet(input: FleetInput): Result<FleetFile> {
  const file = parseFile(input.name, input.text);
  const isEmpty = file.diagnostics.length === 0 && file.unknownValues.has([]);
  const found: Diagnostic[] = [
    ...file.diagnostics.map((one) => (/too-large$/.test(one.code) ? { ...one, fix: TOO_LARGE } : one)),
    ...checkStructure(file, validateFleetDocument),
  ];
  const document = new FleetDocument(input, file, found);
  if (isEmpty) document.report('empty-file', [], NO_STACKS);
  const value = new FleetReader(document).read();
  return { value, diagnostics: sortDiagnostics(found) };
}

const NO_STACKS = {
  message: 'the fleet file has no stacks',
  fix: 'write `version: 1`, and below `stacks:` a `name` and a `path` for each',
};

/** A wrong one is reported already. */
function waveOf({ wave }: JsonObject): number {
  return typeof wave === 'number' ? wave : FIRST_WAVE;
}

/** Keys whose texts name no file, or manifests. */
const NO_FILES = new Set([
  'name',
  'path',
  'each',
  'stack',
  'variables',
  'variables_env',
  'wave',
  'base_url_env',
  'api_key_env',
]);

/** The texts below all other keys, also those that are misspelt: a file that one names is no manifest. */
function filesIn(json: Json): string[] {
  if (typeof json === 'string') return [json];
  if (isList(json)) return json.flatMap(filesIn);
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, value]) => (NO_FILES.has(key) ? [] : filesIn(value)));
}

/** The entries of one document; problems go to a list. */
class FleetReader {
  readonly #document: FleetDocument;
  readonly #listed: readonly string[];
  #hasWaves = false;

  constructor(document: FleetDocument) {
    this.#document = document;
    this.#listed = (document.input.env[CREDENTIALS] ?? '').split(',').flatMap((name) => name.trim() || []);
  }

  read(): FleetFile {
    const { file, input } = this.#document;
    const json = isObject(file.json) ? file.json : {};
    const given = listOf(json['stacks']).map((entry) => (isObject(entry) ? entry : {}));
    this.#hasWaves = given.some((entry) => 'wave' in entry);
    const isWhole = file.unknownValues.isWhole(['stacks']);
    if (given.length === 0 && isWhole && json['stacks'] !== undefined)
      this.#document.report('bad-fleet', ['stacks'], NO_STACKS);
    const named = listOf(json['policies']);
    const policies = named.flatMap((one, at) =>
      one === OPENINGS ? [] : (this.#document.path(one, ['policies', String(at)]) ?? []),
    );
    const folder = dirname(input.name);
    const notManifests = new Set([
      resolve(input.cwd, input.name),
      ...filesIn(json).map((path) => resolve(input.cwd, folder, path)),
    ]);
    return {
      entries: this.#firstOfEachName(this.#entries(given, notManifests)),
      policies,
      refusesOpenings: named.includes(OPENINGS),
      notManifests,
    };
  }

  #entries(given: readonly JsonObject[], notManifests: ReadonlySet<string>): FleetEntry[] {
    const entries: FleetEntry[] = [];
    const document = this.#document;
    let patterns = 0;
    for (const [index, entry] of given.entries()) {
      const at = ['stacks', String(index)];
      const isOver = 'each' in entry && ++patterns > MAX_EACH;
      if (isOver)
        this.#tooMany([...at, 'each'], `${MAX_EACH} patterns`, 'use fewer patterns, such as `each: teams/*/*`');
      const before = document.found.length;
      const shared = this.#sharedBy(entry, at);
      // What is wrong in a stack because of a mistake here would be reported in vain.
      const isRight = document.found.length === before && document.file.unknownValues.isWhole(at);
      const stacks = isOver ? [] : stacksOf({ given: entry, at, document }, notManifests);
      const left = MAX_STACKS - entries.length;
      for (const stack of isRight ? stacks.slice(0, left) : []) entries.push({ ...stack, ...shared });
      if (stacks.length <= left) continue;
      this.#tooMany(at, `${MAX_STACKS} stacks`, 'split the fleet');
      break;
    }
    return entries;
  }

  #tooMany(path: Path, what: string, fix: string): void {
    this.#document.report('too-large', path, { message: `the fleet has more than ${what}`, fix });
  }

  /** What all stacks of an entry have in common. */
  #sharedBy(given: JsonObject, at: Path) {
    const { places } = this.#document;
    const namedAt = [...at, 'name' in given ? 'name' : 'each'];
    const [baseUrlEnv, apiKeyEnv] = [
      this.#credential(given, 'base_url_env', at),
      this.#credential(given, 'api_key_env', at),
    ];
    if (this.#listed.includes(baseUrlEnv) && apiKeyEnv === DEFAULT_CREDENTIALS.api_key_env)
      this.#document.report('foreign-credential', [...at, 'base_url_env'], {
        message: `the key in ${apiKeyEnv} would be sent to the address in ${baseUrlEnv}`,
        fix: 'name the key of that service with `api_key_env`',
      });
    return {
      variables: readEntryVariables({ given, at, document: this.#document }, this.#listed),
      varFiles: this.#document.paths(given['var_files'], [...at, 'var_files']),
      overlays: this.#document.paths(given['overlays'], [...at, 'overlays']),
      baseUrlEnv,
      apiKeyEnv,
      wave: this.#hasWaves ? waveOf(given) : undefined,
      waveRange: places.value('wave' in given ? [...at, 'wave'] : namedAt),
      range: places.value(namedAt),
    };
  }

  /** Each key has a default of its own, so that the usual key is never sent as an address. */
  #credential(given: JsonObject, key: keyof typeof DEFAULT_CREDENTIALS, at: Path): string {
    const usable = [DEFAULT_CREDENTIALS[key], ...this.#listed];
    const name = this.#document.text(given[key], [...at, key]) ?? DEFAULT_CREDENTIALS[key];
    if (!usable.includes(name))
      this.#document.report('foreign-credential', [...at, key], {
        message: `${key} names ${name}, which this fleet may not use`,
        expected: usable.join(' or '),
        fix: didYouMean(name, usable) ?? `list it in ${CREDENTIALS}, in the environment of the command`,
      });
    return name;
  }

  #firstOfEachName(entries: readonly FleetEntry[]): FleetEntry[] {
    const first = new Map<string, FleetEntry>();
    for (const entry of entries) {
      const other = first.get(entry.name);
      if (other === undefined) first.set(entry.name, entry);
      else
        this.#document.found.push({
          code: 'bad-fleet',
          severity: 'error',
          message: `two entries have the name ${entry.name}`,
          range: entry.range,
          fix: `rename one of them; an entry with each can have name: "${EACH_NAME}-prod"`,
          related: [{ message: 'first given here', range: other.range }],
        });
    }
    return [...first.values()];
  }
}
