// Loads a command's manifest before any request, and reports all of its problems together.

import type { Code } from '../../core/codes.ts';
import { hasErrors, type Diagnostic, type Result } from '../../core/diagnostic.ts';
import { Collector, Failure } from '../../core/failure.ts';
import type { LoadInput, ManifestOutline, ManifestResult } from '../../manifest/load.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { textsOf, type ManifestTexts } from '../../manifest/manifest-texts.ts';
import { buildSourceMap } from '../../manifest/source-map.ts';
import { readManifestFiles, type ManifestFiles, type ReadPipe } from '../../manifest/read-files.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import type { Found } from '../../render/view/problems.ts';
import { mistypedNames } from '../options/mistyped-names.ts';
import type { Settings } from '../options/settings.ts';
import { readPipeInput } from '../options/read-input.ts';
import { readVariables, type GivenVariables } from '../options/variables.ts';
import { checkFiles } from './check-inputs.ts';
import { renderOptionsOf, type Invocation } from './invocation.ts';

/** The manifest, or its problems and those of the variables. */
export type LoadResult = (
  | { readonly manifest: Manifest; readonly failure: undefined }
  | { readonly manifest: undefined; readonly failure: Failure }
) &
  Pick<ManifestResult, 'diagnostics' | 'sources' | 'outline' | 'plain'> &
  ManifestTexts & {
    /** Values of the command line. */
    readonly given: GivenVariables;
  };

export interface LoadOptions {
  /** True for commands that only inspect the manifest: variables need no values. */
  readonly mayLackValues: boolean;
  /** True for commands that ask a service about the stack: its name needs its variables even so, because unknown is not none. */
  readonly mustBeNamed?: boolean;
  /** True for commands that need no more than the name of a stack: with --stack, they read only what -f names. */
  readonly mayLackManifest?: boolean;
  /** A file beside the plain manifest, whose paths begin where the first one's do. */
  readonly added?: ManifestFiles['files'][number];
}

const NOTHING_KNOWN: ManifestOutline = {
  stack: undefined,
  stackRange: undefined,
  addresses: [],
  variables: [],
  sensitive: [],
  mayHave: () => true,
};

const NOTHING_READ: ManifestResult = {
  diagnostics: [],
  outline: NOTHING_KNOWN,
  plain: { document: {}, sourceMap: buildSourceMap([]) },
  sources: new Map(),
};

const NO_TEXTS: ManifestTexts = { files: [], overlays: [], reload: () => NOTHING_READ };

/** Loads the manifest and returns every problem, for commands that show them themselves. */
export async function tryLoad(run: Invocation, options: LoadOptions): Promise<LoadResult> {
  const read: string[] = [];
  const note = (path: string) => read.push(path);
  const readPipe: ReadPipe = (path, maxBytes) => readPipeInput(path, maxBytes, run);
  const { given, values: variables, failure: wrong } = await readVariables(run);
  const { file, overlay: overlays } = run.settings;
  const bare = options.mayLackManifest === true ? bareManifest(run.settings) : undefined;
  const found = bare ?? (await readManifestFiles(file, run.cwd, { readPipe, note, overlays }));
  // Unreadable variables may include the missing values.
  const input = { variables, env: run.env, mayLackValues: options.mayLackValues || wrong !== undefined };
  const texts = found.value === undefined ? NO_TEXTS : textsOf(withAdded(found.value, options.added), input);
  const outcome = texts.reload(texts);
  const { value, outline, plain, sources } = outcome;
  const mistyped = mistypedNames(run.env, outline.variables);
  const ofStack = [...unknownName(value, options), ...otherStack(run.settings, outline)];
  const own = [...mistyped, ...found.diagnostics, ...outcome.diagnostics, ...ofStack];
  const known = { sources, outline, plain, given, ...texts };
  const collector = new Collector();
  collector.try(() => checkFiles(run, outline, read));
  if (wrong !== undefined) collector.add(wrong);
  if (value === undefined || hasErrors(own)) collector.add(new Failure('invalid', own, sources));
  if (value === undefined || collector.hasFailed) {
    const failure = collector.failure();
    return { ...known, manifest: undefined, failure, diagnostics: failure.diagnostics };
  }
  return { ...known, manifest: value, failure: undefined, diagnostics: own };
}

/** The manifest of a stack of which only the name is known, for a command line that names no files. */
function bareManifest({ stackAlone, file, overlay }: Settings): Result<ManifestFiles> | undefined {
  if (stackAlone === undefined || file.length + overlay.length > 0) return undefined;
  const files = [{ name: `--stack ${stackAlone}`, text: `version: 1\nstack: ${stackAlone}\n` }];
  return { value: { files, overlays: [], isPartial: false, readFile: () => ({ diagnostics: [] }) }, diagnostics: [] };
}

/** What the name of the stack lacks, for commands that need it. */
function unknownName(manifest: Manifest | undefined, { mustBeNamed = false }: LoadOptions): readonly Diagnostic[] {
  return mustBeNamed ? (manifest?.lacksInName ?? []) : [];
}

/** The manifest of another stack than the one that the command line names. */
function otherStack({ stack: given, stackAlone }: Settings, { stack, stackRange }: ManifestOutline): Diagnostic[] {
  const wanted = given ?? stackAlone;
  if (wanted === undefined || stack === undefined || stack === wanted) return [];
  return [
    {
      code: 'stack-mismatch',
      severity: 'error',
      message: 'the manifest is that of another stack than --stack names',
      ...(stackRange && { range: stackRange }),
      expected: wanted,
      got: stack,
      fix: 'name the files of that stack with -f, or correct --stack',
    },
  ];
}

function withAdded(found: ManifestFiles, added: LoadOptions['added']): ManifestFiles & Pick<LoadInput, 'added'> {
  const { files, readFile } = found;
  const [first = added] = files;
  if (first === undefined || added === undefined) return found;
  const place = (from: string) => (from === added.name ? first.name : from);
  return { ...found, added: [added], readFile: (path, from) => readFile(path, place(from)) };
}

/** Loads the manifest, or fails; warnings go to stderr. */
export async function load(run: Invocation, options: LoadOptions): Promise<Manifest> {
  const loaded = await loadFound(run, options);
  announce(loaded, run);
  return loaded.manifest;
}

/** Loads the manifest, with its warnings, or fails. */
export async function loadFound(
  run: Invocation,
  options: LoadOptions,
): Promise<Extract<LoadResult, { readonly failure: undefined }>> {
  const loaded = await tryLoad(run, options);
  if (loaded.failure !== undefined) throw loaded.failure;
  return loaded;
}

/** What a text can only suspect: `validate` says it, and a plan when the live state shows that it is so. */
const SUSPECTED: readonly Code[] = ['move-matches-nothing'];

export function announce(found: Found, run: Invocation): void {
  const diagnostics = found.diagnostics.filter(({ code }) => !SUSPECTED.includes(code));
  if (diagnostics.length === 0) return;
  const shown = { ...found, diagnostics };
  run.stderr.write(`${renderDiagnosticsAs(logOf(run.settings.format), shown, renderOptionsOf(run, run.stderr))}\n\n`);
}
