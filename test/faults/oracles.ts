// What must hold in every world, read from the service's own objects and log and from the bytes of the output.

import type { Json } from '../../src/base/json.ts';
import { canonicalJson, isList, isObject } from '../../src/base/json.ts';
import { METADATA } from '../../src/catalog/common.ts';
import type { Field } from '../../src/catalog/field.ts';
import { kindByIdPrefix, kindByName } from '../../src/catalog/lookup.ts';
import { respond } from '../../src/emulator/respond.ts';
import type { Store, Stored } from '../../src/emulator/store.ts';
import { readMarker } from '../../src/live/owner.ts';
import { idsIn } from '../../src/plan/references.ts';
import { textsIn, uniqueFields } from '../support/document.ts';
import type { Entry } from './service.ts';
import { addressIn, BASE_URL, MEDDLED } from './service.ts';

export type Oracle =
  | 'duplicate'
  | 'orphan'
  | 'missing'
  | 'different'
  | 'foreign'
  | 'dangling'
  | 'unique'
  | 'posts'
  | 'refused'
  | 'honesty'
  | 'canary'
  | 'deadline'
  | 'convergence'
  | 'token'
  | 'host'
  | 'patience'
  | 'zero'
  | 'crash';

export interface Violation {
  readonly oracle: Oracle;
  readonly text: string;
}

export const STACK = 'shop';

/** The address of an object of our stack. */
export function ownAddress(stored: Stored): string | undefined {
  const { marker } = readMarker(String(stored.spec[METADATA] ?? ''));
  return marker?.stack === STACK ? marker.address : undefined;
}

/** A write that was carried out. */
export function isDone(entry: Entry): boolean {
  return entry.method !== 'GET' && entry.status >= 200 && entry.status < 300;
}

function defaultOf(field: Field | undefined): Json | undefined {
  return typeof field?.default === 'object' ? field.default.value : undefined;
}

/** What there is, by address. */
export type Picture = ReadonlyMap<string, readonly string[]>;

/** What the stack looks like to users: by address, without ids and other things that differ between equal runs. */
export function pictureOf(store: Store, foreign: ReadonlySet<string>): Picture {
  const own = store.all().filter((stored) => !foreign.has(stored.id));
  const nameOf = (stored: Stored) => ownAddress(stored) ?? `? ${stored.kind}`;
  const names = new Map<string, string>();
  for (const stored of own) {
    const kind = kindByName(stored.kind);
    names.set(stored.id, `<${nameOf(stored)}>`);
    const shown = respond({ store, baseUrl: BASE_URL }, kind, stored);
    for (const [name, field] of Object.entries(kind.fields)) {
      const value = shown[name];
      const isOurs = field.write === 'never' && typeof value === 'string' && name !== 'created_at';
      if (isOurs && !names.has(value)) names.set(value, `<${nameOf(stored)}.${name}>`);
    }
  }
  const rename = (value: Json): Json => {
    if (typeof value === 'string') return names.get(value) ?? value;
    if (isList(value)) return value.map(rename);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rename(item)]));
  };
  const picture = new Map<string, string[]>();
  for (const stored of own) {
    const { user, marker } = readMarker(String(stored.spec[METADATA] ?? ''));
    const { fields } = kindByName(stored.kind);
    // What somebody wrote into an object that is nobody's, or nobody's any more, stays.
    const isDefault = (name: string, value: Json) =>
      (marker?.stack !== STACK && value === MEDDLED) ||
      canonicalJson(value) === canonicalJson(defaultOf(fields[name]) ?? null);
    const given = Object.entries({ ...stored.spec, [METADATA]: user }).filter((one) => !isDefault(...one));
    const spec = Object.fromEntries(given);
    const parent = stored.parentId === undefined ? '' : rename(stored.parentId);
    const text = `${String(parent)} ${canonicalJson(rename(spec))} ${marker?.protect === true ? 'protected' : ''}`;
    picture.set(nameOf(stored), [...(picture.get(nameOf(stored)) ?? []), text].sort());
  }
  return picture;
}

/** Every key that exists has its token in its file: nobody can get it anywhere else. */
export function checkTokens(store: Store, files: ReadonlyMap<string, string>, folder: string): Violation[] {
  return store.all().flatMap((stored): Violation[] => {
    const address = ownAddress(stored);
    const [token] = Object.values(stored.once);
    if (address === undefined || token === undefined) return [];
    const text = files.get(`${folder}/${address}.token`)?.trim();
    return text === token
      ? []
      : [{ oracle: 'token', text: `${address} (${stored.id}) is there, and nobody has its token` }];
  });
}

/** The end state against that of a run in which nothing went wrong. */
export function compareEnds(clean: Picture, now: Picture): Violation[] {
  const found: Violation[] = [];
  for (const [name, texts] of clean) {
    const own = now.get(name) ?? [];
    if (own.length < texts.length) found.push({ oracle: 'missing', text: `${name} is not there` });
    else if (own.length > texts.length)
      found.push({ oracle: 'duplicate', text: `${name} is there ${own.length} times` });
    else if (own.join('\n') !== texts.join('\n'))
      found.push({ oracle: 'different', text: `${name} is ${own.join(' ')}, and should be ${texts.join(' ')}` });
  }
  for (const [name, texts] of now)
    if (!clean.has(name)) found.push({ oracle: 'orphan', text: `${name} is left: ${texts.join(' ')}` });
  return found;
}

/** Objects of other people: as they were, and never named in a write. */
export function checkForeign(foreign: readonly Stored[], store: Store, log: readonly Entry[]): Violation[] {
  const changed = foreign.filter((one) => {
    const now = store.get(one.id);
    return now === undefined || canonicalJson(now.spec) !== canonicalJson(one.spec);
  });
  const touched = log.filter(
    ({ method, path }) => method !== 'GET' && foreign.some(({ id }) => path.split(/[/?]/).includes(id)),
  );
  return [
    ...changed.map((one): Violation => ({ oracle: 'foreign', text: `${one.id} was changed` })),
    ...touched.map((one): Violation => ({ oracle: 'foreign', text: `${one.method} ${one.path} touches another's` })),
  ];
}

/** After every write: nothing names what is gone, and no unique value is held twice. */
export function checkPrefixes(log: readonly Entry[]): Violation[] {
  const found: Violation[] = [];
  for (const entry of log) {
    if (entry.method === 'DELETE' && entry.status === 400 && !entry.isLate)
      found.push({ oracle: 'dangling', text: `${entry.path} was deleted while others referred to it` });
    if (!isDone(entry)) continue;
    const ids = new Set(entry.objects.map((one) => one.id));
    const holders = new Map<string, string>();
    for (const stored of entry.objects) {
      const kind = kindByName(stored.kind);
      const lost = idsIn(kind.fields, stored.spec).find((id) => kindByIdPrefix(id) !== undefined && !ids.has(id));
      if (lost !== undefined)
        found.push({ oracle: 'dangling', text: `after ${entry.method} ${entry.path} ${stored.id} names ${lost}` });
      for (const [name, field] of uniqueFields(kind)) {
        const scope = field.unique === 'parent' ? `${stored.parentId ?? ''} ` : '';
        for (const value of textsIn(stored.spec[name])) {
          const key = `${scope}${name} ${value.toLowerCase()}`;
          if (holders.has(key)) found.push({ oracle: 'unique', text: `${key} is held twice after ${entry.path}` });
          holders.set(key, stored.id);
        }
      }
    }
  }
  return found;
}

/** At no time are there two objects of one address, but for a new one that says which one it replaces. */
export function checkMoments(log: readonly Entry[], before: readonly Stored[]): Violation[] {
  const found: Violation[] = [];
  let known = count(before);
  for (const entry of log) {
    if (!isDone(entry)) continue;
    const now = count(entry.objects);
    for (const [address, number] of now)
      if (number > 1 && number > (known.get(address) ?? 0))
        found.push({
          oracle: 'duplicate',
          text: `${address} is there ${number} times after ${entry.method} ${entry.path}`,
        });
    known = now;
  }
  return found;
}

function count(objects: readonly Stored[]): Map<string, number> {
  const counts = new Map<string, number>();
  const markers = objects.map((stored) => readMarker(String(stored.spec[METADATA] ?? '')).marker);
  const replaced = new Set(markers.map((marker) => marker?.replaces));
  objects.forEach((stored, index) => {
    const marker = markers[index];
    if (marker?.stack !== STACK || replaced.has(stored.id)) return;
    counts.set(marker.address, (counts.get(marker.address) ?? 0) + 1);
  });
  return counts;
}

/** Objects made, by address. */
export function postsByAddress(log: readonly Entry[]): Map<string, number> {
  const posts = new Map<string, number>();
  for (const entry of log) {
    if (entry.method !== 'POST' || !isDone(entry)) continue;
    const address = addressIn(entry.body?.[METADATA]) ?? '?';
    posts.set(address, (posts.get(address) ?? 0) + 1);
  }
  return posts;
}

/** Creations that were carried out more often than a run without faults needs them, or than what they made was deleted. */
export function checkPosts(clean: ReadonlyMap<string, number>, log: readonly Entry[]): Violation[] {
  return [...postsByAddress(log)].flatMap(([address, number]): Violation[] => {
    const isOnce = address.startsWith('api_keys.');
    const deleted = log.filter((one) => one.method === 'DELETE' && isDone(one) && one.address === address).length;
    const allowed = (clean.get(address) ?? 0) + (isOnce ? deleted : 0);
    return number > allowed ? [{ oracle: 'posts', text: `${address} was created ${number} times` }] : [];
  });
}

/** Texts that must not stand anywhere, in every form in which they may be written. */
export function checkCanaries(canaries: readonly string[], places: ReadonlyMap<string, string>): Violation[] {
  const forms = canaries.flatMap((canary) => [
    canary,
    Buffer.from(canary).toString('base64').replace(/=+$/, ''),
    Buffer.from(canary).toString('hex'),
  ]);
  return [...places].flatMap(([place, text]) =>
    forms.some((form) => text.includes(form)) ? [{ oracle: 'canary' as const, text: `a secret is in ${place}` }] : [],
  );
}
