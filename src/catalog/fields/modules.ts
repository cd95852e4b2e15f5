// Traffic modules that edges and routes share (§2): an update replaces each whole, and each can be removed on its own.

import type { RefTarget } from '../field.ts';
import { guardOf, idsOf, withAccess, moduleOf } from './common.ts';
import { documented, unspecified } from '../provenance.ts';

/** Backends: failover backends of the manifest, or any literal backend id (§2). */
export const backendTarget = { kinds: ['failover_backend'], prefixes: ['bkd'] } as const satisfies RefTarget;

export const backend = moduleOf('backend', 'The backend that serves the traffic.', {
  backend_id: {
    type: 'string',
    required: true,
    ref: backendTarget,
    response: { name: 'backend', shape: 'ref' },
    doc: 'Id of the backend: `${failover_backends.NAME.id}` or a literal id.',
    source: documented('§4'),
    examples: ['${failover_backends.app.id}', 'bkdhr_2abc'],
  },
});

export const ipRestriction = guardOf('ip_restriction', 'Admits traffic by IP policies.', {
  ip_policy_ids: idsOf(
    'ip_policies',
    { kinds: [], prefixes: ['ipp_'], isPrefixAssumed: true },
    { doc: 'Ids of the IP policies.', item: 'Id of an IP policy.', example: 'ipp_2abc' },
  ),
});

export const mutualTls = guardOf('mutual_tls', 'Asks clients for a certificate signed by one of the authorities.', {
  certificate_authority_ids: withAccess(
    'admits',
    idsOf(
      'certificate_authorities',
      { kinds: [], prefixes: ['ca_'], isPrefixAssumed: true },
      {
        doc: 'Ids of the certificate authorities that client certificates are checked against.',
        item: 'Id of a certificate authority.',
        example: 'ca_2abc',
      },
    ),
  ),
});

/** A field of the module that says where TLS ends, which has a different form for each kind of edge. */
export const minVersion = {
  type: 'string',
  access: 'less',
  nullable: true,
  default: 'service',
  emulate: '1.2',
  pattern: { regex: '^[0-9A-Za-z][0-9A-Za-z._-]{0,31}$', words: 'a version such as "1.2"' },
  suggestions: ['1.2', '1.3'],
  doc: 'Lowest TLS version offered in the handshake; the service picks a safe one when omitted.',
  source: unspecified('§2'),
  examples: ['1.2', '1.3'],
} as const;
