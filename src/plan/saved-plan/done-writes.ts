// Whether what a saved plan has already done holds: its values and markers are there, and what it deleted is gone. A step that
// nothing is left of is not believed to be done; this looks.

import { isRemoval, changedFields, fingerprintFields } from '../fingerprint.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import type { Kind } from '../../catalog/kind.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { parsePath } from '../../catalog/path.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import type { Value, ValueObject } from '../../core/value.ts';
import { compareFields } from '../../resource/diff.ts';
import { readMarker } from '../../resource/marker/marker-codec.ts';
import type { LiveResource, Marker } from '../../resource/snapshot.ts';
import type { PlannedRequest, Step } from '../plan.ts';
import { sentValues, type FillingSource } from './filled-requests.ts';
import type { StepFate } from './work-left.ts';

/** What requests that were sent have left in one object. */
export interface DoneWrites {
  /** Undefined if a value is not known, so that nothing can have been sent. */
  readonly values: ValueObject | undefined;
  /** Fields that were removed. */
  readonly removed: ReadonlySet<string>;
}

const NONE: DoneWrites = { values: {}, removed: new Set() };

/** The writes that a step has done: all of its requests if nothing is left of it, or the first ones. */
export function requestsDone(fate: StepFate): readonly PlannedRequest[] {
  if (isRemoval(fate.step) || fate.step.action === 'release') return [];
  if (fate.is === 'missing') return fate.step.requests;
  return fate.is === 'left' ? fate.step.requests.slice(0, fate.sent) : [];
}

/** What all steps together have left in each object, by its id. Later writes count. */
export function doneWrites(
  fates: readonly StepFate[],
  idOf: (fate: StepFate) => string | undefined,
  source: FillingSource,
): ReadonlyMap<string, DoneWrites> {
  const found = new Map<string, DoneWrites>();
  for (const fate of fates) {
    const id = idOf(fate);
    const requests = requestsDone(fate);
    if (id === undefined || requests.length === 0) continue;
    found.set(id, together(found.get(id) ?? NONE, writesOf(fate.step, requests, source)));
  }
  return found;
}

function writesOf(step: Step, requests: readonly PlannedRequest[], source: FillingSource): DoneWrites {
  const kind = kindByName(step.kind);
  const removed = requests.flatMap(({ method, path }) => (method === 'DELETE' ? removedField(kind, path) : []));
  return { values: sentValues(step, requests, source), removed: new Set(removed) };
}

function removedField(kind: Kind, path: string): string[] {
  const segment = parsePath(kind, path)?.field;
  return Object.keys(kind.fields).filter((name) => segment !== undefined && kind.fields[name]?.remove === segment);
}

function together(before: DoneWrites, later: DoneWrites): DoneWrites {
  const values = before.values && later.values && { ...before.values, ...later.values };
  return { values, removed: new Set([...before.removed, ...later.removed]) };
}

/** Names of the fields that do not have what was sent; with the marker, if it is another one. */
export function fieldsLost(
  live: LiveResource,
  { values, removed }: DoneWrites,
  ignored: readonly string[],
): readonly string[] {
  if (values === undefined) return [METADATA];
  const kind = kindByName(live.kind);
  const sent = Object.keys(values).filter((name) => name !== METADATA);
  const emptied = [...removed].filter((name) => values[name] === undefined);
  const wanted = Object.fromEntries(
    Object.entries({ ...live.spec, ...values }).filter(([name]) => !emptied.includes(name)),
  );
  const names = new Set([...sent, ...removed]);
  const differing = compareFields(kind, wanted, live, ignored).filter((diff) => diff.differences.length > 0);
  const fields = differing.flatMap(({ name }) => (names.has(name) ? [name] : []));
  return hasMarker(live, values[METADATA], ignored) ? fields : [...fields, METADATA];
}

/** Whether the object carries the marker and the text that were sent. Who created it is not part of the plan. */
function hasMarker(live: LiveResource, sent: Value | undefined, ignored: readonly string[]): boolean {
  if (sent === undefined) return true;
  const text = sent instanceof Secret ? sent.reveal() : sent;
  if (typeof text !== 'string') return false;
  const { marker, user } = readMarker(text);
  const isSameText = ignored.includes(METADATA) || user === live.userMetadata;
  return isSameText && comparableMarker(marker) === comparableMarker(live.marker);
}

function comparableMarker(marker: Marker | undefined): string {
  if (marker === undefined) return '';
  const { stack, address, applied, protect = false } = marker;
  return canonicalJson({ stack, address, applied, protect } satisfies Json);
}

/** Names of the fields that changed since the plan was made, without those that its own steps wrote. */
export function changedByOthers(
  step: Step,
  live: LiveResource,
  children: readonly LiveResource[],
  own: DoneWrites = NONE,
) {
  const now = fingerprintFields(kindByName(live.kind), live, { children, before: step.seen });
  const written = new Set([...Object.keys(own.values ?? {}), ...own.removed]);
  return changedFields(step.seen ?? {}, now).filter((name) => !written.has(name));
}
