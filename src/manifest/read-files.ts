// Finds and reads manifest files: files, directories, glob patterns, standard input.

import { basename, dirname, resolve } from 'node:path';
import { STANDARD_INPUT, type Diagnostic, type Result } from '../core/diagnostic.ts';
import { hasWildcard } from '../core/text/glob.ts';
import { descriptorOf } from '../platform/paths.ts';
import { decodeText } from '../platform/read.ts';
import { ON_DISK, type SourceFiles, type Sources } from '../platform/source-files.ts';
import { defaultManifest } from './default-manifest.ts';
import { fixedPart, isBelow, pathsNamed, placeOf } from './manifest-paths.ts';
import { problem, readBelow, readFile, unreadable, type Below } from './read-text.ts';
import { MAX_FILE_BYTES, MAX_TOTAL_BYTES } from './text/preflight.ts';

/** A file that was read. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

export interface ManifestFiles {
  readonly files: readonly TextFile[];
  /** Files that are laid over them, in this order. */
  readonly overlays: readonly TextFile[];
  /** True when some files could not be read, so that their content is unknown. */
  readonly isPartial: boolean;
  /** Reads a text file that a manifest refers to: relative to the manifest file, and only below its root. */
  readonly readFile: ReadInline;
}

/** `path` as written, and the name of the manifest file that contains it. */
export type ReadInline = (path: string, from: string) => Result<string>;

const MAX_INLINE_BYTES = 1024 * 1024;

/** Reads input that is not a file in a folder: standard input for `-`, and pipes from the shell. Undefined for other paths. */
export type ReadPipe = (path: string, maxBytes: number) => Promise<Uint8Array> | undefined;

interface ReadOptions {
  readonly readPipe?: ReadPipe;
  /** Told of each file. */
  readonly note?: (path: string) => unknown;
  /** Full paths of files that a folder or a pattern does not name. */
  readonly except?: ReadonlySet<string>;
  /** Files that are laid over the manifest: each is one file, and their `${file:}` are relative to the manifest. */
  readonly overlays?: readonly string[];
  /** Where the files are; by default on the disk. */
  readonly sources?: Sources;
}

const USUAL: Required<ReadOptions> = {
  readPipe: () => undefined,
  note: () => undefined,
  except: new Set(),
  overlays: [],
  sources: ON_DISK,
};

/**
 * Reads the files named by `-f`, or the default ones, and records each. Returns whatever could be read, even if some could not.
 * The result is a part of `LoadInput`, with a `readFile` that stays inside the manifest's folder.
 */
export async function readManifestFiles(
  paths: readonly string[],
  cwd: string,
  options: ReadOptions = {},
): Promise<Result<ManifestFiles>> {
  const { note, sources, ...rest } = { ...USUAL, ...options };
  const usual = paths.length > 0 ? undefined : defaultManifest(cwd, sources.files);
  if (usual !== undefined && usual.value === undefined) return { diagnostics: usual.diagnostics };
  const given = usual?.value === undefined ? paths : [usual.value];
  const { found, written, laid, diagnostics } = await readAll({ given, paths }, cwd, { note, sources, ...rest });
  if (sizeOf([...written, ...laid]) > MAX_TOTAL_BYTES) return { diagnostics: [...diagnostics, TOO_LARGE] };
  if (written.length === 0) return { diagnostics };
  const bases = new Map(found.map(({ name, root }) => [shownName(name), baseOf(name, root, cwd)]));
  const readFile: ReadInline = (path, from) => readBeside(path, bases.get(from), { note, values: sources.values });
  return { value: { files: written, overlays: laid, isPartial: diagnostics.length > 0, readFile }, diagnostics };
}

interface NamedPaths {
  readonly given: readonly string[];
  /** Those that the user has named. */
  readonly paths: readonly string[];
}

/** The files of the manifest, and then those of the overlays. */
async function readAll(
  { given, paths }: NamedPaths,
  cwd: string,
  { readPipe, note, except, overlays, sources: { files } }: Required<ReadOptions>,
) {
  const unfound: Diagnostic[] = [];
  const found = findAll(given, { cwd, except, files }, unfound);
  files.expect([...found.map(({ name }) => name), ...overlays].map((name) => resolve(cwd, name)));
  const written = await readEach(found, { cwd, note }, ({ name, root }) => {
    const full = resolve(cwd, name);
    return paths.includes(name)
      ? readGiven({ name, full, by: '-f' }, { readPipe, files })
      : readFound(name, { root, full }, files);
  });
  const laid = await readEach(
    overlays.map((name) => ({ name })),
    { cwd, note },
    ({ name }) => readGiven({ name, full: resolve(cwd, name), by: '--overlay' }, { readPipe, files }),
  );
  const diagnostics = [...unfound, ...written.diagnostics, ...laid.diagnostics];
  return { found, written: written.files, laid: laid.files, diagnostics };
}

const TOO_LARGE = problem('file-too-large', 'the manifest files are larger than 16 MiB in all', 'split the stack');

function sizeOf(files: readonly TextFile[]): number {
  return files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
}

function shownName(name: string): string {
  return name === '-' ? STANDARD_INPUT : name;
}

interface ReadFiles {
  readonly files: readonly TextFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Records and reads each; whatever could be read, even if some could not. */
async function readEach<File extends Pick<FoundFile, 'name'>>(
  found: readonly File[],
  { cwd, note }: Required<Pick<ReadOptions, 'note'>> & { readonly cwd: string },
  read: (file: File) => Result<string> | Promise<Result<string>>,
): Promise<ReadFiles> {
  const files: TextFile[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of found) {
    const name = shownName(file.name);
    note(file.name === '-' ? '/dev/stdin' : resolve(cwd, file.name));
    const { value, diagnostics: problems } = await read(file);
    diagnostics.push(...problems.map((one) => atStart(one, name)));
    if (value !== undefined) files.push({ name, text: value });
  }
  return { files, diagnostics };
}

function atStart(problem: Diagnostic, file: string): Diagnostic {
  return { ...problem, range: { file, line: 1, column: 1, endLine: 1, endColumn: 1 } };
}

/** Where a manifest's `${file:…}` paths are resolved. */
interface Base {
  /** Nothing outside it is read. */
  readonly root: string;
  /** Paths are relative to it. */
  readonly folder: string;
}

function baseOf(name: string, root: string, cwd: string): Base {
  return { root, folder: name === '-' ? cwd : folderOf(resolve(cwd, name), cwd) };
}

interface FoundFile {
  readonly name: string;
  readonly root: string;
}

/** Every file named, once, with the root of the first path that names it. */
function findAll(given: readonly string[], from: Finding, diagnostics: Diagnostic[]): FoundFile[] {
  const found = new Map<string, FoundFile>();
  for (const path of given)
    for (const name of path === '-' ? ['-'] : findFiles(path, from, diagnostics))
      if (!found.has(name)) found.set(name, { name, root: rootOf(path, from) });
  return [...found.values()];
}

/** Pipes and the like have no folder. */
function folderOf(full: string, cwd: string): string {
  return descriptorOf(full) === undefined ? dirname(full) : cwd;
}

/** A path of an option. */
interface GivenPath {
  readonly name: string;
  readonly full: string;
  readonly by: '-f' | '--overlay';
}

interface GivenSource {
  readonly readPipe: ReadPipe;
  readonly files: SourceFiles;
}

async function readGiven({ name, full, by }: GivenPath, { readPipe, files }: GivenSource): Promise<Result<string>> {
  const shown = name === '-' ? `${by} -` : JSON.stringify(name);
  try {
    const bytes = readPipe(name === '-' ? name : full, MAX_FILE_BYTES);
    if (bytes !== undefined) return { value: decodeText(full, await bytes), diagnostics: [] };
  } catch (error) {
    return { diagnostics: [unreadable(error, shown, MAX_FILE_BYTES)] };
  }
  return readFile(full, { shown, maxBytes: MAX_FILE_BYTES, files });
}

/** Reads a file found in a folder or by a pattern; a symbolic link in a repository must not expose files elsewhere. */
function readFound(name: string, place: Below, files: SourceFiles): Result<string> {
  const shown = JSON.stringify(name);
  const message = `${shown} is a link to a file outside the manifest’s folder`;
  const refused = problem('file-outside-root', message, 'move it into that folder, or name it with -f');
  return readBelow(place, { refused, shown, maxBytes: MAX_FILE_BYTES, files });
}

/** True if the path exists; other errors are reported when it is read. */
function isThere(path: string, files: SourceFiles): boolean {
  return placeOf(path, files) !== 'nothing';
}

function rootOf(path: string, { cwd, files }: Pick<Finding, 'cwd' | 'files'>): string {
  const full = resolve(cwd, path);
  if (path === '-' || descriptorOf(full) !== undefined) return cwd;
  if (placeOf(full, files) === 'folder') return full;
  return hasWildcard(path) ? resolve(cwd, fixedPart(path)) : dirname(full);
}

type Finding = { readonly cwd: string; readonly files: SourceFiles } & Required<Pick<ReadOptions, 'except'>>;

function findFiles(path: string, { cwd, except, files }: Finding, diagnostics: Diagnostic[]): string[] {
  try {
    const found = pathsNamed(path, cwd, files).filter((name) => name === path || !except.has(resolve(cwd, name)));
    if (found.length > 0) return found;
  } catch (error) {
    diagnostics.push(unreadable(error, JSON.stringify(path), MAX_FILE_BYTES));
    return [];
  }
  const fix = 'check the path; a missing manifest is never read as "delete everything"';
  diagnostics.push(problem('file-unreadable', `${JSON.stringify(path)} matches no manifest file`, fix));
  return [];
}

interface Beside {
  readonly note: (path: string) => unknown;
  readonly values: SourceFiles;
}

/** `${file:}`: the real path must be below the root, symbolic links resolved. */
function readBeside(path: string, base: Base | undefined, { note, values: files }: Beside): Result<string> {
  const refused = problem(
    'file-outside-root',
    `${JSON.stringify(path)} is outside the manifest’s folder`,
    'move it into that folder',
  );
  if (base === undefined) return { diagnostics: [refused] };
  const { root, folder } = base;
  const full = resolve(folder, path);
  if (!isBelow(resolve(root), full)) return { diagnostics: [refused] };
  note(full);
  if (!isThere(full, files)) {
    const message = `${JSON.stringify(path)} does not exist in ${JSON.stringify(basename(folder))}, the folder of the manifest file`;
    return { diagnostics: [problem('file-unreadable', message, 'check the path after `file:`')] };
  }
  return readBelow({ root, full }, { refused, shown: JSON.stringify(path), maxBytes: MAX_INLINE_BYTES, files });
}
