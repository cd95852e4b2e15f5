// What a step does to who gets in: by the fields that it changes, and by which of several objects answers a request afterwards. Pure
// (record 0101).

import type { Kind } from '../../catalog/kind.ts';
import { fieldEntries } from '../../catalog/walk.ts';
import { groupBy } from '../../core/group.ts';
import type { ValueObject } from '../../core/value.ts';
import type { FieldDiff } from '../../resource/diff.ts';
import { exposuresOfField, swapped, type ChangedField, type FieldExposure } from '../../resource/exposure.ts';
import { display } from '../../resource/placeholder.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { isOwnDoing } from '../count-steps.ts';
import type { Exposure } from '../exposure.ts';
import type { Change } from '../plan.ts';

/** Differences of an object, and how they are shown. */
interface Shown {
  readonly diffs: readonly FieldDiff[];
  readonly changes: readonly Change[];
}

/** What the step does. */
export function exposuresOfChanges(address: string, shown: Shown): Exposure[] {
  return at(address, changedFields(shown).flatMap(exposuresOfField));
}

/** What was done outside, and the step undoes. */
export function exposuresOutside(address: string, { diffs, changes }: Shown): Exposure[] {
  const outside = changes.filter(({ cause }) => !isOwnDoing(cause));
  return at(address, changedFields({ diffs, changes: outside }).map(swapped).flatMap(exposuresOfField));
}

function changedFields({ diffs, changes }: Shown): ChangedField[] {
  const byName = groupBy(changes, ({ path }) => path.split('.')[0] ?? '');
  return diffs.flatMap(({ name, field, live, desired }) => {
    const differences = byName.get(name);
    return differences === undefined ? [] : [{ name, field, before: live, after: desired, differences }];
  });
}

/** A new object opens what it reaches. Its guards close nothing, because nothing was open. */
export function exposuresOfCreation({ kind, address, spec }: NewObject): Exposure[] {
  return at(address, reachOf(kind, spec).flatMap(exposuresOfField));
}

interface NewObject {
  readonly kind: Kind;
  readonly address: string;
  readonly spec: ValueObject;
}

/** What is deleted closes what it reached. */
export function exposuresOfRemoval(kind: Kind, address: string, { spec }: LiveResource): Exposure[] {
  return at(address, reachOf(kind, spec).map(swapped).flatMap(exposuresOfField));
}

/** The fields of a new object that say what it reaches. */
function reachOf(kind: Kind, spec: ValueObject): ChangedField[] {
  return fieldEntries(kind.fields).flatMap(([name, field]) => {
    const after = spec[name];
    if (field.access !== 'reach' || after === undefined) return [];
    return [
      { name, field, before: undefined, after, differences: [{ path: name, before: null, after: display(after) }] },
    ];
  });
}

function at(address: string, exposures: readonly FieldExposure[]): Exposure[] {
  return exposures.map((exposure) => ({ ...exposure, address }));
}
