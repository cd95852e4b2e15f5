// The hostports that edges serve (§2).

import type { ListField } from '../field.ts';
import { setOf } from './common.ts';
import { HOSTPORT } from './forms.ts';
import { documented } from '../provenance.ts';

export const hostports = {
  ...setOf('Hostports that the edge serves. One hostport belongs to one edge (ADR-0004).', {
    type: 'string',
    caseless: true,
    pattern: HOSTPORT,
    doc: 'host:port, for example the address of a reserved address.',
    source: documented('§2'),
    examples: ['shop.example.com:443', '${reserved_addrs.db.addr}'],
  }),
  unique: 'service',
} as const satisfies ListField;
