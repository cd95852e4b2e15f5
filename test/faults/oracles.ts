// What must hold in every world, read from the service's own objects and log and from the bytes of the output.

import type { Json, JsonObject } from '../../src/core/json.ts';
import { canonicalJson, isList, isObject } from '../../src/core/json.ts';
import { DESCRIPTION, METADATA } from '../../src/catalog/fields/common.ts';
import type { Field } from '../../src/catalog/field.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import { respond } from '../../src/emulator/http/respond.ts';
import type { Store, Stored } from '../../src/emulator/state/store.ts';
import { marksIn, metadataOf, ownAddress, ownMark } from './read-markers.ts';
import type { Entry } from './service.ts';
import { BASE_URL, CONCURRENT_EDIT } from './service.ts';

export type Oracle =
  | 'duplicate'
  | 'orphan'
  | 'missing'
  | 'different'
  | 'foreign'
  | 'dangling'
  | 'unique'
  | 'posts'
  | 'unplanned'
  | 'protected'
  | 'exit'
  | 'lost'
  | 'claim'
  | 'refused'
  /** A stack is written before every stack of the waves before its own is done. */
  | 'wave'
  | 'honesty'
  | 'probe'
  | 'deadline'
  | 'convergence'
  | 'token'
  | 'host'
  | 'retry budget'
  /** `drift` blames others for what the stack's own runs did. */
  | 'drift'
  | 'zero'
  | 'crash';

export interface Violation {
  readonly oracle: Oracle;
  readonly text: string;
}

function defaultOf(field: Field | undefined): Json | undefined {
  return typeof field?.default === 'object' ? field.default.value : undefined;
}

export type FinalState = ReadonlyMap<string, readonly string[]>;

/** What the stack looks like to users: by address, without ids and other things that differ between equal runs. */
export function finalStateOf(store: Store, foreign: ReadonlySet<string>): FinalState {
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
  const finalState = new Map<string, string[]>();
  for (const stored of own) {
    const { user, marks } = marksIn(metadataOf(stored));
    const own = ownMark(stored);
    const { fields } = kindByName(stored.kind);
    // What somebody wrote into an object that is nobody's, or nobody's any more, stays.
    const isDefault = (name: string, value: Json) =>
      (own === undefined && value === CONCURRENT_EDIT) ||
      canonicalJson(value) === canonicalJson(defaultOf(fields[name]) ?? null);
    const given = Object.entries({ ...stored.spec, [METADATA]: user }).filter((one) => !isDefault(...one));
    const spec = Object.fromEntries(given);
    const parent = stored.parentId === undefined ? '' : rename(stored.parentId);
    const text = `${String(parent)} ${canonicalJson(rename(spec))} ${marks.some((mark) => mark.isProtected) ? 'protected' : ''}`;
    finalState.set(nameOf(stored), [...(finalState.get(nameOf(stored)) ?? []), text].sort());
  }
  return finalState;
}

/** Every key that exists has its token in its file, on one of the machines: nobody can get it anywhere else. */
export function checkTokens(store: Store, files: ReadonlyMap<string, string>, folder: string): Violation[] {
  return store.all().flatMap((stored): Violation[] => {
    const address = ownAddress(stored);
    const [token] = Object.values(stored.once);
    if (address === undefined || token === undefined) return [];
    const own = `${folder}/${address}.token`;
    if ([...files].some(([path, text]) => path.endsWith(own) && text.trim() === token)) return [];
    return [{ oracle: 'token', text: `${address} (${stored.id}) is there, and nobody has its token` }];
  });
}

/** The end state against that of a run in which nothing went wrong. */
export function compareEnds(clean: FinalState, now: FinalState): Violation[] {
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
    return now === undefined || canonicalJson(withoutEdit(now.spec, one.spec)) !== canonicalJson(one.spec);
  });
  const touched = log.filter(
    ({ method, path }) => method !== 'GET' && foreign.some(({ id }) => path.split(/[/?]/).includes(id)),
  );
  return [
    ...changed.map((one): Violation => ({ oracle: 'foreign', text: `${one.id} was changed` })),
    ...touched.map((one): Violation => ({ oracle: 'foreign', text: `${one.method} ${one.path} touches another's` })),
  ];
}

/** The values now, but for the description that the world itself wrote there in the name of somebody else. */
function withoutEdit(now: JsonObject, before: JsonObject): JsonObject {
  if (now[DESCRIPTION] !== CONCURRENT_EDIT) return now;
  const { [DESCRIPTION]: _, ...others } = now;
  const former = before[DESCRIPTION];
  return former === undefined ? others : { ...others, [DESCRIPTION]: former };
}

/** Texts that must not stand anywhere, in every form in which they may be written. */
export function checkSecretProbes(probes: readonly string[], places: ReadonlyMap<string, string>): Violation[] {
  const forms = probes.flatMap(formsOf);
  return [...places].flatMap(([place, text]) =>
    forms.some((form) => text.includes(form)) ? [{ oracle: 'probe' as const, text: `a secret is in ${place}` }] : [],
  );
}

const forms = new Map<string, readonly string[]>();

/** A text as it may be written: as it is, escaped for JSON, URLs and HTML, in hex, and in base64 from any of its bytes on. */
function formsOf(text: string): readonly string[] {
  const known = forms.get(text);
  if (known !== undefined) return known;
  const html = text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
  const named = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const bytes = Buffer.from(text);
  const parts = [0, 1, 2].map((from) => bytes.subarray(from, from + 3 * Math.floor((bytes.length - from) / 3)));
  const base64 = parts.flatMap((part) => [part.toString('base64'), part.toString('base64url')]);
  const plain = [text, JSON.stringify(text).slice(1, -1), encodeURIComponent(text), html, named, bytes.toString('hex')];
  const made = [...new Set([...plain, ...base64])].filter((form) => form.length >= 4);
  forms.set(text, made);
  return made;
}
