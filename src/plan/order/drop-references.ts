// References that an object must drop before something else can be deleted: above all those in disabled modules that cannot be
// removed, for lack of an operation (ADR-0021).

import type { Value, ValueObject } from '../../core/value.ts';
import type { Field } from '../../catalog/field.ts';
import { mapFieldLeaves } from '../../catalog/walk.ts';
import type { Kind } from '../../catalog/kind.ts';
import { isSwitchedOff } from '../../resource/canonical.ts';
import { compareFields, type FieldDiff } from '../../resource/diff.ts';
import { idsInField } from '../../resource/references.ts';

type Ids = ReadonlySet<string>;

/** The value without references to deleted objects; undefined when nothing is left. */
export function withoutIds(field: Field, value: Value, gone: Ids): Value | undefined {
  return mapFieldLeaves(value, { field, path: [], place: [] }, (leaf, at) =>
    at.field !== undefined && idsToDrop(at.field, leaf, gone).length > 0 ? undefined : leaf,
  );
}

function idsToDrop(field: Field, value: Value | undefined, gone: Ids): string[] {
  return idsInField(field, value).filter((id) => gone.has(id));
}

interface SwitchedOffInput {
  readonly desired: ValueObject;
  readonly live: ValueObject;
  readonly ignored: readonly string[];
}

/** Disabled modules, not in the manifest, that still refer to deleted objects. */
export function lingering(kind: Kind, { desired, live, ignored }: SwitchedOffInput, gone: Ids): FieldDiff[] {
  if (gone.size === 0) return [];
  const found = Object.entries(live).filter(([name, value]) => {
    const field = kind.fields[name];
    const isAsked = (desired[name] ?? null) !== null || ignored.includes(name);
    return field?.module === true && !isAsked && isSwitchedOff(value) && idsToDrop(field, value, gone).length > 0;
  });
  const spec = Object.fromEntries(found);
  return compareFields(kind, {}, { spec, writeOnly: [] }, [])
    .filter(({ name }) => Object.hasOwn(spec, name))
    .map((diff) => ({
      ...diff,
      differences: [{ path: diff.name, before: diff.live, after: undefined }],
      isLingering: true,
    }));
}
