// Metadata that leaves no room for the ownership marker. The plan checks what depends on live state: whether the text is sent
// at all, and what references resolve to.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { secretsAt } from '../../core/digest.ts';
import { Expression, holdsUnknown, type Value } from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import type { Field } from '../../catalog/field.ts';
import { hiddenPaths } from '../../catalog/secrecy/secrecy.ts';
import { digestLength } from '../../resource/digests.ts';
import { metadataOverflow } from '../../resource/marker/marker-codec.ts';
import type { Marker } from '../../resource/snapshot.ts';
import type { StackInput, Located } from '../resources.ts';

/** The shortest stack name, for when the name is unknown. */
const SHORTEST_STACK = 'x';

/** Every text that is too long together with its marker. */
export function checkMetadataLength({
  stack = SHORTEST_STACK,
  resources,
  sourceMap,
  unknownValues,
}: StackInput): Diagnostic[] {
  return resources.flatMap((one) => {
    const path = [...one.path, METADATA];
    const text = textOf(one.resource.spec[METADATA]);
    const ignored = [...one.path, 'lifecycle', 'ignore_changes'];
    const mayBeIgnored = unknownValues.mayHave(ignored) || one.resource.lifecycle.ignoreChanges.includes(METADATA);
    if (text === '' || mayBeIgnored || unknownValues.has(path)) return [];
    const mayBeNew = one.resource.lifecycle.pin === undefined;
    const words = metadataOverflow(one.kind, text, smallestMarker(stack, one), mayBeNew);
    if (words === undefined) return [];
    const message = 'metadata is too long together with the ownership marker';
    return [sourceMap.error('metadata-too-long', path, { message, ...words }, one.resource.address)];
  });
}

/** The known part of a text, which is its minimum length. */
function textOf(value: Value | undefined): string {
  if (value instanceof Expression) return value.parts.filter((part) => typeof part === 'string').join('');
  return typeof value === 'string' ? value : '';
}

/** The smallest marker that the object can have, new or existing; unknown values add nothing. */
function smallestMarker(stack: string, { resource, kind }: Located): Marker {
  const { address, spec, lifecycle } = resource;
  const applied = Object.entries(kind.fields).flatMap(([name, field]): [string, string][] => {
    const value = spec[name];
    if (value === undefined || value === null || isNothing(field, value) || (name === METADATA && holdsUnknown(value)))
      return [];
    return [[name, `${'x'.repeat(digestLength(field, value))}${secretsAt(hiddenPaths(value, field, name))}`]];
  });
  const marker = { v: 1, stack, address, applied: Object.fromEntries(applied) } as const;
  return lifecycle.preventDestroy === true ? { ...marker, protect: true } : marker;
}

function isNothing(field: Field, value: Value): boolean {
  return value === '' && (field.type === 'string' ? field.default === undefined : true);
}
