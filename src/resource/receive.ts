// Response bodies → live resources in request shape (§2 and §4 differ in names and in Refs). Pure.
// Drops unknown fields, so they are never compared and never sent back.

import { append } from '../core/append.ts';
import { isList, isObject, mapObject, type Json, type JsonObject } from '../core/json.ts';
import { hasSecretAt } from '../core/digest.ts';
import { knownSecrets } from '../core/secrets/known.ts';
import { Secret } from '../core/secrets/secret.ts';
import { isSegment } from '../core/text/segment.ts';
import { placed, type Value, type ValueObject } from '../core/value.ts';
import { ID, METADATA } from '../catalog/fields/common.ts';
import type { Field, Fields, ObjectField } from '../catalog/field.ts';
import { idForm, isId } from '../catalog/id.ts';
import type { Kind } from '../catalog/kind.ts';
import { alwaysShown } from '../catalog/shown.ts';
import { fieldEntries } from '../catalog/walk.ts';
import { hide } from '../catalog/secrecy/secrecy.ts';
import { readMarker } from './marker/marker-codec.ts';
import type { LiveResource, Marker } from './snapshot.ts';
import { requiredSecrets } from './required-secrets.ts';
import { ShapeError } from './shape-error.ts';

/** One object of a response as a live resource; throws a `ShapeError` with the path of an invalid value. */
export function receive(kind: Kind, body: JsonObject, parentId?: string): LiveResource {
  const id = body[ID];
  if (typeof id !== 'string' || !isId(kind, id)) throw new ShapeError(ID, idForm(kind), id);
  const { spec, computed, writeOnly } = receiveObject(kind.fields, body, '');
  const text = body[METADATA] ?? '';
  if (typeof text !== 'string') throw new ShapeError(METADATA, 'a text', text);
  const { user, ...marking } = readMarker(text);
  const { [METADATA]: _, ...rest } = spec;
  const shown = hidden(kind, placed(rest, `live:${id}`), `live:${id}`, marking.marker);
  return {
    kind: kind.name,
    id,
    parentId,
    spec: user === '' ? shown : { ...shown, [METADATA]: user },
    computed,
    writeOnly: [...new Set([...writeOnly, ...requiredSecrets(kind, rest)])],
    metadata: text,
    userMetadata: user,
    ...marking,
  };
}

/** Throws a `ShapeError` for an object without a value that every object of its kind has: it was left out, and is not absent. */
export function requireShown(kind: Kind, body: JsonObject): void {
  const missing = alwaysShown(kind).find((name) => !Object.hasOwn(body, name));
  if (missing !== undefined) throw new ShapeError(missing, 'shown', undefined);
}

/** The spec with text made opaque where the applied value came from a sensitive variable (ADR-0018). */
function hidden(kind: Kind, spec: ValueObject, owner: string, marker: Marker | undefined): ValueObject {
  // Only a digest with a suffix, which says where secrets are, hides anything.
  if (marker === undefined || !Object.values(marker.applied).some((digest) => digest.includes(':'))) return spec;
  return mapObject(spec, (value, name) => {
    const digest = marker.applied[name] ?? '';
    if (!digest.includes(':')) return value;
    const at = { field: kind.fields[name], owner, path: [name] };
    return hide(value, at, (place) => hasSecretAt(digest, place));
  });
}

type ReceivedFields = Pick<LiveResource, 'spec' | 'computed' | 'writeOnly'>;

function receiveObject(fields: Fields, body: JsonObject, above: string): ReceivedFields {
  const spec: Record<string, Value> = {};
  const computed: Record<string, Json> = {};
  const masked: string[] = [];
  for (const [name, field] of fieldEntries(fields)) {
    const wireName = field.response?.name ?? name;
    const path = above === '' ? wireName : `${above}.${wireName}`;
    const value = Object.hasOwn(body, wireName) ? body[wireName] : undefined;
    if (value === undefined || value === null) continue;
    if (field.write === 'never') {
      if (!field.sensitive) {
        computed[name] = value;
      }
      // Nothing uses it, but it must not be shown.
      else if (typeof value === 'string' && !isMask(value)) knownSecrets.add(value);
    } else if (field.type === 'object') {
      const inner = receiveNested(field, value, path);
      spec[name] = inner.spec;
      if (Object.keys(inner.computed).length > 0) computed[name] = inner.computed;
      append(
        masked,
        inner.writeOnly.map((below) => `${name}.${below}`),
      );
    } else {
      const received = receiveValue(field, value, path);
      if (received !== undefined) spec[name] = received;
      else if (value !== '' || field.read === 'masked') masked.push(name);
    }
  }
  return { spec, computed, writeOnly: masked };
}

function receiveNested(field: ObjectField, value: Json, path: string): ReceivedFields {
  if (!isObject(value)) throw new ShapeError(path, 'an object', value);
  const inner = receiveObject(field.fields, value, path);
  if (!field.open) return inner;
  const unknown = Object.entries(value).filter(([name, item]) => item !== null && !Object.hasOwn(field.fields, name));
  return { ...inner, spec: { ...Object.fromEntries(unknown), ...inner.spec } };
}

function receiveValue(field: Field, value: Json, path: string): Value | undefined {
  if (field.response?.shape === 'ref') return refId(value, path);
  if (field.response?.shape === 'refs')
    return isList(value) ? value.map((item, index) => refId(item, `${path}.${index}`)) : [refId(value, path)];
  switch (field.type) {
    case 'string':
      return receiveText(field, value, path);
    case 'integer':
    case 'number':
      if (typeof value !== 'number') throw new ShapeError(path, 'a number', value);
      return value;
    case 'boolean':
      if (typeof value !== 'boolean') throw new ShapeError(path, 'true or false', value);
      return value;
    case 'list':
      if (!isList(value)) throw new ShapeError(path, 'a list', value);
      return value.map((item, index) => receiveValue(field.items, item, `${path}.${index}`) ?? '');
    case 'map':
      return receiveMap(value, path);
    case 'object':
      return receiveNested(field, value, path).spec;
    default:
      return field satisfies never;
  }
}

function receiveText(field: Field, value: Json, path: string): Value | undefined {
  if (typeof value !== 'string') throw new ShapeError(path, 'a text', value);
  if (!field.sensitive) return value;
  return isMask(value) ? undefined : new Secret(value);
}

/** What a service may show in place of a catalogued secret: nothing, or one sign repeated. Anything else is the secret (ADR-0009). */
function isMask(text: string): boolean {
  return /^(.)\1*$|^$/u.test(text);
}

function receiveMap(value: Json, path: string): Value {
  if (!isObject(value)) throw new ShapeError(path, 'an object', value);
  for (const item of Object.values(value)) {
    if (typeof item !== 'string') throw new ShapeError(`${path}.*`, 'a text', item);
  }
  return value;
}

function refId(value: Json, path: string): string {
  const id = isObject(value) ? value[ID] : undefined;
  if (typeof id !== 'string' || !isSegment(id)) throw new ShapeError(path, 'a Ref with an id', value);
  return id;
}
