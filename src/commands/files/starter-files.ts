// The files of `init`: a first manifest, a .gitignore, and CI files at the root of the git repository. Writes all of
// them, or none and exit code 4 if one exists; CI files for a named stack are written beside its manifest.

import { isStackName } from '../../catalog/address.ts';
import { topLevelKinds } from '../../catalog/lookup.ts';
import { collectAll, Failure, usageError } from '../../core/failure.ts';
import { trimEndOf, trimStartOf } from '../../core/text/trim.ts';
import { tryTo } from '../../core/try.ts';
import { DEFAULT_FLEET_FILE } from '../../fleet/load-entry.ts';
import { pathsNamed } from '../../manifest/manifest-paths.ts';
import { pathTypeAt, isTaken } from '../../platform/paths.ts';
import { failOnFileError } from '../../platform/problem.ts';
import { filesBelow, readText } from '../../platform/read.ts';
import { writeNew } from '../../platform/shared.ts';
import { COPIES, pipelineText, type Pipeline } from '../../render/scaffold/pipelines.ts';
import { IGNORED, starterFleet as fleetOf, starterManifest } from '../../render/scaffold/starter.ts';
import type { Settings } from '../options/settings.ts';
import { dirname, join, basename, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const MANIFEST = 'edgeform.yaml';
const MANIFEST_FOLDER = 'edgeform';
const FLEET = DEFAULT_FLEET_FILE;
const IGNORE_FILE = '.gitignore';
const IGNORES = `# edgeform: journals, and tokens of API keys\n${IGNORED.join('\n')}\n`;

interface NewFile {
  readonly path: string;
  readonly text: string;
}

type StarterSettings = Pick<Settings, 'starterStack' | 'starterFleet' | 'ci' | 'copyActions'>;

/** Writes into the folder; returns the stack's name and the paths relative to `cwd`, the manifest first; a .gitignore only where there is none. */
export function writeStarter(
  folder: string,
  cwd: string,
  { starterStack: given, starterFleet, ci, copyActions }: StarterSettings,
  version: string,
) {
  const stack = stackOf(given, folder);
  if (copyActions && ci === undefined) throw usageError('--copy-actions needs --ci', 'add --ci github or --ci gitlab');
  const packages = packagesFrom(folder, cwd);
  const isKept = ci !== undefined && given !== undefined && !starterFleet && hasManifest(folder);
  const files: NewFile[] = [
    ...(isKept ? [] : [{ path: MANIFEST, text: starterManifest(stack, topLevelKinds, packages) }]),
    ...(starterFleet ? [{ path: FLEET, text: fleetOf(stack, packages) }] : []),
    ...pipelineOf(ci, folder, { version, stack, isCopied: copyActions, ...(starterFleet && { fleet: FLEET }) }),
  ];
  rejectExisting(folder, [...files.map((file) => file.path), ...(isKept ? [] : [MANIFEST_FOLDER])], cwd);
  // One that is there is the user's, and may be anything.
  const ignores = exists(join(folder, IGNORE_FILE)) ? [] : [{ path: IGNORE_FILE, text: IGNORES }];
  const written = [...files, ...ignores].map(({ path, text }) => ({ path: join(folder, path), text }));
  failOnFileError(() => {
    for (const { path, text } of written) writeNew(path, text);
  });
  return { stack, files: written.map(({ path }) => relative(cwd, path)), isKept, isIgnoring: ignores.length > 0 };
}

/** As far as `-f` would read it by default. */
function hasManifest(folder: string): boolean {
  if (exists(join(folder, MANIFEST))) return pathTypeAt(join(folder, MANIFEST)) === 'file';
  return pathTypeAt(join(folder, MANIFEST_FOLDER)) === 'folder' && pathsNamed(MANIFEST_FOLDER, folder).length > 0;
}

/** The given name, or one derived from the folder's name. */
function stackOf(given: string | undefined, folder: string): string {
  if (given !== undefined) {
    if (isStackName(given)) return given;
    throw usageError('--stack takes at most 63 lower-case letters, digits and hyphens', 'for example --stack shop');
  }
  const words = basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const name = trimEndOf(trimStartOf(words, '-').slice(0, 63), '-');
  return name === '' ? 'main' : name;
}

/** CI services only read files in the repository's root. */
function pipelineOf(ci: string | undefined, folder: string, about: Pipeline): NewFile[] {
  if (ci === undefined) return [];
  const root = repositoryOf(folder);
  const place = relative(root, folder).replaceAll('\\', '/');
  // The component's inputs become job variables, where these characters would end the text or start a variable.
  if (ci === 'gitlab' && /["'$\\\p{C}]/u.test(place))
    throw usageError('a pipeline for GitLab cannot name a folder with quotes, $ or control characters', 'rename it');
  const inRoot = ({ path, text }: NewFile) => ({ path: relative(folder, join(root, path)), text });
  const path = ci === 'github' ? '.github/workflows/edgeform.yml' : '.gitlab-ci.yml';
  const copies = about.isCopied ? copiesFor(ci, about) : [];
  return [{ path, text: pipelineText(ci, about, place) }, ...copies].map(inRoot);
}

/** Our actions or our template, with their licence and version, for a repository that cannot or must not use the published ones. */
function copiesFor(ci: string, { version, fleet }: Pipeline): NewFile[] {
  const to = COPIES[ci === 'github' ? 'github' : 'gitlab'];
  const files = ci === 'github' ? packageFiles('.github/actions') : packageFiles('templates/edgeform');
  if (ci === 'gitlab' && fleet !== undefined)
    files.push({ path: 'fleet.yml', text: packageFile('templates/edgeform-fleet.yml') });
  return [
    ...files.map(({ path, text }) => ({ path: `${to}/${path}`, text })),
    { path: `${to}/LICENSE`, text: packageFile('LICENSE') },
    { path: `${to}/VERSION`, text: `edgeform ${version}\n` },
  ];
}

/** The nearest parent folder with a git repository, or this one. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** The path of the installed packages, relative to the folder. */
function packagesFrom(folder: string, cwd: string): string {
  const up = relative(folder, cwd).replaceAll('\\', '/');
  return `${/^\.\.(?:\/\.\.)*$/.test(up) ? up : '.'}/node_modules`;
}

function rejectExisting(folder: string, paths: readonly string[], cwd: string): void {
  const existing = paths.filter((path) => exists(join(folder, path)));
  collectAll(existing, (path) => {
    const message = `${JSON.stringify(relative(cwd, join(folder, path)))} already exists; nothing was written`;
    const isManifest = [MANIFEST, MANIFEST_FOLDER].includes(path);
    const more = isManifest ? '; with its --stack NAME, --ci adds a pipeline to it' : '';
    throw Failure.of('invalid', 'file-exists', message, `move it, or choose another directory${more}`);
  });
}

/** Also true for a dangling symbolic link. */
function exists(path: string): boolean {
  // It cannot be determined if a parent is a file.
  return tryTo(() => isTaken(path)) ?? true;
}

const LIMIT = { maxBytes: 1024 * 1024 };
const MOST_FILES = 100;

/** The nearest folder above this file that has a package.json. */
function packageRoot(): string {
  let at = dirname(fileURLToPath(import.meta.url));
  while (pathTypeAt(join(at, 'package.json')) !== 'file' && dirname(at) !== at) at = dirname(at);
  return at;
}

/** The files below a folder of the package, by their path from it. */
function packageFiles(path: string): NewFile[] {
  const root = join(packageRoot(), path);
  return filesBelow(root, MOST_FILES)
    .sort()
    .map((file) => ({ path: file.slice(root.length + 1).replaceAll('\\', '/'), text: readText(file, LIMIT) }));
}

function packageFile(path: string): string {
  return readText(join(packageRoot(), path), LIMIT);
}
