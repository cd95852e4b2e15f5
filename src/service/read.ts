// Reads the whole live state: all lists in parallel, children from their parents (§4). Complete, or an error.

import { LIMITS } from './limits.ts';
import { wasNotProcessed } from './outcomes.ts';
import { compareText, isList, isObject, type JsonObject } from '../core/json.ts';
import { withArticle } from '../core/text/text.ts';
import { ApiError, isNotFound, type ListResult, type OnPage, type ReadClient } from './transport.ts';
import type { Capability, Kind, ListOperation } from '../catalog/kind.ts';
import { ID, METADATA } from '../catalog/fields/common.ts';
import { canList, childKinds, kindByName, rootOf, topLevelKinds } from '../catalog/lookup.ts';
import { capabilityHint } from '../catalog/operations.ts';
import { objectPath } from '../catalog/path.ts';
import { ShapeError } from '../resource/shape-error.ts';
import { receive, requireShown } from '../resource/receive.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';

/** Progress of reading the live state; a list that changed is read, and counted, again. */
export interface ReadProgress {
  readonly kinds: number;
  readonly kindsRead: number;
  readonly pages: number;
  readonly objects: number;
}

export interface ReadOptions {
  readonly capabilities: ReadonlySet<Capability>;
  /** Objects to read individually when their kind cannot be listed. */
  readonly pinned: readonly { readonly kind: string; readonly id: string }[];
  /** What is not read again. */
  readonly kept?: KeptRead | undefined;
  /** Called at the start, and after every page or kind. */
  readonly onProgress?: (progress: ReadProgress) => void;
}

/** An earlier read, for all top-level kinds but those `changed` since. */
interface KeptRead {
  readonly read: Snapshot;
  readonly changed: ReadonlySet<string>;
}

interface KindRead {
  readonly resources: readonly LiveResource[];
  readonly requests: number;
  readonly unread?: { readonly kind: string; readonly reason: string };
}

/** All live objects of all managed kinds. Throws `ApiError` with every failed list: no plan uses a partial state. */
export async function readSnapshot(client: ReadClient, options: ReadOptions): Promise<Snapshot> {
  const { kept } = options;
  const kinds = topLevelKinds.filter(({ name }) => kept?.changed.has(name) !== false);
  const isKept = ({ kind }: { readonly kind: string }) => !kinds.includes(rootOf(kindByName(kind)));
  const progress = { kinds: kinds.length, kindsRead: 0, pages: 0, objects: 0 };
  const tell = () => options.onProgress?.({ ...progress });
  tell();
  const settled = await Promise.allSettled(
    kinds.map(async (kind) => {
      const read = await readKind(client, kind, options, (objects) => {
        progress.pages += 1;
        progress.objects += objects;
        tell();
      });
      progress.kindsRead += 1;
      tell();
      return read;
    }),
  );
  const failures = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0) throw combined(failures);
  const reads = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return {
    resources: [...(kept?.read.resources.filter(isKept) ?? []), ...reads.flatMap((read) => read.resources)].sort(
      (a, b) => compareText(a.kind, b.kind) || compareText(a.id, b.id),
    ),
    unread: [
      ...(kept?.read.unread.filter(isKept) ?? []),
      ...reads.flatMap((read) => (read.unread === undefined ? [] : [read.unread])),
    ],
    requests: reads.reduce((total, read) => total + read.requests, 0),
  };
}

/** The snapshot with these top-level objects and their children as GET returns them, because lists may lag behind. */
export async function refresh(client: ReadClient, snapshot: Snapshot, roots: ReadOptions['pinned']): Promise<Snapshot> {
  const read = await Promise.all(
    roots.map(async ({ kind: name, id }) => {
      const kind = kindByName(name);
      const body = await client.get(objectPath(kind, id, undefined));
      return body === undefined ? [] : withChildren(kind, body, kind.operations.get.path);
    }),
  );
  const asked = new Set(roots.map(({ id }) => id));
  const listed = new Set(snapshot.resources.map((live) => live.id));
  const others = snapshot.resources.filter(({ id, parentId }) => !asked.has(id) && !asked.has(parentId ?? ''));
  return {
    ...snapshot,
    resources: [...others, ...read.flat()].sort((a, b) => compareText(a.kind, b.kind) || compareText(a.id, b.id)),
    requests: snapshot.requests + roots.length,
    unlisted: read.flat().flatMap(({ id }) => (listed.has(id) ? [] : [id])),
  };
}

/**
 * The snapshot with the ids that the service confirms do not exist, where an empty list cannot be trusted on its own; once one
 * id of a kind exists, the kind's others are not checked.
 */
export async function confirmAbsent(
  client: ReadClient,
  snapshot: Snapshot,
  expected: readonly { readonly kind: Kind; readonly id: string }[],
): Promise<Snapshot> {
  const byKind = new Map<Kind, Set<string>>();
  for (const { kind, id } of expected) byKind.set(kind, (byKind.get(kind) ?? new Set()).add(id));
  const found = await Promise.all([...byKind].map(([kind, ids]) => absentOf(client, kind, [...ids])));
  const requests = found.reduce((total, one) => total + one.requests, 0);
  return { ...snapshot, requests: snapshot.requests + requests, absent: found.flatMap(({ absent }) => absent) };
}

async function absentOf(client: ReadClient, kind: Kind, [first = '', ...others]: readonly string[]) {
  const isGone = async (id: string) => (await client.get(objectPath(kind, id, undefined))) === undefined;
  if (!(await isGone(first))) return { absent: [], requests: 1 };
  const gone = await Promise.all(others.map(isGone));
  return { absent: [first, ...others.filter((_, index) => gone[index])], requests: others.length + 1 };
}

/** Equal failures are reported once, different ones all. */
function combined(failures: readonly unknown[]): unknown {
  const errors = failures.filter((failure) => failure instanceof ApiError);
  // Lists that were no longer requested say less than the one that failed.
  const first = errors.find((error) => !wasNotProcessed(error)) ?? errors[0];
  const isNowhere = errors.length === topLevelKinds.length && errors.every(({ status }) => status === 404);
  if (first === undefined || errors.length < failures.length) return failures.find((f) => !(f instanceof ApiError));
  const others = errors.length - 1;
  if (others === 0) return first;
  const more = `and ${others} more ${others === 1 ? 'list' : 'lists'} could not be read`;
  return first.with({
    message: isNowhere
      ? `every list answers 404, so the path of the base URL is probably wrong: ${first.message}`
      : `${first.message} (${more})`,
    ...(isNowhere && {
      code: 'api-refused',
      fix: 'correct the path of the base URL (EDGEFORM_BASE_URL or --base-url)',
    }),
  });
}

async function readKind(client: ReadClient, kind: Kind, options: ReadOptions, onPage: OnPage): Promise<KindRead> {
  const list = kind.operations.list;
  if (list === undefined || !canList(kind, options.capabilities)) return readPinned(client, kind, options);
  const { items, requests } = await listSteady(client, list, onPage);
  const resources = items.flatMap((item) => withChildren(kind, item, list.path));
  checkUniqueIds(resources, list.path);
  return { resources, requests: requests + (await confirmUnmarked(client, kind, list, items)) };
}

/**
 * Services leave metadata out of an object that never had any (ADR-0045), and a list that leaves it out of every object would make
 * ours seem to have no owner. So the first such object is read on its own, too. The number of requests that this took.
 */
async function confirmUnmarked(
  client: ReadClient,
  kind: Kind,
  list: ListOperation,
  items: readonly JsonObject[],
): Promise<number> {
  const listed = items.find((item) => objectsIn(kind, item).some((object) => !Object.hasOwn(object, METADATA)));
  if (listed === undefined) return 0;
  const body = await client.get(objectPath(kind, String(listed[ID]), undefined));
  const shown = new Set(
    objectsIn(kind, body ?? {}).flatMap((object) => (Object.hasOwn(object, METADATA) ? [object[ID]] : [])),
  );
  if (objectsIn(kind, listed).some((object) => !Object.hasOwn(object, METADATA) && shown.has(object[ID])))
    throw misshapen(kind, list.path, `${METADATA} is missing, although the object has it`);
  return 1;
}

/** An object of an answer, and its children in it. */
function objectsIn(kind: Kind, body: JsonObject): JsonObject[] {
  const children = childKinds(kind).map(({ parent }) => body[parent?.listedAs ?? ''] ?? []);
  return [body, ...children.flatMap((listed) => (isList(listed) ? listed.filter(isObject) : []))];
}

/** Reads a list until it does not change: an object on two pages means that another may have been missed. */
async function listSteady(
  client: ReadClient,
  list: ListOperation,
  onPage: OnPage,
): Promise<Omit<ListResult, 'shifted'>> {
  let requests = 0;
  for (let tries = 1; tries <= LIMITS.lists; tries++) {
    const result = await listOrExplain(client, list, onPage);
    requests += result.requests;
    if (!result.shifted) return { items: result.items, requests };
  }
  throw new ApiError({
    code: 'api-not-understood',
    message: `GET ${list.path}: the list kept changing while it was read, ${LIMITS.lists} times in a row`,
    known: 'unusable',
    type: 'read',
    fix: 'wait until nothing else changes these objects, then run the command again',
  });
}

async function listOrExplain(client: ReadClient, list: ListOperation, onPage: OnPage) {
  try {
    return await client.list(list.path, list.key, onPage);
  } catch (error) {
    if (list.capability === undefined || !(error instanceof ApiError) || !isNotFound(error)) throw error;
    throw error.with({
      code: 'capability-missing',
      message: `the service has no GET ${list.path}, which the specification does not document: ${error.message}`,
      fix: capabilityHint(list.capability),
    });
  }
}

async function readPinned(client: ReadClient, kind: Kind, options: ReadOptions): Promise<KindRead> {
  const ids = [...new Set(options.pinned.filter((pin) => pin.kind === kind.name).map((pin) => pin.id))];
  const bodies = await Promise.all(ids.map((id) => client.get(objectPath(kind, id, undefined))));
  return {
    resources: bodies.flatMap((body) => (body === undefined ? [] : withChildren(kind, body, kind.operations.get.path))),
    requests: ids.length,
    unread: { kind: kind.name, reason: 'listing is switched off; only objects pinned by id were read' },
  };
}

function withChildren(kind: Kind, body: JsonObject, path: string): LiveResource[] {
  try {
    const own = receiveWhole(kind, body);
    return [own, ...childKinds(kind).flatMap((child) => childrenIn(child, body, own.id))];
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw misshapen(kind, path, error.message);
  }
}

function receiveWhole(kind: Kind, body: JsonObject, parentId?: string): LiveResource {
  const live = receive(kind, body, parentId);
  requireShown(kind, body);
  return live;
}

function childrenIn(child: Kind, body: JsonObject, parentId: string): LiveResource[] {
  const name = child.parent?.listedAs ?? '';
  const listed = body[name] ?? [];
  if (!isList(listed)) throw new ShapeError(name, 'a list', listed);
  return listed.map((item, index) => {
    if (!isObject(item)) throw new ShapeError(`${name}.${index}`, 'an object', item);
    return receiveWhole(child, item, parentId);
  });
}

function misshapen(kind: Kind, path: string, what: string): ApiError {
  return new ApiError({
    code: 'api-not-understood',
    message: `GET ${path}: an object does not have the shape of ${withArticle(kind.title)}: ${what}`,
    known: 'unusable',
    type: 'read',
    fix: 'check that the base URL is that of the API; if it is, please report this',
  });
}

function checkUniqueIds(resources: readonly LiveResource[], path: string): void {
  const seen = new Set<string>();
  for (const { id } of resources) {
    if (seen.has(id))
      throw new ApiError({
        code: 'api-not-understood',
        message: `GET ${path} lists two objects with the same id`,
        known: 'unusable',
        type: 'read',
      });
    seen.add(id);
  }
}
