// Fields that several kinds share: names, limits and traits of description, metadata, id and enabled (§2, §8).

import type { BooleanField, Fields, StringField } from '../field.ts';
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
/** Metadata limit (§8): bytes, or characters on event subscriptions. */
const METADATA_LIMIT = 4096;

const BESIDE_MARKER = 'it is stored as text beside the ownership marker';

/** id, uri and created_at: in every response, never in a request (§2). */
export const identity = {
  id: {
    type: 'string',
    write: 'never',
    emulate: '{id}',
    doc: 'Unique identifier.',
    source: documented('§2'),
    examples: ['ra_2abc'],
  },
  uri: {
    type: 'string',
    write: 'never',
    emulate: '{uri}',
    doc: 'Address of the object in the API.',
    longest: 200,
    source: documented('§2'),
    examples: ['https://api.example.com/reserved_addrs/ra_2abc'],
  },
  created_at: {
    type: 'string',
    write: 'never',
    emulate: '{created}',
    doc: 'Creation time (RFC 3339).',
    source: documented('§2'),
    examples: ['2026-01-31T12:00:00Z'],
  },
} as const satisfies Fields;

/** description and metadata with limits in bytes (§8). Omitted text is the empty text. */
export const texts = {
  description: {
    type: 'string',
    maxBytes: 255,
    lines: 'many',
    default: { value: '' },
    doc: 'Text for people, at most 255 bytes.',
    source: documented('§8'),
    examples: ['Public site, production'],
  },
  metadata: {
    type: 'string',
    maxBytes: METADATA_LIMIT,
    lines: 'many',
    neverSecret: BESIDE_MARKER,
    default: { value: '' },
    doc: 'Your own data as text, at most 4096 bytes together with the ownership marker that edgeform adds.',
    source: documented('§8'),
  },
} as const satisfies Fields;

/** description and metadata with limits in characters, as event subscriptions have them (§8). */
export const textsInChars = {
  description: {
    type: 'string',
    maxChars: 255,
    lines: 'many',
    default: { value: '' },
    doc: 'Text for people, at most 255 characters.',
    source: documented('§8'),
  },
  metadata: {
    type: 'string',
    maxChars: METADATA_LIMIT,
    lines: 'many',
    neverSecret: BESIDE_MARKER,
    default: { value: '' },
    doc: 'Your own data as text, at most 4096 characters together with the ownership marker that edgeform adds.',
    source: documented('§8'),
  },
} as const satisfies Fields;

/** The switch of a module; true when unspecified (§2). */
export const enabled = {
  type: 'boolean',
  default: { value: true },
  doc: 'Whether the module is applied to traffic.',
  source: documented('§2'),
} as const satisfies BooleanField;

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
