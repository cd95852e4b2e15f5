// The stacks of one entry of a fleet file: one, or one for each match of a pattern, with the names that they have.

import { basename, extname, resolve } from 'node:path';
import { isStackName, STACK_FORM } from '../catalog/address.ts';
import type { SourceRange } from '../core/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject, type Path } from '../core/json.ts';
import { nameForShells } from '../core/text/name-of-shells.ts';
import { FileError, reasonOf } from '../platform/file-error.ts';
import { EACH_NAME } from '../schema/fleet-schema.ts';
import type { FleetDocument } from './fleet-document.ts';

/** The name that a manifest must have, and where the fleet file says so. */
export interface NamedStack {
  readonly name: string;
  readonly range: SourceRange;
}

/** What the stacks of an entry do not share. */
export interface EntryStack {
  readonly name: string;
  /** Relative to the working directory, as for -f. */
  readonly paths: readonly string[];
  /** Undefined where any name will do. */
  readonly stack: NamedStack | undefined;
  /** The environment variable for the value of each variable that has one of its own. */
  readonly variablesEnv: ReadonlyMap<string, string>;
  /** Its name as the entry has it. */
  readonly pattern: string;
}

interface EntryPlace {
  readonly given: JsonObject;
  readonly at: Path;
  readonly document: FleetDocument;
}

/** The stacks; `notManifests` are full paths that no pattern matches. */
export function stacksOf(entry: EntryPlace, notManifests: ReadonlySet<string>): EntryStack[] {
  const { given, at, document } = entry;
  if (!('each' in given)) {
    const [name, paths] = [document.text(given['name'], [...at, 'name']), pathsOf(given['path'], at, document)];
    return name === undefined || paths.length === 0 ? [] : [{ name, paths, pattern: name, ...namesIn(entry, '') }];
  }
  if ('path' in given) {
    const words = { message: 'an entry with `each` has no `path`', fix: 'remove `path`, or `each`' };
    document.found.push(document.places.errorAtKey('bad-fleet', [...at, 'path'], words));
  }
  const here = [...at, 'each'];
  const pattern = document.path(given['each'], here);
  const matches = pattern === undefined ? [] : matchesOf(pattern, here, document, notManifests);
  return matches.flatMap((path) => stackAt(path, entry));
}

const NO_PATHS = {
  message: 'path is an empty list',
  expected: 'at least one file, folder or pattern',
  fix: 'name the manifest of the stack',
};

/** One path, or a list of them. */
function pathsOf(json: Json | undefined, at: Path, document: FleetDocument): readonly string[] {
  const here = [...at, 'path'];
  if (json !== undefined && isList(json)) {
    if (json.length === 0) document.report('wrong-value', here, NO_PATHS);
    return document.paths(json, here);
  }
  const path = document.path(json, here);
  return path === undefined ? [] : [path];
}

function matchesOf(
  pattern: string,
  at: Path,
  document: FleetDocument,
  notManifests: ReadonlySet<string>,
): readonly string[] {
  const { stacksLike, cwd } = document.input;
  try {
    const paths = stacksLike(pattern).filter((path) => !notManifests.has(resolve(cwd, path)));
    if (paths.length === 0) {
      const message = `${JSON.stringify(pattern)} matches no folder and no YAML or JSON file`;
      document.report('bad-fleet', at, { message, fix: 'check the pattern' });
    }
    return paths.filter((path) => document.isAllowed(path, at));
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const message = `${JSON.stringify(pattern)} cannot be read: ${reasonOf(error)}`;
    document.report('file-unreadable', at, { message, fix: 'check the pattern and the permissions of its folder' });
    return [];
  }
}

/** The stack of a match, which is named after the last part of its path. */
function stackAt(path: string, entry: EntryPlace): EntryStack[] {
  const { given, at, document } = entry;
  const last = basename(path, /^\.(?:ya?ml|json)$/i.test(extname(path)) ? extname(path) : '');
  const pattern = 'name' in given ? document.text(given['name'], [...at, 'name']) : EACH_NAME;
  // A wrong one is reported already.
  if (pattern === undefined) return [];
  const name = filledIn(pattern, last);
  if (isStackName(name)) return [{ name, paths: [path], pattern, ...namesIn(entry, last) }];
  document.report('bad-fleet', [...at, 'each'], {
    message: `the entry for ${JSON.stringify(path)} cannot be named after it`,
    expected: STACK_FORM,
    fix: 'rename it, or write an entry with `name` and `path`',
  });
  return [];
}

/** What an entry names for a stack besides its own name. */
function namesIn(entry: EntryPlace, last: string): Pick<EntryStack, 'stack' | 'variablesEnv'> {
  return { stack: stackNamed(entry, last), variablesEnv: environmentOf(entry, last) };
}

/** No shell sets a name with a hyphen. */
function environmentOf({ given, at, document }: EntryPlace, last: string): EntryStack['variablesEnv'] {
  const section = given['variables_env'];
  const named = Object.entries(section !== undefined && isObject(section) ? section : {}).flatMap(
    ([variable, name]) => {
      const text = document.text(name, [...at, 'variables_env', variable]);
      return text === undefined ? [] : [[variable, text.replaceAll(EACH_NAME, () => nameForShells(last))] as const];
    },
  );
  return new Map(named);
}

function stackNamed({ given, at, document }: EntryPlace, last: string): NamedStack | undefined {
  const here = [...at, 'stack'];
  const name = document.text(given['stack'], here);
  return name === undefined ? undefined : { name: filledIn(name, last), range: document.places.value(here) };
}

function filledIn(pattern: string, last: string): string {
  return pattern.replace(EACH_NAME, () => last);
}
