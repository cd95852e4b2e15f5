// The emulated service and the whole pipeline in one process without sockets, for tests that need thousands of runs.
// Every body crosses as JSON text, so nothing is shared by reference. Knows nothing of what worlds hold.

import { importsIn } from '../../src/plan/match/imports.ts';
import { APPLY_DEFAULTS, liveOf } from './applying.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import type { StepResult } from '../../src/apply/event.ts';
import type { ApplyInput } from '../../src/apply/step-run.ts';
import type { ApiWrite, WriteClient } from '../../src/service/transport.ts';
import { ApiError } from '../../src/service/transport.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject, parseJson } from '../../src/core/json.ts';
import type { Capability } from '../../src/catalog/kind.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { secretLookup, knownValues } from '../../src/plan/lookup.ts';
import { answer } from '../../src/emulator/http/answer.ts';
import type { Store } from '../../src/emulator/state/store.ts';
import { createStore } from '../../src/emulator/state/store.ts';
import { readSnapshot } from '../../src/service/read.ts';
import { coreOf } from './emulated.ts';
import { masked } from './masking.ts';
import type { Snapshot } from '../../src/resource/snapshot.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { Drift } from '../../src/drift/drift.ts';
import { findDrift } from '../../src/drift/drift.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { JournalView } from '../../src/plan/journal-view.ts';
import type { Plan } from '../../src/plan/plan.ts';

const BASE_URL = 'http://service.test';
const API_KEY = 'main-key';
const HEADERS = {
  authorization: `Bearer ${API_KEY}`,
  'service-version': '2',
  'content-type': 'application/json',
} as const;

/** One write and what came of it. */
export interface Sent {
  readonly method: ApiWrite['method'];
  readonly path: string;
  readonly body: Json | undefined;
  readonly status: number;
  /** The answer's body as text. */
  readonly answer: string;
}

export interface Direct {
  readonly store: Store;
  readonly client: WriteClient;
  readonly capabilities: ReadonlySet<Capability>;
  /** Writes of the client, oldest first. */
  readonly sent: Sent[];
  /** One request of somebody else: not logged, refusals are answers. */
  readonly ask: (method: string, path: string, body?: JsonObject) => { readonly status: number; readonly body: Json };
  /** Ids of what a write touches: the object itself, or the parent that gets a child. */
  readonly targetOf: (method: string, path: string) => readonly string[];
  /** Called after each write of the client. */
  onWrite: (sent: Sent) => void;
}

export interface DirectOptions {
  readonly disabled?: readonly Capability[];
  readonly pageSize?: number;
  /** Changes the order in which lists answer. */
  readonly arrange?: <T>(list: readonly T[]) => readonly T[];
  /** Objects to start with; those of another service. */
  readonly from?: Store;
  /** What the client sees in place of secrets; the secrets themselves when missing. */
  readonly mask?: string | undefined;
  /** Whether it keeps values in a form of its own. */
  readonly normalizes?: boolean;
}

/** A service of its own. */
export function createDirect({
  disabled = [],
  pageSize,
  arrange,
  from,
  mask,
  normalizes = false,
}: DirectOptions = {}): Direct {
  const store = createStore(from?.all() ?? [], () => undefined);
  const core = coreOf({
    view: { store: arrange === undefined ? store : arranged(store, arrange), baseUrl: BASE_URL, normalizes },
    apiKey: API_KEY,
    disabled,
    pageSize,
    now: () => '2030-01-01T00:00:00Z',
  });
  const off = new Set(disabled);
  const ask: Direct['ask'] = (method, path, body) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const answered = answer(core, { method, path, headers: HEADERS, text });
    return {
      status: answered.status,
      body: answered.body === undefined ? null : parseJson(JSON.stringify(answered.body)),
    };
  };
  const direct: Direct = {
    store,
    ask,
    capabilities: new Set(CAPABILITIES.filter((name) => !off.has(name))),
    sent: [],
    targetOf: (method, path) => {
      const { id = '', parentId = '' } = core.router(method, path) ?? {};
      return id === '' ? [parentId] : [id];
    },
    onWrite: () => undefined,
    client: masked(
      {
        list: (path, key) => Promise.resolve().then(() => listAll(ask, path, key)),
        get: (path) => Promise.resolve().then(() => getOne(ask, path)),
        write: async (request) => {
          await request.check?.({
            list: (path, key) => Promise.resolve().then(() => listAll(ask, path, key)),
            get: (path) => Promise.resolve().then(() => getOne(ask, path)),
          });
          return write(direct, request);
        },
        backOff: () => Promise.resolve(undefined),
      },
      mask,
    ),
  };
  return direct;
}

function arranged(store: Store, arrange: NonNullable<DirectOptions['arrange']>): Store {
  // Cursors name ids, so the list must have the same order on every page: that of the objects as they are stored.
  const list: Store['list'] = (kind, parentId) => [...arrange(store.list(kind, parentId))];
  return {
    ...store,
    list,
    older: (kind, id) => {
      const all = list(kind);
      return all.slice(all.findIndex((one) => one.id === id) + 1);
    },
  };
}

function refused(what: string, status: number, body: Json): ApiError {
  return new ApiError({
    code: 'api-refused',
    message: `${what}: ${status} ${JSON.stringify(body)}`,
    known: 'refused',
    type: 'change',
    status,
  });
}

function listAll(ask: Direct['ask'], path: string, key: string) {
  const items: JsonObject[] = [];
  let next = path;
  for (let requests = 1; ; requests++) {
    const { status, body } = ask('GET', next);
    const page = isObject(body) ? body[key] : undefined;
    if (status !== 200 || !isObject(body) || !Array.isArray(page)) throw refused(`GET ${next}`, status, body);
    items.push(...(page as JsonObject[]));
    const more = body['next_page_uri'];
    if (typeof more !== 'string') return { items, requests, shifted: false };
    next = more.slice(BASE_URL.length);
  }
}

function getOne(ask: Direct['ask'], path: string): JsonObject | undefined {
  const { status, body } = ask('GET', path);
  if (status === 404) return undefined;
  if (status !== 200 || !isObject(body)) throw refused(`GET ${path}`, status, body);
  return body;
}

function write(direct: Direct, { method, path, body }: ApiWrite): Json {
  const answered = direct.ask(method, path, body);
  const sent = { method, path, body, status: answered.status, answer: JSON.stringify(answered.body) };
  direct.sent.push(sent);
  direct.onWrite(sent);
  if (answered.status >= 300) throw refused(`${method} ${path}`, answered.status, answered.body);
  return answered.body;
}

export interface Planned {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly plan: Plan;
}

/** All live objects. */
export function snapshotOf({ client, capabilities }: Direct): Promise<Snapshot> {
  return readSnapshot(client, { capabilities, pinned: [] });
}

/** Reads the service and plans; everything that needs a flag is allowed. */
export async function planOn(direct: Direct, manifest: Manifest, destroy = false): Promise<Planned> {
  const { client, capabilities } = direct;
  const pinned = manifest.resources.flatMap(({ kind, lifecycle: { pin } }) => (pin ? [{ kind, id: pin.id }] : []));
  const snapshot = await readSnapshot(client, { capabilities, pinned });
  const options = { ...optionsFor(direct, manifest), destroy };
  return { manifest, snapshot, plan: buildPlan({ manifest, snapshot, service: BASE_URL, options }) };
}

function optionsFor({ capabilities }: Direct, manifest: Manifest): PlanOptions {
  const allowLoss = manifest.resources.map((resource) => resource.address);
  return { destroy: false, allowDeletes: 'all', allowLoss, targets: [], capabilities };
}

/** Reads the service and compares it with the manifest. */
export async function driftOn(direct: Direct, manifest: Manifest, journal?: JournalView): Promise<Drift> {
  const snapshot = await snapshotOf(direct);
  const options = { ...optionsFor(direct, manifest), ...(journal !== undefined && { journal }) };
  return findDrift({ manifest, snapshot, service: BASE_URL, options }).drift;
}

/** Why a plan is not to be applied, or undefined. */
export function refusalOf({ plan }: Planned): string | undefined {
  const error = plan.diagnostics.find((one) => one.severity === 'error');
  return plan.refusals[0]?.rule ?? error?.code;
}

/** Performs a plan; `plan` may be given in another order. */
export function applyOn(
  direct: Direct,
  { manifest, snapshot, plan, ...more }: Planned & Pick<ApplyInput, 'history'>,
  concurrency = 1,
): Promise<readonly StepResult[]> {
  return applyPlan({
    ...more,
    plan,
    client: direct.client,
    ownershipScope: manifest,
    secrets: secretLookup(manifest, snapshot),
    known: knownValues(manifest, snapshot),
    ...APPLY_DEFAULTS,
    live: liveOf(snapshot),
    imports: importsIn(manifest, snapshot).known,
    concurrency,
  });
}
