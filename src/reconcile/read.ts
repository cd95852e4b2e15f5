// Reads the live state for a run: complete lists, objects that a journal knows and no list shows, and checks for lists that
// cannot be trusted. The result is the same for every manifest; applying a manifest to it is a separate step.

import { parseAddress } from '../catalog/address.ts';
import { kindByName, listedKind } from '../catalog/lookup.ts';
import { Failure } from '../core/failure.ts';
import { groupBy } from '../core/group.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { unlistedReferences } from '../plan/match/unread-kinds.ts';
import { presentIn, type JournalView } from '../plan/journal-view.ts';
import { markRedundant } from '../plan/match/redundant-duplicates.ts';
import { saltOf } from '../resource/digests.ts';
import { stackNamed } from '../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { createReadClient } from '../service/client.ts';
import { confirmAbsent, readSnapshot, refresh, type ReadOptions, type ReadProgress } from '../service/read.ts';
import { ApiError, type ReadClient } from '../service/transport.ts';
import type { ExpectedObject } from './execution/run-effects.ts';
import { clientPorts, type Bare, type ReadNeeds } from './run.ts';
import { unlessStopped, type Stop } from './stop.ts';

interface ReadLiveInput extends Partial<ReadNeeds> {
  readonly client: ReadClient;
  /** A note for the user when reading fails, such as that nothing was changed. */
  readonly soFar: string;
}

export function pinnedBy({ resources, imports }: Manifest): ReadOptions['pinned'] {
  const pinned = resources.flatMap(({ kind, lifecycle: { pin } }) => (pin === undefined ? [] : [{ kind, id: pin.id }]));
  return [...pinned, ...imports.flatMap(({ kind, from }) => ('id' in from ? [{ kind, id: from.id }] : []))];
}

export function seenBy(manifest: Manifest, snapshot: Snapshot, journal: JournalView | undefined): Snapshot {
  return markRedundant(withKnownAddresses(snapshot, presentIn(journal)), manifest, journal);
}

/** The whole live state, or a failure. */
export async function readAll(
  { client, pinned = [], expectedObjects = [], isNew = false, kept, soFar }: ReadLiveInput,
  run: Bare,
): Promise<Snapshot> {
  const needs = { pinned, expectedObjects, isNew, kept };
  try {
    return await (run.service === undefined
      ? readLive(client, needs, run)
      : unlessStopped(run.service.read(needs), run));
  } catch (error) {
    throw toFailure(error, soFar);
  }
}

/** The whole live state, from a read of its own. */
export async function readLive(
  client: ReadClient,
  { pinned, expectedObjects, kept }: ReadNeeds,
  run: Pick<Bare, keyof Stop | 'emit' | 'options'>,
): Promise<Snapshot> {
  const onProgress = (progress: ReadProgress) => {
    if (!run.signal.aborted) run.emit({ type: 'reading', ...progress });
  };
  const reading = readSnapshot(client, { capabilities: run.options.capabilities, pinned, kept, onProgress });
  const listed = await unlessStopped(reading, run);
  const roots = rootsOf(ofLivingAccounts(expectedObjects, listed), listed);
  const snapshot = roots.length === 0 ? listed : await unlessStopped(refresh(client, listed, roots), run);
  const doubted = unlistedReferences(snapshot);
  const whole = doubted.length === 0 ? snapshot : await unlessStopped(confirmAbsent(client, snapshot, doubted), run);
  run.emit({ type: 'read', objects: whole.resources.length, requests: whole.requests });
  return whole;
}

/** Every session of every page, or a failure. */
export async function readSessions(run: Bare, client: ReadClient = createReadClient(run.connection, clientPorts(run))) {
  const { kind, list } = listedKind();
  try {
    return { kind, items: (await unlessStopped(client.list(list.path, list.key), run)).items };
  } catch (error) {
    throw toFailure(error);
  }
}

/** Without what a journal knows of other accounts, where lists show which one this is. */
function ofLivingAccounts(expected: readonly ExpectedObject[], { resources }: Snapshot): readonly ExpectedObject[] {
  const inAccounts = expected.filter(({ account }) => account !== undefined);
  if (inAccounts.length === 0) return expected;
  const listed = new Set(resources.map(({ id }) => id));
  const living = new Map(
    inAccounts.flatMap(({ id, account, deletedBy }) =>
      account && deletedBy === undefined && listed.has(id) ? [[account.journal, account.number]] : [],
    ),
  );
  return expected.filter(({ account }) => (living.get(account?.journal ?? '') ?? account?.number) === account?.number);
}

interface RootToRead {
  readonly kind: string;
  readonly id: string;
}

/** What to read because lists may lag behind: objects that are missing or deleted, or have the address of another; or their parents. */
function rootsOf(expected: readonly ExpectedObject[], { resources }: Snapshot): readonly RootToRead[] {
  const listed = new Map(resources.map((live) => [live.id, live]));
  // One that carries the marker of another stack was given to it.
  const isDoubtful = ({ id, deletedBy }: ExpectedObject) =>
    deletedBy === undefined ? !listed.has(id) : stackNamed(listed.get(id)) === deletedBy;
  const roots = expected.filter(isDoubtful).flatMap((object) => rootsOfExpected(object, expected, resources));
  const ofEqualMarkers = withEqualMarkers(resources).map(rootOfLive);
  return [...new Map([...roots, ...ofEqualMarkers].map((root) => [root.id, root])).values()];
}

/** The object, or everything that may be its parent. */
function rootsOfExpected(
  { kind, id, address }: ExpectedObject,
  expected: readonly ExpectedObject[],
  resources: readonly LiveResource[],
): readonly RootToRead[] {
  const parent = parseAddress(address)?.parent;
  if (parent === undefined) return [{ kind, id }];
  const parentKind = kindByName(kind).parent?.kind ?? '';
  const live = resources.filter((object) => object.kind === parentKind && object.marker?.address === parent);
  const known = expected.filter((object) => object.address === parent && object.deletedBy === undefined);
  return [...live, ...known].map((object) => ({ kind: parentKind, id: object.id }));
}

function rootOfLive({ kind, id, parentId }: LiveResource): RootToRead {
  if (parentId === undefined) return { kind, id };
  return { kind: kindByName(kind).parent?.kind ?? kind, id: parentId };
}

/** Objects with the same marker as another one of their kind and parent. */
function withEqualMarkers(resources: readonly LiveResource[]): readonly LiveResource[] {
  // The salt of a marker's digests is its stack and address.
  const byAddress = groupBy(resources, ({ kind, parentId = '', marker }) =>
    marker === undefined ? undefined : `${kind} ${parentId} ${saltOf(marker)}`,
  );
  return [...byAddress.values()].filter(({ length }) => length > 1).flat();
}

/** A failed read as a failure that says what it means; other errors are unchanged. */
function toFailure(error: unknown, soFar?: string): unknown {
  const soFarText = soFar === undefined ? '' : `; ${soFar}`;
  if (error instanceof Failure) {
    const said = error.diagnostics.map((one) => ({ ...one, message: `${one.message}${soFarText}` }));
    return new Failure(error.outcome, said);
  }
  if (!(error instanceof ApiError)) return error;
  const { code, message, fix } = error;
  return Failure.of('error', code, `${message}${soFarText}`, fix);
}

/** The snapshot with what a journal (addresses by id) knows of objects whose marker was removed or cannot be read: they may still be ours. */
function withKnownAddresses(snapshot: Snapshot, known: ReadonlyMap<string, string> = new Map()): Snapshot {
  const resources = snapshot.resources.map((live) => {
    const knownAs = known.get(live.id);
    if (knownAs === undefined || live.marker !== undefined) return live;
    const problem = live.markerProblem ?? { what: 'was removed', stacks: [], isRemoved: true as const };
    return { ...live, marker: undefined, markerProblem: { ...problem, knownAs } };
  });
  return { ...snapshot, resources };
}
