// What the properties over worlds have in common: apply until nothing is left, in the plan's order or in any other one.

import { canonicalJson, isObject, parseJson } from '../../src/core/json.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { ID, METADATA } from '../../src/catalog/fields/common.ts';
import { kindByIdPrefix, kindByName } from '../../src/catalog/lookup.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { Expression } from '../../src/core/value.ts';
import { secretLookup } from '../../src/plan/lookup.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import type { Plan, PlannedRequest, Step } from '../../src/plan/plan.ts';
import { idsIn } from '../../src/resource/references.ts';
import type { Chance } from './chance.ts';
import type { Direct, Planned, Sent } from './in-process.ts';
import { addForeign } from './concurrent-edits.ts';
import { applyOn, createDirect, planOn, refusalOf } from './in-process.ts';
import { isSet, textsIn, uniqueFields } from './document.ts';
import { fieldPaths } from './samples.ts';
import type { CaseResult, Trail } from './tally.ts';
import { outline } from './tally.ts';
import { tryLoad, type World } from './worlds.ts';

/** Fails the property. */
export function must(holds: boolean, message: () => string): void {
  if (!holds) throw new Error(message());
}

/** Plans and applies; gives the reason when the plan refuses. */
export async function settle(
  direct: Direct,
  manifest: Manifest,
  trail: Trail,
  isChecked = true,
): Promise<string | undefined> {
  const planned = await planOn(direct, manifest);
  trail.note(() => `plan:\n${outline(planned.plan)}`);
  const refusal = refusalOf(planned);
  if (refusal !== undefined) return refusal;
  if (isChecked) await perform(direct, planned, trail);
  else await carryOut(direct, planned);
  return undefined;
}

/** A world whose first manifest is applied, beside the objects of others; the second one is still to come. */
interface SettledWorld {
  readonly direct: Direct;
  readonly second: Manifest;
}

/** The same, or how the case ends already. */
export async function settleFirst(world: World, trail: Trail): Promise<SettledWorld | CaseResult> {
  const [first, second] = [tryLoad(world.first), tryLoad(world.second)];
  if (first === undefined || second === undefined) return 'invalid';
  const direct = createDirect(world);
  addForeign(direct, world.foreign);
  const refusal = await settle(direct, first, trail, false);
  return refusal === undefined ? { direct, second } : trail.refuse(refusal);
}

/** Applies; every step is done. */
async function carryOut(direct: Direct, planned: Planned, concurrency = 8): Promise<void> {
  const results = await applyOn(direct, planned, concurrency);
  const failed = results.filter((one) => one.status !== 'done');
  must(failed.length === 0, () => failed.map((one) => `${one.address} ${one.status}: ${one.error ?? ''}`).join('\n'));
}

/** Destroys; gives the reason when the plan refuses. */
export async function destroy(direct: Direct, manifest: Manifest, trail: Trail): Promise<string | undefined> {
  const planned = await planOn(direct, manifest, true);
  trail.note(() => `plan to destroy:\n${outline(planned.plan)}`);
  const refusal = refusalOf(planned);
  if (refusal !== undefined) return refusal;
  await carryOut(direct, planned);
  return undefined;
}

/** Applies; every step is done, and the plan afterwards is empty. */
export async function perform(direct: Direct, planned: Planned, trail: Trail, concurrency = 8): Promise<void> {
  await carryOut(direct, planned, concurrency);
  const after = await planOn(direct, planned.manifest);
  trail.note(() => `plan after it:\n${outline(after.plan)}`);
  const left = after.plan.steps.map((step) => `${step.action} ${step.changes.map((one) => one.path).join()}`);
  must(left.length === 0, () => `steps are left: ${left.join('; ')}`);
  must(refusalOf(after) === undefined, () => `refused only afterwards: ${refusalOf(after) ?? ''}`);
  // Who caused it may be known better afterwards: an adoption gives the object its first marker.
  const blocked = (plan: Plan) => JSON.stringify(plan.blocked.map(({ address, path }) => [address, path]));
  must(blocked(after.plan) === blocked(planned.plan), () => 'what is blocked differs afterwards');
}

/** The plan with its steps one after the other, in the given order. */
export function inOrder(plan: Plan, steps: readonly Step[]): Plan {
  return {
    ...plan,
    steps: steps.map((step, index) => ({ ...step, depends_on: index === 0 ? [] : [steps[index - 1]!.id] })),
  };
}

/** Some order that the plan's graph allows. */
export function someOrder(steps: readonly Step[], chance: Chance): Step[] {
  const rest = [...steps];
  const done = new Set<string>();
  return steps.map(() => {
    const isEnd = rest.every(({ last }) => last === true);
    const ready = rest.filter((step) => step.depends_on.every((id) => done.has(id)) && (isEnd || step.last !== true));
    const next = ready[chance(ready.length)]!;
    rest.splice(rest.indexOf(next), 1);
    done.add(next.id);
    return next;
  });
}

/** Checks after every write that the service accepted it, and that nothing names what is gone. */
export function watchPrefixes(direct: Direct, { snapshot, manifest }: Planned): void {
  const assigned = new Map(
    snapshot.resources.map((live) => [live.id, Object.values(live.computed).filter((one) => typeof one === 'string')]),
  );
  const ignored = new Map(manifest.resources.map(({ address, lifecycle }) => [address, lifecycle.ignoreChanges]));
  const isIgnored = (stored: Stored, name: string) => {
    const { marker } = readMarker(String(stored.spec[METADATA] ?? ''));
    return ignored.get(marker?.address ?? '')?.includes(name) === true;
  };
  direct.onWrite = (sent) => {
    must(sent.status < 400, () => `${sent.method} ${sent.path} was refused: ${sent.answer}`);
    const all = direct.store.all();
    const given = new Set([...assigned].flatMap(([id, texts]) => (direct.store.get(id) === undefined ? texts : [])));
    for (const stored of all) {
      const kind = kindByName(stored.kind);
      for (const id of idsIn(kind.fields, stored.spec)) {
        const isMissing = kindByIdPrefix(id) !== undefined && direct.store.get(id) === undefined;
        must(!isMissing, () => `after ${sent.method} ${sent.path}, ${stored.id} names ${id}, which is gone`);
      }
      // What `ignore_changes` keeps may well be a value that is given up: that is what it asks for.
      const held = uniqueFields(kind).flatMap(([name]) => (isIgnored(stored, name) ? [] : textsIn(stored.spec[name])));
      const lost = held.find((text) => given.has(text));
      must(
        lost === undefined,
        () => `after ${sent.method} ${sent.path}, ${stored.id} serves ${lost ?? ''}, which is given up`,
      );
    }
  };
}

/** Checks after every write that no secret went that the manifest did not ask to go. */
export function watchSecrets(direct: Direct, manifest: Manifest): void {
  let before = secretsByObject(direct);
  direct.onWrite = ({ method, path }) => {
    const after = secretsByObject(direct);
    for (const [id, paths] of before) {
      const stored = direct.store.get(id);
      if (stored === undefined) continue;
      const { marker } = readMarker(String(stored.spec[METADATA] ?? ''));
      const wanted = manifest.resources.find((resource) => resource.address === marker?.address);
      const ignored = (one: string) =>
        wanted?.lifecycle.ignoreChanges.some((ignore) => one === ignore || one.startsWith(`${ignore}.`)) === true;
      const isKept = (one: string) => ignored(one) || wanted?.spec[one.split('.')[0] ?? ''] === undefined;
      const isModuleThere = (one: string) => isObject(stored.spec[one.split('.')[0] ?? '']);
      const lost = [...paths].find((one) => after.get(id)?.has(one) !== true && isKept(one) && isModuleThere(one));
      must(lost === undefined, () => `${method} ${path} takes ${lost ?? ''} of ${id} away, and nobody can read it`);
    }
    before = after;
  };
}

/** Paths of secrets that there are, by id. */
function secretsByObject({ store }: Direct): Map<string, Set<string>> {
  return new Map(
    store.all().map(({ id, kind, spec }) => {
      const secrets = fieldPaths(kindByName(kind).fields).filter(({ field }) => field.sensitive);
      return [id, new Set(secrets.filter(({ path }) => isSet(spec, path)).map(({ path }) => path.join('.')))];
    }),
  );
}

const PLACEHOLDER = /\$\$\{|\$\{digest:[^}]+\}|\$\{([^}]+)\}/g;
const ANY_DIGEST = '\u0001';

/** The writes that the plan announces, each once; gives those that are missing and those that are too many. */
export function compareWithPlan(planned: Planned, sent: readonly Sent[]): { missing: string[]; extra: string[] } {
  const { plan, manifest, snapshot } = planned;
  const known = new Map<string, JsonObject>();
  for (const live of snapshot.resources) {
    if (live.marker?.stack === manifest.stack) known.set(live.marker.address, { ...live.computed, id: live.id });
  }
  for (const { address, from } of ownNames(manifest, known)) known.set(address, known.get(from)!);
  for (const { address, lifecycle } of manifest.resources) {
    const named = snapshot.resources.find(({ id }) => id === lifecycle.pin?.id);
    if (named !== undefined) known.set(address, { ...named.computed, id: named.id });
  }
  const secrets = secretLookup(manifest, snapshot);
  const rest = [...sent];
  const missing: string[] = [];
  for (const step of plan.steps) {
    for (const request of step.requests) {
      const expected = fill(request as unknown as Json, known, (from) =>
        textOf(secrets(from), known),
      ) as unknown as PlannedRequest;
      const index = rest.findIndex((one) => isSame(one, expected));
      if (index < 0) {
        missing.push(`${expected.method} ${expected.path} ${JSON.stringify(expected.body)}`);
        continue;
      }
      const [found] = rest.splice(index, 1);
      const body = parseJson(found!.answer);
      if (isObject(body) && typeof body[ID] === 'string')
        known.set(step.address, { ...known.get(step.address), ...body });
    }
  }
  return { missing, extra: rest.map((one) => `${one.method} ${one.path} ${JSON.stringify(one.body)}`) };
}

function textOf(secret: Secret | Expression | undefined, known: ReadonlyMap<string, JsonObject>): string {
  if (!(secret instanceof Expression)) return secret?.reveal() ?? '';
  const parts = secret.parts.map((part) => {
    if (typeof part === 'string') return part;
    return part instanceof Secret ? part.reveal() : fillText(`\${${part.address}.${part.attr}}`, known);
  });
  return parts.join('');
}

/** Renamed objects are known by their old address until their marker is written. */
function ownNames(manifest: Manifest, known: ReadonlyMap<string, JsonObject>) {
  const names = manifest.moved.filter((move) => known.has(move.from) && !known.has(move.to));
  return names.map(({ from, to }) => ({ from, address: to }));
}

function fill(value: Json, known: ReadonlyMap<string, JsonObject>, secret: (from: string) => string): Json {
  if (typeof value === 'string') return fillText(value, known);
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, known, secret));
  if (!isObject(value)) return value;
  if (value['sensitive'] === true && typeof value['from'] === 'string') return secret(value['from']);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, known, secret)]));
}

function fillText(text: string, known: ReadonlyMap<string, JsonObject>): string {
  return text.replace(PLACEHOLDER, (whole: string, target?: string) => {
    if (target === undefined) return whole === '$${' ? '${' : ANY_DIGEST;
    const fitting = [...known.keys()].filter((one) => target.startsWith(`${one}.`));
    const address = fitting.sort((a, b) => b.length - a.length)[0] ?? '';
    const attr = target.slice(address.length + 1).split('.');
    const value = attr.reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), known.get(address));
    return typeof value === 'string' ? value : `(${target} is not known)`;
  });
}

function isSame(sent: Sent, expected: PlannedRequest): boolean {
  if (sent.method !== expected.method || sent.path !== expected.path) return false;
  const { body } = expected;
  if (!isObject(sent.body) || body === undefined) return sent.body === undefined && body === undefined;
  const { [METADATA]: text = '', ...fields } = sent.body;
  const { [METADATA]: wanted = '', ...others } = body;
  if (canonicalJson(fields) !== canonicalJson(others)) return false;
  const escaped = String(wanted)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    .replaceAll(ANY_DIGEST, '[\\w-]{12,20}');
  return new RegExp(`^${escaped}$`, 'u').test(String(text));
}
