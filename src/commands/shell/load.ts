// Loads a command's manifest and all other inputs before any request, and reports all of their problems together.

import { resolve } from 'node:path';
import { parseAddress } from '../../catalog/address.ts';
import { hasErrors, type Diagnostic, type QuotedFiles } from '../../core/diagnostic.ts';
import { Collector, Failure } from '../../core/failure.ts';
import { journalOf } from '../../journal/place.ts';
import { loadManifest, type ManifestOutline } from '../../manifest/load.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { readManifestFiles, type ManifestFiles, type ReadPipe } from '../../manifest/read-files.ts';
import { unknownAddresses } from '../../reconcile/check-options.ts';
import { notedAddresses } from '../../reconcile/execution/noted.ts';
import { tokenFilesToKeep } from '../../reconcile/execution/token-files.ts';
import type { RunInput } from '../../reconcile/run.ts';
import type { ClientSettings } from '../../service/settings.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import type { Found } from '../../render/view/problems.ts';
import { connectionOf, serviceOf } from '../options/connection.ts';
import { readPipeInput } from '../options/read-input.ts';
import { readVariables } from '../options/variables.ts';
import { bareRun, renderOptionsOf, type Invocation } from './invocation.ts';
import { checkOutputs } from '../files/check-outputs.ts';
import { readPolicies } from '../files/policies.ts';

/** The manifest, or its problems and those of the variables. */
type LoadResult = (
  | { readonly manifest: Manifest; readonly failure: undefined }
  | { readonly manifest: undefined; readonly failure: Failure }
) & { readonly diagnostics: readonly Diagnostic[]; readonly sources: QuotedFiles; readonly sketch: ManifestOutline };

interface LoadOptions {
  /** True for commands that only inspect the manifest: variables need no values. */
  readonly mayLackValues: boolean;
  /** A file beside the first one. */
  readonly added?: ManifestFiles['files'][number];
}

const NOTHING_KNOWN: ManifestOutline = {
  stack: undefined,
  addresses: [],
  variables: [],
  sensitive: [],
  mayHave: () => true,
};

/** Loads the manifest and returns every problem, for commands that show them themselves. */
export async function tryLoad(run: Invocation, options: LoadOptions): Promise<LoadResult> {
  const read: string[] = [];
  const note = (path: string) => read.push(path);
  const readPipe: ReadPipe = (path, maxBytes) => readPipeInput(path, maxBytes, run);
  const { values: variables, failure: wrong } = await readVariables(run);
  const found = await readManifestFiles(run.settings.file, run.cwd, { readPipe, note });
  const input = found.value && withAdded(found.value, options.added);
  // Unreadable variables may include the missing values.
  const mayLackValues = options.mayLackValues || wrong !== undefined;
  const nothing: ReturnType<typeof loadManifest> = { diagnostics: [], outline: NOTHING_KNOWN, sources: new Map() };
  const outcome = input ? loadManifest({ ...input, variables, env: run.env, mayLackValues }) : nothing;
  const { value, outline, sources } = outcome;
  const own = [...found.diagnostics, ...outcome.diagnostics];
  const known = { sources, sketch: outline };
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

function withAdded(found: ManifestFiles, added: LoadOptions['added']): ManifestFiles {
  const { files, readFile } = found;
  const [first = added] = files;
  if (first === undefined || added === undefined) return found;
  const place = (from: string) => (from === added.name ? first.name : from);
  return { ...found, files: [...files, added], readFile: (path, from) => readFile(path, place(from)) };
}

/** Checks that the command writes neither to files that it reads nor to token files. */
function checkFiles(run: Invocation, { stack, addresses }: ManifestOutline, read: readonly string[]): void {
  const kept = [
    ...read.map((path) => ({ name: 'a file of the manifest', path })),
    ...tokenFilesToKeep(tokenFolder(run), addresses).map((path) => ({ name: 'a token of --token-dir', path })),
  ];
  checkOutputs(run, kept, stack === undefined ? run.settings.journal : journalPath(run, stack, serviceOf(run)));
}

/** Fails with every address that is not in the manifest. An address that an invalid manifest may contain counts as present. */
export function checkAddresses(run: Invocation, { stack, addresses, mayHave }: ManifestOutline): void {
  const { targets, allowLoss, given } = run.settings;
  const resolved = [given.resolutions ?? []].flat().map((text) => String(text).replace(/=.*$/s, ''));
  const journal = stack === undefined ? undefined : journalPath(run, stack, serviceOf(run));
  const open = resolved.length === 0 || journal === undefined ? [] : notedAddresses(journal, run.platform);
  const isOpen = resolved.length > 0 && (journal === undefined || open === undefined);
  const resolutions = isOpen ? [] : resolved.filter((address) => parseAddress(address) !== undefined);
  const problems = unknownAddresses(
    { targets, allowLoss, resolutions },
    { addresses, noted: open, mayHave },
    { targets: '--target', allowLoss: '--allow-loss', resolutions: '--resolve' },
  );
  if (problems.length > 0) throw new Failure('usage', problems);
}

/** Loads the manifest, or fails; warnings go to stderr. */
export async function load(run: Invocation, options: LoadOptions): Promise<Manifest> {
  const collector = new Collector();
  if (run.settings.wrong !== undefined) collector.add(run.settings.wrong);
  const loaded = await tryLoad(run, options);
  if (loaded.manifest === undefined) collector.add(loaded.failure);
  if (loaded.manifest === undefined || collector.hasFailed) throw collector.failure();
  announce(loaded, run);
  return loaded.manifest;
}

export function announce(found: Found, run: Invocation): void {
  if (found.diagnostics.length === 0) return;
  run.stderr.write(`${renderDiagnosticsAs(logOf(run.settings.format), found, renderOptionsOf(run, run.stderr))}\n\n`);
}

/** The engine's input and the command's own, or a failure with all problems of both; policies matter to what makes plans. */
export async function prepare<T>(invocation: Invocation, ownOf: () => T | Promise<T>, isJudged = true) {
  const collector = new Collector();
  if (invocation.settings.wrong !== undefined) collector.add(invocation.settings.wrong);
  const own = await collector.take(async () => ({ value: await ownOf() }));
  const loaded = await tryLoad(invocation, { mayLackValues: false });
  const { manifest } = loaded;
  if (manifest === undefined) collector.add(loaded.failure);
  collector.try(() => checkAddresses(invocation, loaded.sketch));
  const policies = isJudged ? await collector.take(() => readPolicies(invocation)) : undefined;
  const connection = await collector.take(() => connectionOf(invocation));
  if (collector.hasFailed || !manifest || !connection || !own) throw collector.failure();
  announce(loaded, invocation);
  return { run: { ...runOf(invocation, manifest, connection), policies }, own: own.value };
}

/** The engine's input for a manifest; those who listen are told whose events they are. */
export function runOf(invocation: Invocation, manifest: Manifest, connection: ClientSettings): RunInput {
  const { settings, cwd } = invocation;
  const { stack } = manifest;
  const journal = resolve(cwd, settings.journal ?? journalOf(connection.baseUrl, stack));
  return {
    ...bareRun(invocation, connection),
    manifest,
    emit: (event) => invocation.note(event, { stack, service: connection.baseUrl.href }),
    options: { ...settings, journal, tokenDir: tokenFolder(invocation) },
  };
}

/** The file of `--journal`, or the default one at the service, which is undefined while no service is known. */
export function journalPath(
  { settings, cwd }: Pick<Invocation, 'settings' | 'cwd'>,
  stack: string,
  service: URL | undefined,
): string | undefined {
  const path = settings.journal ?? (service && journalOf(service, stack));
  return path === undefined ? undefined : resolve(cwd, path);
}

export function tokenFolder({ settings: { tokenDir }, cwd }: Invocation): string | undefined {
  return tokenDir === undefined ? undefined : resolve(cwd, tokenDir);
}
