// The steps that several commands share: load the manifest, read live state, plan. Failures carry their exit code.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { hasErrors } from '../../core/diagnostic.ts';
import { publishNames } from '../../platform/filter.ts';
import type { JsonObject } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import type { Value } from '../../core/value.ts';
import { eachLeaf } from '../../core/value.ts';
import { parseAddress } from '../../catalog/address.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { ApiError } from '../../service/transport.ts';
import type { ClientSettings } from '../../service/settings.ts';
import type { ReadClient } from '../../service/transport.ts';
import { ownershipIn, withRemovedMarkers } from '../../resource/marker/ownership.ts';
import { confirmAbsent } from '../../service/confirm.ts';
import type { Root } from '../../service/read.ts';
import { readSnapshot, refresh } from '../../service/read.ts';
import type { ReadOptions } from '../../service/read.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { LoadOutcome, Sketch } from '../../manifest/load.ts';
import { loadManifest } from '../../manifest/load.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import type { ReadPipe } from '../../manifest/read.ts';
import { readManifestFiles } from '../../manifest/read.ts';
import type { PlanInput } from '../../plan/build.ts';
import { doubtedIn } from '../../plan/match/empty-lists.ts';
import { liveByAddress } from '../../plan/match/named.ts';
import { buildPlan } from '../../plan/build.ts';
import type { JournalView } from '../../plan/match/past.ts';
import type { Plan } from '../../plan/plan.ts';
import { withSpares } from '../../plan/match/spare.ts';
import { logOf, renderDiagnosticsAs } from '../../render/formats.ts';
import { checkAddresses } from '../options/addresses.ts';
import { checkUsage } from '../options/check-usage.ts';
import { connectionOf } from '../options/connection.ts';
import { EXIT } from '../shell/exit.ts';
import { Collector, CommandFailure } from '../shell/failure.ts';
import { pipeGiven } from '../options/given.ts';
import type { Host } from '../shell/host.ts';
import { journalPath } from './journal.ts';
import type { Pin } from './pin.ts';
import type { RawOptions } from '../options/options.ts';
import { allowDeletesOf, capabilitiesOf, formatOf, styleOf, variablesOf } from '../options/options.ts';
import { unlessStopped } from './early-end.ts';
import type { Named } from '../shell/same-file.ts';
import { checkOutputs } from '../shell/same-file.ts';
import { withDeadline } from './stop.ts';
import { keptTokens, storedValues } from './tokens.ts';

export interface Loaded {
  readonly manifest: Manifest;
  readonly warnings: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

/** The manifest, or what is wrong with it or with the variables. */
export type LoadResult = (
  | { readonly loaded: Loaded; readonly failure: undefined }
  | { readonly loaded: undefined; readonly failure: CommandFailure }
) & {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
  readonly sketch: Sketch;
};

/** How a manifest is loaded. */
export interface LoadOptions {
  /** True for commands that only look at it: variables need no values. */
  readonly mayLackValues: boolean;
}

const WITH_VALUES: LoadOptions = { mayLackValues: false };

/** Loads the manifest and keeps every problem, for commands that show them themselves. */
export async function tryLoad(raw: RawOptions, host: Host, options: LoadOptions): Promise<LoadResult> {
  const read: Named[] = [];
  const note = (path: string) => read.push({ name: 'a file of the manifest', path });
  const readPipe: ReadPipe = (path, maxBytes) => pipeGiven(path, maxBytes, host);
  const { values: variables, failure: wrong } = await variablesOf(raw, host);
  const found = await readManifestFiles(raw.file ?? [], host.cwd, readPipe, note);
  const sources = new Map(found.value?.files.map((file) => [file.name, file.text]));
  // Variables that cannot be read may have the values that are missing.
  const mayLackValues = options.mayLackValues || wrong !== undefined;
  const nothing: LoadOutcome = { diagnostics: [], sketch: NOTHING_KNOWN };
  const outcome = found.value ? loadManifest({ ...found.value, variables, env: host.env, mayLackValues }) : nothing;
  const { value, sketch } = outcome;
  const own = [...found.diagnostics, ...outcome.diagnostics];
  const collector = new Collector();
  const journal = sketch.stack === undefined ? raw.journal : journalPath(raw, host, sketch.stack);
  await collector.take(() => {
    checkOutputs({ ...raw, ...(journal && { journal }) }, host, [...read, ...keptTokens(raw, host, sketch.addresses)]);
  });
  if (wrong !== undefined) collector.add(wrong);
  if (value === undefined || hasErrors(own)) collector.add(new CommandFailure(EXIT.invalid, own, sources));
  if (value === undefined || collector.hasFailed) {
    const failure = collector.failure();
    return { loaded: undefined, failure, diagnostics: failure.diagnostics, sources, sketch };
  }
  return { loaded: { manifest: value, warnings: own, sources }, failure: undefined, diagnostics: own, sources, sketch };
}

const NOTHING_KNOWN: Sketch = { stack: undefined, addresses: [], mayHave: () => true };

/** Loads the manifest, or fails; warnings go to stderr. */
export async function load(raw: RawOptions, host: Host, options: LoadOptions): Promise<Loaded> {
  const { loaded, failure } = await tryLoad(raw, host, options);
  if (loaded === undefined) throw failure;
  announce(loaded, raw, host);
  return loaded;
}

function announce(loaded: Loaded, raw: RawOptions, host: Host): void {
  const { manifest, warnings, sources } = loaded;
  const { stack, resources, outputs } = manifest;
  publishNames(() => [
    stack,
    ...outputs.keys(),
    ...resources.flatMap(({ address, spec }) => [address, ...clearWords(spec)]),
  ]);
  if (warnings.length === 0) return;
  const found = { diagnostics: warnings, sources };
  host.stderr.write(`${renderDiagnosticsAs(logOf(formatOf(raw)), found, styleOf(raw, host, host.stderr))}\n\n`);
}

export interface Prepared<T> {
  /** Ends at the deadline, too. */
  readonly host: Host;
  readonly manifest: Manifest;
  readonly settings: ClientSettings;
  /** What the command needs besides. */
  readonly own: T;
}

/** All that a run is about, before anything is asked of the service; what is wrong with any of it is told at once. */
export async function prepare<T>(
  raw: RawOptions,
  outer: Host,
  ownOf: (host: Host) => T | Promise<T>,
): Promise<Prepared<T>> {
  const collector = new Collector();
  await collector.take(() => {
    checkUsage(raw, outer);
  });
  const host = (await collector.take(() => withDeadline(raw, outer))) ?? outer;
  const own = await collector.take(async () => ({ value: await ownOf(host) }));
  const { loaded, sketch, failure: wrong } = await tryLoad(raw, host, WITH_VALUES);
  if (wrong !== undefined) collector.add(wrong);
  await collector.take(() => {
    checkAddresses(raw, sketch, host);
  });
  const settings = await collector.take(() => connectionOf(raw, host));
  if (collector.hasFailed || !loaded || !settings || !own) throw collector.failure();
  announce(loaded, raw, host);
  return { host, manifest: loaded.manifest, settings, own: own.value };
}

/** Names, and texts of one word, that the manifest has in clear: whoever wrote them there has published them. */
function clearWords(spec: Value): string[] {
  const found: string[] = [];
  eachLeaf(spec, (leaf, path) => {
    found.push(...path);
    if (typeof leaf === 'string' && !/\s/.test(leaf)) found.push(leaf);
  });
  return found;
}

export interface Reading {
  readonly client: ReadClient;
  readonly manifest: Manifest;
  /** What the user should know when reading fails, such as that nothing was changed. */
  readonly soFar: string;
  /** Objects that a journal knows of; those that no list shows are read one by one. */
  readonly pins?: readonly Pin[];
  /** What the journal says of objects; undefined when there is none that can be believed. */
  readonly journal: JournalView | undefined;
}

/** The whole live state, or a failure with exit code 1. */
export async function readLive(
  { client, manifest, soFar, pins = [], journal }: Reading,
  host: Host,
): Promise<Snapshot> {
  const pinned = manifest.resources.flatMap(({ kind, lifecycle }) => {
    const id = lifecycle.id ?? lifecycle.adopt;
    return id === undefined ? [] : [{ kind, id }];
  });
  const snapshot = await readAll({ client, pinned, pins, soFar }, host);
  claimSecrets(manifest, snapshot);
  return withSpares(withRemovedMarkers(snapshot, journal?.ids), manifest, journal);
}

/** Secrets that our own objects hold are ours, also when the manifest has others by now. */
function claimSecrets(manifest: Manifest, { resources }: Snapshot): void {
  const pinned = new Set(manifest.resources.flatMap(({ lifecycle }) => [lifecycle.id, lifecycle.adopt]));
  const { isOurs } = ownershipIn(manifest, resources);
  for (const live of resources.filter((one) => pinned.has(one.id) || isOurs(one)))
    eachLeaf(live.spec, (leaf) => {
      if (leaf instanceof Secret) leaf.claim();
    });
}

export interface BareReading extends Pick<Reading, 'client' | 'soFar' | 'pins'>, Pick<ReadOptions, 'pinned'> {}

/** The whole live state without a manifest, or a failure with exit code 1. */
export async function readAll({ client, pinned, pins = [], soFar }: BareReading, host: Host): Promise<Snapshot> {
  try {
    const reading = readSnapshot(client, { capabilities: capabilitiesOf(host), pinned });
    const listed = await unlessStopped(reading, host);
    const roots = rootsOf(unseen(pins, listed), pins, listed);
    const snapshot = roots.length === 0 ? listed : await unlessStopped(refresh(client, listed, roots), host);
    const doubted = doubtedIn(snapshot);
    return doubted.length === 0 ? snapshot : await unlessStopped(confirmAbsent(client, snapshot, doubted), host);
  } catch (error) {
    throw toFailure(error, soFar);
  }
}

/** Objects that a run has made, and that no list shows: a list may lag behind. */
function unseen(pins: readonly Pin[], snapshot: Snapshot): Pin[] {
  const present = new Set(snapshot.resources.map((live) => live.id));
  return pins.filter((pin) => !present.has(pin.id));
}

/** The objects to read for them: themselves, or the one they are in. */
function rootsOf(missing: readonly Pin[], pins: readonly Pin[], snapshot: Snapshot): Root[] {
  const roots = missing.flatMap(({ kind, id, address }): Root[] => {
    const parent = parseAddress(address)?.parent;
    if (parent === undefined) return [{ kind, id }];
    const above = kindByName(kind).parent?.kind ?? '';
    const live = snapshot.resources.filter((one) => one.kind === above && one.marker?.address === parent);
    const known = pins.filter((pin) => pin.address === parent);
    return [...live, ...known].map((one) => ({ kind: above, id: one.id }));
  });
  return [...new Map(roots.map((root) => [root.id, root])).values()];
}

/** A failure to read as a command failure; others stay what they are. */
function toFailure(error: unknown, soFar: string): unknown {
  if (error instanceof CommandFailure) {
    const said = error.diagnostics.map((one) => ({ ...one, message: `${one.message}; ${soFar}` }));
    return new CommandFailure(error.exitCode, said);
  }
  if (!(error instanceof ApiError)) return error;
  const { code, message, fix } = error;
  return new CommandFailure(EXIT.error, [
    { code, severity: 'error', message: `${message}; ${soFar}`, ...(fix !== undefined && { fix }) },
  ]);
}

export interface PlanRequest {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly service: string;
  readonly destroy: boolean;
  /** Ids of objects whose value that is shown once is held, as the journal says. */
  readonly stored: ReadonlySet<string>;
  /** What the journal says of objects that may be missing. */
  readonly journal: JournalView | undefined;
}

/** The plan, with the user's options. */
export function makePlan(request: PlanRequest, raw: RawOptions, host: Host): Plan {
  return buildPlan(planInput(request, raw, host));
}

/** What a plan is made from, with the user's options. */
export function planInput(
  { destroy, stored, journal, ...request }: PlanRequest,
  raw: RawOptions,
  host: Host,
): PlanInput {
  return {
    ...request,
    options: {
      destroy,
      allowDeletes: allowDeletesOf(raw),
      allowReplace: raw.allowReplace ?? [],
      targets: raw.target ?? [],
      capabilities: capabilitiesOf(host),
      stored: storedValues(stored, request.snapshot, raw, host),
      ...(journal && { journal }),
    },
  };
}

/** Read-only values of the stack's live objects by address: the one in the manifest, also where the marker has another yet. */
export function knownValues(manifest: Manifest, snapshot: Snapshot): ReadonlyMap<string, JsonObject> {
  return new Map([...liveByAddress(manifest, snapshot)].map(([address, { computed }]) => [address, computed]));
}
