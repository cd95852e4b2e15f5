// The text of a fleet file → its entries, with every problem at its place. Knows no manifests; paths are looked up by a port.

import { basename, dirname, extname, isAbsolute, join, resolve } from 'node:path';
import { isStackName } from '../catalog/address.ts';
import type { Code } from '../core/codes.ts';
import { sortDiagnostics, type Diagnostic, type ProblemText } from '../core/diagnostic.ts';
import type { Result, SourceRange } from '../core/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { didYouMean } from '../core/text/closest.ts';
import { givenValue, type GivenValues } from '../manifest/values/given-values.ts';
import { buildSourceMap, type SourceMap } from '../manifest/source-map.ts';
import { checkStructure } from '../manifest/structure.ts';
import { parseFile, type ParsedFile } from '../manifest/text/parse.ts';
import { FileError, reasonOf } from '../platform/file-error.ts';
import { DEFAULT_CREDENTIALS } from '../schema/fleet-schema.ts';
import { validateFleetDocument } from '../schema/validate-fleet.ts';

/** One stack of a fleet. */
export interface FleetEntry {
  readonly name: string;
  /** Relative to the working directory, as for -f. */
  readonly paths: readonly string[];
  readonly variables: GivenValues;
  readonly varFiles: readonly string[];
  readonly baseUrlEnv: string;
  readonly apiKeyEnv: string;
  /** Where its name is given: the place of every problem that has none of its own. */
  readonly range: SourceRange;
}

export interface FleetFile {
  readonly entries: readonly FleetEntry[];
  readonly policies: readonly string[];
  /** Full paths of the fleet file, variable files and policies: a folder or a pattern does not name them as manifests. */
  readonly notManifests: ReadonlySet<string>;
}

export interface FleetInput {
  /** Path of the file, relative to the working directory. */
  readonly name: string;
  readonly text: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders and manifest files that a pattern matches; throws `FileError`. */
  readonly stacksLike: (pattern: string) => readonly string[];
  /** True for paths that a fleet file may name; whoever writes the file must not read everything. */
  readonly isAllowed: (path: string) => boolean;
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
  const reader = new FleetReader(input, file, found);
  if (isEmpty) reader.report('empty-file', [], NO_STACKS);
  const value = reader.read();
  return { value, diagnostics: sortDiagnostics(found) };
}

const NO_STACKS = {
  message: 'the fleet file has no stacks',
  fix: 'write `version: 1`, and below `stacks:` a `name` and a `path` for each',
};

function listOf(json: Json | undefined): readonly Json[] {
  return json !== undefined && isList(json) ? json : [];
}

/** Keys whose texts name no file, or manifests. */
const NO_FILES = new Set(['name', 'path', 'each', 'variables', 'base_url_env', 'api_key_env']);

/** The texts below all other keys, also those that are misspelt: a file that one names is no manifest. */
function filesIn(json: Json): string[] {
  if (typeof json === 'string') return [json];
  if (isList(json)) return json.flatMap(filesIn);
  if (!isObject(json)) return [];
  return Object.entries(json).flatMap(([key, value]) => (NO_FILES.has(key) ? [] : filesIn(value)));
}

/** The entries of one document; problems go to a list. */
class FleetReader {
  readonly #input: FleetInput;
  readonly #file: ParsedFile;
  readonly #places: SourceMap;
  readonly #found: Diagnostic[];
  readonly #listed: readonly string[];

  constructor(input: FleetInput, file: ParsedFile, found: Diagnostic[]) {
    this.#input = input;
    this.#file = file;
    this.#places = buildSourceMap([file]);
    this.#found = found;
    this.#listed = (input.env[CREDENTIALS] ?? '').split(',').flatMap((name) => name.trim() || []);
  }

  report(code: Code, path: Path, words: ProblemText): void {
    this.#found.push(this.#places.error(code, path, words));
  }

  read(): FleetFile {
    const { name, cwd } = this.#input;
    const document = isObject(this.#file.json) ? this.#file.json : {};
    const given = listOf(document['stacks']).map((one) => (isObject(one) ? one : {}));
    const isWhole = this.#file.unknownValues.isWhole(['stacks']);
    if (given.length === 0 && isWhole && document['stacks'] !== undefined)
      this.report('bad-fleet', ['stacks'], NO_STACKS);
    const policies = this.#pathsIn(document['policies'], ['policies']);
    const notManifests = new Set([
      resolve(cwd, name),
      ...filesIn(document).map((file) => resolve(cwd, dirname(name), file)),
    ]);
    const entries: FleetEntry[] = [];
    let patterns = 0;
    for (const [index, one] of given.entries()) {
      const at = ['stacks', String(index)];
      const isOver = 'each' in one && ++patterns > MAX_EACH;
      if (isOver)
        this.#tooMany([...at, 'each'], `${MAX_EACH} patterns`, 'use fewer patterns, such as `each: teams/*/*`');
      const before = this.#found.length;
      const shared = this.#sharedBy(one, at);
      // What is wrong in a stack because of a mistake here would be reported in vain.
      const isRight = this.#found.length === before && this.#file.unknownValues.isWhole(at);
      const stacks = isOver ? [] : this.#stacksOf(one, at, notManifests);
      const left = MAX_STACKS - entries.length;
      for (const stack of isRight ? stacks.slice(0, left) : []) entries.push({ ...stack, ...shared });
      if (stacks.length <= left) continue;
      this.#tooMany(at, `${MAX_STACKS} stacks`, 'split the fleet');
      break;
    }
    return { entries: this.#firstOfEachName(entries), policies, notManifests };
  }

  #tooMany(path: Path, what: string, fix: string): void {
    this.report('too-large', path, { message: `the fleet has more than ${what}`, fix });
  }

  /** The text at a path, unless it is wrong already. */
  #text(json: Json | undefined, path: Path): string | undefined {
    return typeof json === 'string' && !this.#file.unknownValues.has(path) ? json : undefined;
  }

  /** A path of the file, from the working directory; undefined if it is refused. */
  #path(json: Json | undefined, path: Path): string | undefined {
    const text = this.#text(json, path);
    if (text === undefined) return undefined;
    const full = isAbsolute(text) ? text : join(dirname(this.#input.name), text);
    return this.#isAllowed(full, path) ? full : undefined;
  }

  #isAllowed(full: string, path: Path): boolean {
    const isAllowed = this.#input.isAllowed(full);
    if (!isAllowed)
      this.report('file-outside-root', path, {
        message: `${JSON.stringify(full)} is outside the folder of the fleet file and the working directory`,
        fix: 'move it below one of them',
      });
    return isAllowed;
  }

  #pathsIn(json: Json | undefined, path: Path): string[] {
    return listOf(json).flatMap((one, index) => this.#path(one, [...path, String(index)]) ?? []);
  }

  #stacksOf(given: JsonObject, at: Path, notManifests: ReadonlySet<string>): Pick<FleetEntry, 'name' | 'paths'>[] {
    if (!('each' in given)) {
      const [name, path] = [this.#text(given['name'], [...at, 'name']), this.#path(given['path'], [...at, 'path'])];
      return name === undefined || path === undefined ? [] : [{ name, paths: [path] }];
    }
    for (const key of ['name', 'path'].filter((one) => one in given)) {
      const words = { message: `an entry with \`each\` has no \`${key}\``, fix: `remove \`${key}\`, or \`each\`` };
      this.#found.push(this.#places.errorAtKey('bad-fleet', [...at, key], words));
    }
    const here = [...at, 'each'];
    const pattern = this.#path(given['each'], here);
    return pattern === undefined ? [] : this.#matches(pattern, here, notManifests);
  }

  #matches(pattern: string, at: Path, notManifests: ReadonlySet<string>): Pick<FleetEntry, 'name' | 'paths'>[] {
    const { stacksLike, cwd } = this.#input;
    try {
      const paths = stacksLike(pattern).filter((path) => !notManifests.has(resolve(cwd, path)));
      if (paths.length === 0) {
        const message = `${JSON.stringify(pattern)} matches no folder and no YAML or JSON file`;
        this.report('bad-fleet', at, { message, fix: 'check the pattern' });
      }
      return paths.filter((path) => this.#isAllowed(path, at)).flatMap((path) => this.#named(path, at));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const message = `${JSON.stringify(pattern)} cannot be read: ${reasonOf(error)}`;
      this.report('file-unreadable', at, { message, fix: 'check the pattern and the permissions of its folder' });
      return [];
    }
  }

  #named(path: string, at: Path): Pick<FleetEntry, 'name' | 'paths'>[] {
    const name = basename(path, /^\.(?:ya?ml|json)$/i.test(extname(path)) ? extname(path) : '');
    if (isStackName(name)) return [{ name, paths: [path] }];
    this.report('bad-fleet', at, {
      message: `the entry for ${JSON.stringify(path)} cannot be named after it`,
      expected: 'lower-case letters, digits and hyphens, at most 63, not starting with a hyphen',
      fix: 'rename it, or write an entry with `name` and `path`',
    });
    return [];
  }

  /** What all stacks of an entry have in common. */
  #sharedBy(given: JsonObject, at: Path) {
    const { variables } = given;
    const places = this.#places;
    const values = Object.entries(isObject(variables) ? variables : {}).map(([name, value]) => {
      const numberText = (below: Path) => places.numberText([...at, 'variables', name, ...below]);
      return [name, givenValue(value, numberText) ?? ''] as const;
    });
    const [baseUrlEnv, apiKeyEnv] = [
      this.#credential(given, 'base_url_env', at),
      this.#credential(given, 'api_key_env', at),
    ];
    if (this.#listed.includes(baseUrlEnv) && apiKeyEnv === DEFAULT_CREDENTIALS.api_key_env)
      this.report('foreign-credential', [...at, 'base_url_env'], {
        message: `the key in ${apiKeyEnv} would be sent to the address in ${baseUrlEnv}`,
        fix: 'name the key of that service with `api_key_env`',
      });
    return {
      variables: new Map(values),
      varFiles: this.#pathsIn(given['var_files'], [...at, 'var_files']),
      baseUrlEnv,
      apiKeyEnv,
      range: places.value([...at, 'each' in given ? 'each' : 'name']),
    };
  }

  /** Each key has a default of its own, so that the usual key is never sent as an address. */
  #credential(given: JsonObject, key: keyof typeof DEFAULT_CREDENTIALS, at: Path): string {
    const usable = [DEFAULT_CREDENTIALS[key], ...this.#listed];
    const name = this.#text(given[key], [...at, key]) ?? DEFAULT_CREDENTIALS[key];
    if (!usable.includes(name))
      this.report('foreign-credential', [...at, key], {
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
        this.#found.push({
          code: 'bad-fleet',
          severity: 'error',
          message: `two entries have the name ${entry.name}`,
          range: entry.range,
          fix: 'rename one of them',
          related: [{ message: 'first given here', range: other.range }],
        });
    }
    return [...first.values()];
  }
}
