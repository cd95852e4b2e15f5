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
import { readText } from '../../platform/read.ts';
import { checkoutAbove, type Git } from '../../platform/git.ts';
import { writeNew } from '../../platform/shared.ts';
import { COPIES, type Pipeline } from '../../render/scaffold/pipeline.ts';
import { pipelineText } from '../../render/scaffold/pipelines.ts';
import { IGNORED, starterFleet as fleetOf, starterManifest } from '../../render/scaffold/starter.ts';
import type { Settings } from '../options/settings.ts';
import { fleetNeeds } from './fleet-needs.ts';
import { defaultBranch, manifestNeeds } from './pipeline-needs.ts';
import { packageFile, packageFiles, type NewFile, releasedCommit } from './package-files.ts';
import { schemaPlace, type SchemaPlace } from './schema-place.ts';
import { join, basename, relative } from 'node:path';

const MANIFEST = 'edgeform.yaml';
const MANIFEST_FOLDER = 'edgeform';
const FLEET = DEFAULT_FLEET_FILE;
const IGNORE_FILE = '.gitignore';
const IGNORES = `# edgeform: journals, and tokens of API keys\n${IGNORED.join('\n')}\n`;

const LIMIT = { maxBytes: 1024 * 1024 };

type StarterSettings = Pick<
  Settings,
  'starterStack' | 'starterFleet' | 'starterWaves' | 'starterProposal' | 'ci' | 'copyActions'
>;

export interface WrittenStarter {
  readonly stack: string;
  /** Relative to the working directory, the manifest first. */
  readonly files: readonly string[];
  /** The manifest or the fleet file was there before, and was left alone. */
  readonly isKept: boolean;
  /** Wrote a .gitignore, because there was none. */
  readonly isIgnoring: boolean;
  /** What writes the schemas that the new files name and that do not exist yet. */
  readonly schemaCommands: readonly string[];
}

/** What the new files are for. */
interface Starter {
  readonly folder: string;
  readonly stack: string;
  readonly settings: StarterSettings;
  /** The manifest or the fleet file that is there stays, and gets a pipeline. */
  readonly isKept: boolean;
}

/** Writes into the folder. */
export async function writeStarter(
  folder: string,
  cwd: string,
  settings: StarterSettings,
  source: { readonly version: string; readonly git: Git },
): Promise<WrittenStarter> {
  const stack = stackOf(settings.starterStack, folder);
  rejectLonely(settings);
  const addsPipeline = settings.ci !== undefined && settings.starterStack !== undefined;
  const isThere = () => (settings.starterFleet ? hasFleet(folder) : hasManifest(folder));
  const starter = { folder, stack, settings, isKept: addsPipeline && isThere() };
  const { files, schemas } = manifestFiles(starter);
  files.push(...pipelineOf(settings.ci, folder, await aboutPipeline(starter, source)));
  rejectTaken(starter, files, cwd);
  // One that is there is the user's, and may be anything.
  const isIgnoring = !exists(join(folder, IGNORE_FILE));
  if (isIgnoring) files.push({ path: IGNORE_FILE, text: IGNORES });
  failOnFileError(() => {
    for (const { path, text } of files) writeNew(join(folder, path), text);
  });
  return {
    stack,
    files: files.map(({ path }) => relative(cwd, join(folder, path))),
    isKept: starter.isKept,
    isIgnoring,
    schemaCommands: schemas.flatMap(({ written: command }) => command ?? []),
  };
}

/** The manifest unless one is kept, the fleet file if asked for, and the schemas that they name. */
function manifestFiles({ folder, stack, settings, isKept }: Starter) {
  const files: NewFile[] = [];
  const schemas: SchemaPlace[] = [];
  if (!isKept) {
    const schema = schemaPlace('manifest', folder);
    schemas.push(schema);
    files.push({ path: MANIFEST, text: starterManifest(stack, topLevelKinds, schema.path) });
  }
  if (settings.starterFleet && !isKept) {
    const schema = schemaPlace('fleet', folder);
    schemas.push(schema);
    files.push({ path: FLEET, text: fleetOf(stack, schema.path) });
  }
  return { files, schemas };
}

/** What a pipeline needs to know of its stack and repository. */
async function aboutPipeline(
  { folder, stack, settings, isKept }: Starter,
  { version, git }: { readonly version: string; readonly git: Git },
): Promise<Pipeline> {
  return {
    version,
    commit: releasedCommit(),
    stack,
    isCopied: settings.copyActions,
    proposesDrift: settings.starterProposal,
    ...(settings.starterFleet && { fleet: FLEET, hasWaves: settings.starterWaves }),
    ...(isKept && { needs: await (settings.starterFleet ? fleetNeeds(folder, FLEET) : manifestNeeds(folder, stack)) }),
    ...(settings.ci === 'github' && { branch: await defaultBranch(repositoryOf(folder), git) }),
  };
}

/** Fails with all files that are there already; beside a manifest that is kept, a folder of manifests may be. */
function rejectTaken({ folder, stack, isKept }: Starter, files: readonly NewFile[], cwd: string): void {
  const paths = [...files.map(({ path }) => path), ...(isKept ? [] : [MANIFEST_FOLDER])];
  rejectExisting(folder, paths, { cwd, besideOther: (path) => besideOther(path, { stack, folder, cwd, isKept }) });
}

/** Options that are of a pipeline, without one. */
function rejectLonely({ starterFleet, starterWaves, starterProposal, ci, copyActions }: StarterSettings): void {
  if (copyActions && ci === undefined) throw usageError('--copy-actions needs --ci', 'add --ci github or --ci gitlab');
  if (starterProposal && ci === undefined)
    throw usageError('--drift-pull-request needs --ci', 'add --ci github or --ci gitlab');
  if (starterWaves && (ci === undefined || !starterFleet))
    throw usageError('--waves needs --ci and --fleet', 'for example --ci github --fleet --waves');
}

function hasFleet(folder: string): boolean {
  return exists(join(folder, FLEET)) && pathTypeAt(join(folder, FLEET)) === 'file';
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
  // The component divides its inputs at blanks and quotes; $ begins a variable or an input elsewhere in such a file.
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

/** Where pipelines are written: the root of the checkout, or this folder. */
function repositoryOf(folder: string): string {
  return checkoutAbove(folder) ?? folder;
}

const OF_MANIFEST = '; with its --stack NAME, --ci adds a pipeline to it';
/** How what is there gets a pipeline. */
const ADDS_PIPELINE: ReadonlyMap<string, string> = new Map([
  [MANIFEST, OF_MANIFEST],
  [MANIFEST_FOLDER, OF_MANIFEST],
  [FLEET, '; with --fleet and --stack NAME, a name for all its stacks, --ci adds a pipeline to it'],
]);

function rejectExisting(
  folder: string,
  paths: readonly string[],
  { cwd, besideOther: beside }: { readonly cwd: string; readonly besideOther: (path: string) => string | undefined },
): void {
  const existing = paths.filter((path) => exists(join(folder, path)));
  collectAll(existing, (path) => {
    const message = `${JSON.stringify(relative(cwd, join(folder, path)))} already exists; nothing was written`;
    const more = ADDS_PIPELINE.get(path) ?? '';
    const fix = beside(join(folder, path)) ?? `move it, or choose another directory${more}`;
    throw Failure.of('invalid', 'file-exists', message, fix);
  });
}

interface Newcomer {
  readonly stack: string;
  readonly folder: string;
  readonly cwd: string;
  readonly isKept: boolean;
}

/** How a stack comes into the pipeline of another one; undefined for a file that is none, or this stack's own. */
function besideOther(path: string, { stack, folder, cwd, isKept }: Newcomer): string | undefined {
  const text = basename(path).endsWith('.yml') ? tryTo(() => readText(path, LIMIT)) : undefined;
  const line = text?.split('\n').find((one) => one.trimStart().startsWith('stack: "'));
  const other = line?.split('"')[1];
  if (other === undefined || other === stack || text?.includes('edgeform') !== true) return undefined;
  const place = relative(repositoryOf(folder), folder).replaceAll('\\', '/');
  const target = relative(cwd, folder);
  const manifest = isKept
    ? ''
    : `write its manifest with "edgeform init ${target === '' ? '.' : target} --stack ${stack}", without --ci; `;
  return `${manifest}${basename(path) === '.gitlab-ci.yml' ? secondInclude(stack, place) : matrixOf(other, stack, place)}`;
}

function matrixOf(other: string, stack: string, place: string): string {
  const matrix = `strategy: { matrix: { include: [{ stack: ${other}, folder: its folder }, { stack: ${stack}, folder: ${JSON.stringify(place === '' ? '.' : place)} }] } }`;
  const inputs = '`stack: ${{ matrix.stack }}` and `working-directory: ${{ matrix.folder }}`';
  return `the workflow is for stack ${other}: give each of its jobs \`${matrix}\`, and its action ${inputs}`;
}

function secondInclude(stack: string, place: string): string {
  const manifest = JSON.stringify(`${place === '' ? '' : `${place}/`}${MANIFEST}`);
  return `add to "include" the entry that is there once more, with inputs: { stack: ${stack}, manifest: ${manifest}, prefix: edgeform-${stack} }`;
}

/** Also true for a dangling symbolic link. */
function exists(path: string): boolean {
  // It cannot be determined if a parent is a file.
  return tryTo(() => isTaken(path)) ?? true;
}
