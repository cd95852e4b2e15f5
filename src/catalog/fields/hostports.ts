// The hostports that edges serve (§2).

import type { ListField } from '../field.ts';
import { HOSTPORT } from './forms.ts';
import { documented } from '../provenance.ts';

export const hostports = {
  type: 'list',
  order: 'ignored',
  unique: 'service',
  default: { value: [] },
  items: {
    type: 'string',
    caseless: true,
    pattern: HOSTPORT,
    doc: 'host:port, for example the address of a reserved address.',
    source: documented('§2'),
    examples: ['shop.example.com:443', '${reserved_addrs.db.addr}'],
  },
  doc: 'Hostports that the edge serves. One hostport belongs to one edge (ADR-0004).',
  source: documented('§2'),
} as const satisfies ListField;
