// Reads a fleet file, and the manifest of each entry with the existing loader. Knows the file system through `platform/`.

import { dirname, resolve } from 'node:path';
import { hasErrors, type Diagnostic, type QuotedFiles, type Result } from '../core/diagnostic.ts';
import { Suggestions } from '../core/text/closest.ts';
import { hasWildcard } from '../core/text/glob.ts';
import { tryTo } from '../core/try.ts';
import type { LoadInput, ManifestOutline } from '../manifest/load.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { fixedPart, isBelow, stacksLike } from '../manifest/manifest-paths.ts';
import { textsOf, type ManifestTexts } from '../manifest/manifest-texts.ts';
import { readManifestFiles } from '../manifest/read-files.ts';
import { MAX_FILE_BYTES } from '../manifest/text/preflight.ts';
import type { GivenValues } from '../manifest/values/given-values.ts';
import { MAX_VARIABLES_BYTES, readVarFile, type VariableEntries } from '../manifest/values/var-file.ts';
import { FileError } from '../platform/file-error.ts';
import { fileDiagnostic } from '../platform/problem.ts';
import { decodeText } from '../platform/read.ts';
import { ON_DISK, type SourceFiles, type Sources } from '../platform/source-files.ts';
import { fromNamedEnvironment, waysToGiveIn } from './entry-variables.ts';
import type { FleetInput } from './fleet-document.ts';
import { parseFleet, type FleetEntry, type FleetFile } from './fleet-file.ts';

export const DEFAULT_FLEET_FILE = 'edgeform.fleet.yaml';

type ReadFrom = Pick<FleetInput, 'cwd' | 'env'> & {
  /** Where the files are; by default on the disk. */
  readonly sources?: Sources | undefined;
};

/** The fleet, or every problem of its file; `text` is for code frames. */
export function readFleet(
  name: string,
  { sources = ON_DISK, ...from }: ReadFrom,
): Result<FleetFile> & { readonly text?: string } {
  const { cwd } = from;
  const { files } = sources;
  const read = reading(resolve(cwd, name), MAX_FILE_BYTES, files);
  const { value: text, diagnostics } = read;
  if (text === undefined) return { diagnostics: diagnostics.map((problem) => named(problem, name)) };
  const roots = [cwd, dirname(resolve(cwd, name))].map((folder) => files.throughLinks(folder));
  const isAllowed = (path: string) => {
    const place = tryTo(() => files.throughLinks(resolve(cwd, hasWildcard(path) ? fixedPart(path) : path)));
    return place !== undefined && roots.some((root) => place === root || isBelow(root, place));
  };
  const given = { ...from, name, text, isAllowed, stacksLike: (path: string) => stacksLike(path, cwd, files) };
  return { ...parseFleet(given), text };
}

/** One entry with its manifest, which is undefined if there is any error. */
export interface LoadedEntry {
  readonly entry: FleetEntry;
  readonly manifest: Manifest | undefined;
  readonly outline: ManifestOutline | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: QuotedFiles;
  /** The texts of its manifest and its overlays, and the manifest with others in their place; undefined where there are none. */
  readonly texts: ManifestTexts | undefined;
  /** Full paths of everything that was read, or should have been: manifests, overlays, variable files, `${file:}`. */
  readonly files: readonly string[];
}

interface LoadingOptions extends ReadFrom, Pick<LoadInput, 'mayLackValues'> {
  /** Values of the command line, for every stack that declares them. */
  readonly variables: GivenValues;
}

/** Loads one stack as a command with -f would; problems without a place are at the entry. */
export async function loadEntry(
  entry: FleetEntry,
  { notManifests }: Pick<FleetFile, 'notManifests'>,
  { cwd, env, variables, mayLackValues = false, sources = ON_DISK }: LoadingOptions,
): Promise<LoadedEntry> {
  const files = entry.varFiles.map((path) => resolve(cwd, path));
  const found = await readManifestFiles(entry.paths, cwd, {
    except: notManifests,
    overlays: entry.overlays,
    note: (path) => files.push(path),
    sources,
  });
  const own = valuesOf(entry, { cwd, env, source: sources.values });
  const ofVariables = { ...inputOf(own, variables, env), waysToGive: waysToGiveIn(entry) };
  const input = { ...ofVariables, mayLackValues: mayLackValues || own.diagnostics.length > 0 };
  const texts = found.value && textsOf(found.value, input);
  const loaded = texts?.reload(texts);
  // A file that was not read has no text to show.
  const unread = found.diagnostics.map((one) => ({ ...one, range: entry.range }));
  const other = loaded === undefined ? [] : otherStack(entry, loaded.outline);
  const diagnostics = [...own.diagnostics, ...unread, ...(loaded?.diagnostics ?? []), ...other].map((one) => {
    return { ...one, range: one.range ?? entry.range };
  });
  return {
    entry,
    manifest: hasErrors(diagnostics) ? undefined : loaded?.value,
    outline: loaded?.outline,
    diagnostics,
    sources: loaded?.sources ?? new Map(),
    texts,
    files,
  };
}

/** A manifest of another stack than the one that the entry names. */
function otherStack({ name, stack: wanted }: FleetEntry, { stack, stackRange }: ManifestOutline): Diagnostic[] {
  if (wanted === undefined || stack === undefined || stack === wanted.name) return [];
  return [
    {
      code: 'stack-mismatch',
      severity: 'error',
      message: `the manifest of the entry ${name} is another stack`,
      range: wanted.range,
      expected: wanted.name,
      got: stack,
      fix: 'correct the name here, or in the manifest',
      ...(stackRange && { related: [{ message: 'the manifest names its stack here', range: stackRange }] }),
    },
  ];
}

/** The names of variables whose values the entry or its files say. */
export function variablesGivenBy(entry: FleetEntry, cwd: string): ReadonlySet<string> {
  return new Set(valuesOf(entry, { cwd, env: {}, source: ON_DISK.values }).value.keys());
}

interface Outside extends Pick<ReadFrom, 'cwd' | 'env'> {
  readonly source: SourceFiles;
}

/** What the entry gives, of which its files say the least; and what it names, and the environment lacks. */
function valuesOf(entry: FleetEntry, { cwd, env, source }: Outside) {
  const { varFiles, variables } = entry;
  const read = varFiles.map((path): Result<VariableEntries> => {
    const text = reading(resolve(cwd, path), MAX_VARIABLES_BYTES, source);
    if (text.value === undefined) return { diagnostics: text.diagnostics };
    return readVarFile(`the file of variables ${JSON.stringify(path)}`, path, text.value);
  });
  const files = read.flatMap(({ value }) => value ?? []);
  const { values, withheld } = fromNamedEnvironment(entry, env);
  const ofFiles = files.filter(([name]) => !withheld.has(name));
  const value = new Map([...ofFiles, ...variables, ...values]);
  return { value, withheld, diagnostics: read.flatMap(({ diagnostics }) => diagnostics) };
}

/** Values of the command line take precedence. Not every stack declares them, so that the others get them like those of the environment. */
function inputOf(
  { value: own, withheld }: Pick<ReturnType<typeof valuesOf>, 'value' | 'withheld'>,
  shared: GivenValues,
  env: LoadInput['env'],
): Pick<LoadInput, 'variables' | 'optionalVariables' | 'withheld' | 'env'> {
  const variables = new Map([...own].map(([name, value]) => [name, shared.get(name) ?? value]));
  return { variables, optionalVariables: shared, withheld, env };
}

/** Values of the command line that no stack declares. */
export function undeclaredEverywhere(
  names: Iterable<string>,
  loaded: readonly Pick<LoadedEntry, 'outline'>[],
): Diagnostic[] {
  const outlines = loaded.map(({ outline }) => outline);
  const declared = new Set(outlines.flatMap((one) => one?.variables ?? []));
  const likely = new Suggestions(declared);
  const isDeclared = (name: string) =>
    declared.has(name) || outlines.some((one) => one?.mayHave(`variables.${name}`) ?? true);
  return [...names]
    .filter((name) => !isDeclared(name))
    .map((name) => {
      const message = `a value was given for "${name}", which no stack of the fleet declares`;
      const fix = likely.didYouMean(name) ?? 'declare it under `variables` of a manifest';
      return { code: 'unknown-variable', severity: 'error', message, fix };
    });
}

/** One that nobody named can be named. */
function named(problem: Diagnostic, name: string): Diagnostic {
  if (name !== DEFAULT_FLEET_FILE) return problem;
  return { ...problem, fix: 'run it in the folder of the fleet file, or name the file with --fleet FILE' };
}

function reading(path: string, maxBytes: number, files: SourceFiles): Result<string> {
  try {
    return { value: decodeText(path, files.read(path, { maxBytes })), diagnostics: [] };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { diagnostics: [fileDiagnostic(error)] };
  }
}
