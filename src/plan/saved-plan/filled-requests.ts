// Requests of a plan in the form in which they are compared: every placeholder whose value is known by now is filled in, so that
// a saved request equals the one that a new plan would make of it. Pure; sends nothing.

import { canonicalJson, isList, isObject, mapObject, type Json, type JsonObject } from '../../core/json.ts';
import { Expression } from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { pathSegment } from '../../catalog/path.ts';
import { digestLookup, saltOf } from '../../resource/digests.ts';
import { encodeField, fillValues, partlyFilled, type Lookup } from '../../resource/placeholder.ts';
import { attribute, type KnownObjects } from '../../resource/resolve.ts';
import type { Step } from '../plan.ts';

/** Where placeholders are looked up: objects of the stack and imports that exist by now, and secrets. */
export interface FillingSource {
  readonly stack: string;
  readonly known: KnownObjects;
  readonly secret: Lookup['secret'];
}

/** What a step sends, for filling in its requests one after the other. */
type Filling = Pick<Step, 'address' | 'kind' | 'requests'>;

type Attr = (address: string, attr: string) => string | undefined;

/** A lookup whose attributes are texts. */
interface TextLookup extends Lookup {
  readonly attr: Attr;
}

/** The lookup of apply for one step, without what does not exist yet. */
function lookupOf({ address, kind }: Filling, { stack, known, secret }: FillingSource): TextLookup {
  return {
    attr: (of, attr) => textOf(known, of, attr),
    secret,
    digest: digestLookup(kindByName(kind), saltOf({ stack, address })),
  };
}

function textOf(known: KnownObjects, address: string, attr: string): string | undefined {
  const live = known.get(address);
  const value = live === undefined ? undefined : attribute(live, attr);
  return typeof value === 'string' ? value : undefined;
}

/** A request of which a part can be told: equal texts mean equal values. */
export interface ComparableRequest {
  /** Method and path. */
  readonly target: string;
  /** Texts of what is sent, by field. */
  readonly fields: ReadonlyMap<string, string>;
}

/** True when a request sends nothing that the other one does not send to the same path. */
export function isPartOf(part: ComparableRequest, whole: ComparableRequest): boolean {
  return part.target === whole.target && [...part.fields].every(([name, text]) => whole.fields.get(name) === text);
}

/** The requests of a step, one after the other. */
export function comparableRequests(step: Filling, source: FillingSource): ComparableRequest[] {
  const lookup = lookupOf(step, source);
  const { attr } = lookup;
  const { fields } = kindByName(step.kind);
  let sent: JsonObject = {};
  return step.requests.map(({ method, path, body = {} }) => {
    sent = { ...sent, ...body };
    const segments = partlyFilled(path, { attr: (address, name) => segmentOf(attr(address, name)) });
    const filled = mapObject(body, (value, name) =>
      name === METADATA && typeof value === 'string'
        ? partlyFilled(value, { attr, digest: (field) => digestIn(field, sent, lookup) })
        : encodeField(fields[name], filledValue(value, attr)),
    );
    return {
      target: canonicalJson([method, segments]),
      fields: new Map(Object.entries(filled).map(([name, value]) => [name, canonicalJson(value)])),
    };
  });
}

function segmentOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : pathSegment(text);
}

function filledValue(value: Json, attr: Attr): Json {
  if (typeof value === 'string') return partlyFilled(value, { attr });
  if (isList(value)) return value.map((item) => filledValue(item, attr));
  if (!isObject(value) || value['sensitive'] === true) return value;
  return mapObject(value, (item) => filledValue(item, attr));
}

/** The digest of a field that was sent; undefined while a part of its value is not known. */
function digestIn(field: string, sent: JsonObject, lookup: Lookup): string | undefined {
  const value = sent[field];
  if (value === undefined || !isKnown(value, lookup)) return undefined;
  return lookup.digest(field, fillValues({ [field]: value }, lookup)[field] ?? null);
}

/** True when every placeholder of a value can be filled in. */
function isKnown(value: Json, lookup: Lookup): boolean {
  if (typeof value === 'string') return typeof partlyFilled(value, { attr: lookup.attr }) === 'string';
  if (isList(value)) return value.every((item) => isKnown(item, lookup));
  if (!isObject(value)) return true;
  if (value['sensitive'] === true) return isSecretKnown(value['from'], lookup);
  return Object.values(value).every((item) => isKnown(item, lookup));
}

function isSecretKnown(from: Json | undefined, { secret, attr }: Lookup): boolean {
  const found = typeof from === 'string' ? secret(from) : undefined;
  if (!(found instanceof Expression)) return found !== undefined;
  return found.references().every((one) => attr(one.address, one.attr) !== undefined);
}
