// What an update means for other objects: the unique values that it takes and gives up, the objects that it still refers to, and the
// imports whose values it sends.

import { IMPORTS } from '../../catalog/address.ts';
import type { Kind } from '../../catalog/kind.ts';
import type { ValueObject } from '../../core/value.ts';
import type { DesiredResource } from '../../manifest/manifest.ts';
import { addressesIn, idsIn } from '../../resource/references.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { uniqueKeys } from '../../resource/uniques.ts';
import type { PlannedRequest } from '../plan.ts';
import type { StepDraft } from './step-draft.ts';

/** The object after the update: its kind, and the fields that it is to have. */
interface Updated {
  readonly kind: Kind;
  readonly next: ValueObject;
}

/** The unique values that an update takes, and those that it gives up. */
export function changedClaims(
  { kind, next }: Updated,
  { spec, parentId }: LiveResource,
): Pick<StepDraft, 'claims' | 'releases'> {
  const before = new Set(uniqueKeys(kind, spec, parentId));
  const after = new Set(uniqueKeys(kind, next, parentId));
  const claims = [...after].filter((key) => !before.has(key));
  return { claims, releases: [...before].filter((key) => !after.has(key)) };
}

/** What an object still refers to after its update: also in modules that are only switched off, and in fields that stay. */
export function referencedAfter(
  { kind, next }: Updated,
  { spec }: LiveResource,
  { switchedOff, unsendable }: { readonly switchedOff: ValueObject; readonly unsendable: readonly string[] },
): string[] {
  const left = Object.fromEntries(Object.entries(spec).filter(([name]) => unsendable.includes(name)));
  return idsIn(kind.fields, { ...next, ...switchedOff, ...left });
}

/** The imports whose values a step's requests carry: those in the fields that they send. */
export function importsCarried({ spec }: DesiredResource, requests: readonly PlannedRequest[]): string[] {
  const sent = new Set(requests.flatMap(({ body = {} }) => Object.keys(body)));
  const values = Object.entries(spec).flatMap(([name, value]) => (sent.has(name) ? [value] : []));
  return [...new Set(values.flatMap(addressesIn))].filter((address) => address.startsWith(`${IMPORTS}.`)).sort();
}
