// Fields that several kinds share: names, limits and traits of description, metadata, id and enabled (§2, §8).

import type { Access, Field, Fields, ListField, RefTarget, StringField } from '../field.ts';
import { FORMS } from './forms.ts';
import { documented } from '../provenance.ts';

/** Response field with the identifier (§2). */
export const ID = 'id';
/** Response field with the address of the object (§2). */
export const URI = 'uri';
/** Response field with the time of creation (§2). */
export const CREATED_AT = 'created_at';
/** The field that carries the user's data and our marker (§2). */
export const METADATA = 'metadata';
/** The field for people (§2). */
export const DESCRIPTION = 'description';
/** The switch that every module has (§2). */
export const ENABLED = 'enabled';
/** Of metadata in every kind, in bytes or in characters (§8). */
export const METADATA_LIMIT = 4096;

/** Text that only the service sets. */
export function reportedText(doc: string, emulate: string, example: string) {
  return { type: 'string', write: 'never', emulate, doc, source: documented('§2'), examples: [example] } as const;
}

/** id, uri and created_at: in every response, never in a request (§2). */
export const identity = {
  id: reportedText('Unique identifier.', '{id}', 'ra_2abc'),
  uri: reportedText('Address of the object in the API.', '{uri}', 'https://api.example.com/reserved_addrs/ra_2abc'),
  created_at: reportedText('Creation time (RFC 3339).', '{created}', '2026-01-31T12:00:00Z'),
} as const satisfies Fields;

/** description and metadata with limits in this unit (§8). Omitted text is empty. */
function textsIn(measure: 'bytes' | 'characters') {
  const common = { type: 'string', lines: 'many', default: { value: '' }, source: documented('§8') } as const;
  const within = (limit: number) => (measure === 'bytes' ? { maxBytes: limit } : { maxChars: limit });
  return {
    description: {
      ...common,
      form: 'trimmed',
      ...within(255),
      doc: `Free text for people, at most 255 ${measure}.`,
      ...(measure === 'bytes' && { examples: ['Public site, production'] }),
    },
    metadata: {
      ...common,
      ...within(METADATA_LIMIT),
      neverSecret: 'it is stored as text beside the ownership marker',
      doc: `Your own data as text, at most ${METADATA_LIMIT} ${measure} together with the ownership marker that edgeform adds.`,
    },
  } as const satisfies Fields;
}

export const texts = textsIn('bytes');
/** For event subscriptions. */
export const textsInChars = textsIn('characters');

/** The switch of a module; true when unspecified (§2). */
const enabled = {
  type: 'boolean',
  default: { value: true },
  doc: 'Whether the module is applied to traffic.',
  source: documented('§2'),
} as const satisfies Field;

/** A module; its name is also the last segment of the path that removes it. */
export function moduleOf<const F extends Fields>(name: string, doc: string, fields: F, source = documented('§2')) {
  return { type: 'object', module: true, remove: name, doc, source, fields: { enabled, ...fields } } as const;
}

/** A module that says who gets in. */
export function guardOf<const F extends Fields>(name: string, doc: string, fields: F, source = documented('§2')) {
  return { ...moduleOf(name, doc, fields, source), access: 'guard' } as const;
}

/** The field, with what it says about who gets in. */
export function withAccess<const F extends Field, const A extends Access>(access: A, field: F) {
  return { ...field, access } as const;
}

export function someText(doc: string, example: string, source = documented('§2')) {
  return { type: 'string', doc, source, examples: [example] } as const;
}

export function requiredText(doc: string, example: string) {
  return { ...someText(doc, example), required: true } as const;
}

/** A 32-bit number that the service chooses when it is omitted. */
export function uint32(doc: string, emulate: number, max = 4_294_967_295) {
  return { type: 'integer', min: 0, max, default: 'service', emulate, doc, source: documented('§2') } as const;
}

/** A list whose order does not matter, empty when omitted. */
export function setOf<const Item extends Field>(doc: string, items: Item, source = documented('§2')) {
  return { type: 'list', order: 'ignored', default: { value: [] }, items, doc, source } as const;
}

/** Ids in requests; responses have Refs instead (§4). */
export function idsOf(response: string, ref: RefTarget, words: Readonly<Record<'doc' | 'item' | 'example', string>>) {
  const source = documented('§4');
  const items = { type: 'string', ref, doc: words.item, source, examples: [words.example] } as const;
  return { ...setOf(words.doc, items, source), response: { name: response, shape: 'refs' } } as const;
}

/** Owner of a credential: only admins may name another than themselves (§2, §5). */
export const owner = {
  type: 'string',
  write: 'create',
  default: 'service',
  emulate: '{owner}',
  ref: { kinds: [], prefixes: ['usr_', 'bot_'] },
  doc: 'User or bot that owns the credential; the authenticated one when omitted. Only admins may name another.',
  source: documented('§2'),
} as const satisfies StringField;

/** The hostports that edges serve (§2). */
export const hostports = {
  ...setOf('Hostports that the edge serves. One hostport belongs to one edge (ADR-0004).', {
    type: 'string',
    form: 'hostport',
    pattern: FORMS.hostport,
    doc: 'host:port, for example the address of a reserved address.',
    source: documented('§2'),
    examples: ['shop.example.com:443', '${reserved_addrs.db.addr}'],
  }),
  unique: 'service',
  access: 'reach',
} as const satisfies ListField;
