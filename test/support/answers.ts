// A service made of answers typed by hand: what a manifest's application writes into `metadata` is recorded, and plans are
// made against bodies of any shape. Nothing here knows what a body looks like.

import { APPLY_DEFAULTS } from './applying.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';
import { isValueObject } from '../../src/core/value.ts';
import type { ReadClient, WriteClient } from '../../src/service/transport.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import type { Capability, Kind } from '../../src/catalog/kind.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { childKinds, kindByManifestKey, kindByName } from '../../src/catalog/lookup.ts';
import { alwaysShown } from '../../src/catalog/shown.ts';
import { readSnapshot } from '../../src/service/read.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { buildPlan } from '../../src/plan/build.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Change, Plan } from '../../src/plan/plan.ts';
import { load } from './world.ts';

/** Bodies by manifest key, as the list of that kind answers them; `undefined` members are not answered at all. */
export type Answers = Readonly<Record<string, readonly Body[]>>;
export interface Body {
  readonly [name: string]: Json | undefined;
}

/**
 * A reader whose lists answer the given bodies, after a trip through JSON text. What every answer has and a body leaves out is
 * null.
 */
export function readerOf(answers: Answers): ReadClient {
  const items = new Map<string, readonly JsonObject[]>();
  for (const [key, bodies] of Object.entries(answers)) {
    const kind = kindByManifestKey(key);
    const path = kind?.operations.list?.path ?? '';
    const given = JSON.parse(JSON.stringify(bodies)) as JsonObject[];
    items.set(path, kind === undefined ? given : given.map((body) => completed(kind, body)));
  }
  return {
    list: (path) => Promise.resolve({ items: items.get(path) ?? [], requests: 1, shifted: false }),
    get: () => Promise.resolve(undefined),
  };
}

function completed(kind: Kind, body: JsonObject): JsonObject {
  const whole: Record<string, Json> = Object.fromEntries(alwaysShown(kind).map((name) => [name, null]));
  Object.assign(whole, body);
  for (const child of childKinds(kind)) {
    const key = child.parent?.listedAs ?? '';
    const items = whole[key];
    if (isList(items)) whole[key] = items.map((item) => (isObject(item) ? completed(child, item) : item));
  }
  return whole;
}

/** The plan for a manifest against answers. */
export async function planAgainst(
  wanted: Json,
  answers: Answers | ReadClient,
  given: Partial<PlanOptions> = {},
): Promise<Plan> {
  return planOf(load(wanted), isReader(answers) ? answers : readerOf(answers), given);
}

function isReader(answers: Answers | ReadClient): answers is ReadClient {
  return typeof answers['list'] === 'function';
}

async function planOf(manifest: Manifest, client: ReadClient, given: Partial<PlanOptions>): Promise<Plan> {
  const capabilities = new Set<Capability>(CAPABILITIES);
  const snapshot = await readSnapshot(client, { capabilities, pinned: [] });
  const options = { destroy: false, allowDeletes: 'all', allowLoss: [], targets: [], capabilities, ...given } as const;
  return buildPlan({ manifest, snapshot, service: 'https://api.example.test/', options });
}

/** The metadata text of every object once the manifest is applied to an empty service, by address. */
export async function metadataOf(applied: Json): Promise<ReadonlyMap<string, string>> {
  const manifest = load(applied);
  const plan = await planOf(manifest, readerOf({}), {});
  const texts = new Map<string, Json>();
  const client: WriteClient = {
    ...readerOf({}),
    write: ({ method, path, body }) => {
      const id = method === 'POST' ? `${prefixOf(plan, path)}${texts.size + 1}` : (path.split('/').at(-1) ?? '');
      texts.set(id, body?.['metadata'] ?? texts.get(id) ?? '');
      return Promise.resolve({ ...body, id });
    },
    backOff: () => Promise.resolve(undefined),
  };
  const results = await applyPlan({
    plan,
    client,
    secrets: (from) => secretAt(manifest, from),
    known: new Map(),
    ...APPLY_DEFAULTS,
    concurrency: 1,
  });
  const failed = results.filter((result) => result.status !== 'done');
  if (failed.length > 0) throw new Error(JSON.stringify(failed));
  return new Map(results.map(({ address, live_id }) => [address, String(texts.get(live_id ?? ''))]));
}

function prefixOf(plan: Plan, path: string): string {
  const names = new Set(plan.steps.map((step) => step.kind));
  for (const name of names) {
    const { operations, idPrefix } = kindByName(name);
    const pattern = (operations.create?.path ?? '').replace(/\{\w+\}/g, '[^/]+');
    if (new RegExp(`^${pattern}$`).test(path)) return idPrefix;
  }
  throw new Error(`nothing is created by POST ${path}`);
}

function secretAt(manifest: Manifest, from: string): Secret | undefined {
  const [address, path = ''] = from.split('#');
  const spec = manifest.resources.find((resource) => resource.address === address)?.spec;
  const value = path.split('.').reduce<Value | undefined>((at, key) => (isValueObject(at) ? at[key] : undefined), spec);
  return value instanceof Secret ? value : undefined;
}

/** What a plan does and why, one text a change: `update tls_edges.x description: drift`. */
export function changesIn(plan: Plan): string[] {
  const problems = [
    ...plan.blocked.map((one) => `blocked ${one.address} ${one.path}`),
    ...plan.refusals.map((one) => `refused ${one.rule} ${one.addresses.join()}`),
    ...plan.diagnostics.map((one) => `${one.severity} ${one.code}`),
  ];
  return [
    ...problems,
    ...plan.steps.flatMap((step) => {
      const what = `${step.action}${step.phase ? ` ${step.phase}` : ''} ${step.address}`;
      return step.changes.length === 0
        ? [what]
        : step.changes.map((change: Change) => `${what} ${change.path}: ${change.cause}`);
    }),
  ];
}

/** Every JSON object inside a value, itself first. */
export function objectsIn(value: Json): JsonObject[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(objectsIn);
  if (!isObject(value)) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
