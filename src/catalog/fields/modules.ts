// Traffic modules that edges and routes share (§2): each is replaced whole by an update and removed on its own.

import type { RefTarget } from '../field.ts';
import { idsOf, moduleOf, reportedText, setOf } from './common.ts';
import { HEADER_NAME, HEADER_VALUE } from './forms.ts';
import type { BrokenRule } from '../kind.ts';
import { documented, unspecified } from '../provenance.ts';

const UINT32_MAX = 4_294_967_295;

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

export const ipRestriction = moduleOf('ip_restriction', 'Admits traffic by IP policies.', {
  ip_policy_ids: idsOf(
    'ip_policies',
    { kinds: [], prefixes: ['ipp_'], isPrefixAssumed: true },
    { doc: 'Ids of the IP policies.', item: 'Id of an IP policy.', example: 'ipp_2abc' },
  ),
});

export const mutualTls = moduleOf('mutual_tls', 'Asks clients for a certificate signed by one of the authorities.', {
  certificate_authority_ids: idsOf(
    'certificate_authorities',
    { kinds: [], prefixes: ['ca_'], isPrefixAssumed: true },
    {
      doc: 'Ids of the certificate authorities that client certificates are checked against.',
      item: 'Id of a certificate authority.',
      example: 'ca_2abc',
    },
  ),
});

const minVersion = {
  type: 'string',
  nullable: true,
  default: 'service',
  emulate: '1.2',
  pattern: { regex: '^[0-9A-Za-z][0-9A-Za-z._-]{0,31}$', words: 'a version such as "1.2"' },
  suggestions: ['1.2', '1.3'],
  doc: 'Lowest TLS version offered in the handshake; the service picks a safe one when omitted.',
  source: unspecified('§2'),
  examples: ['1.2', '1.3'],
} as const;

/** As TLS edges have it. */
export const tlsTermination = moduleOf('tls_termination', 'Where TLS ends and which versions are accepted.', {
  terminate_at: {
    type: 'string',
    values: ['edge', 'upstream'],
    default: 'service',
    emulate: 'edge',
    doc: '`edge`: the edge terminates TLS; `upstream`: TLS passes through to the application.',
    source: documented('§2'),
    examples: ['edge', 'upstream'],
  },
  min_version: minVersion,
});

/** As HTTPS edges have it: requests carry no `terminate_at` (§4), responses do (§2). */
export const httpsTlsTermination = moduleOf(
  'tls_termination',
  'Which TLS versions are accepted.',
  { terminate_at: reportedText('Where TLS ends, as the service reports it.', 'edge', 'edge'), min_version: minVersion },
  documented('§4'),
);

function uint32(doc: string, emulate: number, max: number = UINT32_MAX) {
  return { type: 'integer', min: 0, max, default: 'service', emulate, doc, source: documented('§2') } as const;
}

export const circuitBreaker = moduleOf(
  'circuit_breaker',
  'Stops sending requests to an upstream that fails too often.',
  {
    tripped_duration: uint32('Seconds to wait after the circuit trips before the upstream is tried again.', 10),
    rolling_window: uint32('Seconds of the rolling window that is measured.', 10),
    num_buckets: uint32('Number of metric buckets, at most 128.', 10, 128),
    volume_threshold: uint32('Requests in a rolling window before the circuit can trip.', 20),
    error_threshold_percentage: {
      type: 'number',
      min: 0,
      max: 1,
      default: 'service',
      emulate: 0.5,
      doc: 'Share of failing requests that trips the circuit, between 0 and 1.0 (not 100).',
      source: documented('§8'),
    },
  },
);

export const compression = moduleOf('compression', 'Compresses responses.', {});
export const websocketTcpConverter = moduleOf(
  'websocket_tcp_converter',
  'Turns websocket connections into TCP connections to the upstream.',
  {},
);

function headers(name: string, what: string) {
  return moduleOf(name, `Adds and removes headers of the ${what}.`, {
    add: {
      type: 'map',
      keys: 'lower',
      names: HEADER_NAME,
      items: { type: 'string', pattern: HEADER_VALUE, doc: 'Value of the header.', source: documented('§2') },
      default: { value: {} },
      doc: `Headers put into the ${what}, by name. Names are compared without case (ADR-0004).`,
      source: documented('§2'),
      examples: [{ 'x-frame-options': 'DENY' }],
    },
    remove: setOf(`Names of headers taken out of the ${what}.`, {
      type: 'string',
      caseless: true,
      pattern: HEADER_NAME,
      doc: 'Header name.',
      source: documented('§2'),
      examples: ['server'],
    }),
  });
}

export const requestHeaders = headers('request_headers', 'request before it goes upstream');
export const responseHeaders = headers('response_headers', 'response before it goes to the client');

export const webhookVerification = moduleOf(
  'webhook_verification',
  'Admits only requests that a webhook provider signed.',
  {
    provider: {
      type: 'string',
      required: true,
      caseless: true,
      suggestions: ['github', 'gitlab', 'slack', 'stripe', 'twilio', 'shopify', 'sns'],
      doc: 'The provider that signs the requests. Its allowed values are not specified.',
      source: unspecified('§2'),
      examples: ['github', 'stripe'],
    },
    secret: {
      type: 'string',
      sensitive: true,
      doc: 'Secret that validates the requests; every provider needs it except `sns`.',
      source: documented('§2'),
      examples: ['${var.webhook_secret}'],
    },
  },
);

/** The one provider without a secret is named by public documentation only (ADR-0004). */
const PROVIDER_WITHOUT_SECRET = 'sns';

/** Every provider but one needs a secret (§2). */
export function checkWebhook(
  module: { readonly provider?: string; readonly secret?: string } | undefined,
): BrokenRule[] {
  if (module?.provider === undefined || module.secret !== undefined) return [];
  if (module.provider.toLowerCase() === PROVIDER_WITHOUT_SECRET) return [];
  return [
    {
      path: 'webhook_verification.secret',
      message: `webhook provider "${module.provider}" needs a secret`,
      expected: 'a secret',
      got: 'none',
      fix: 'add `secret: "${var.NAME}"` with a variable marked sensitive',
      source: documented('§2'),
    },
  ];
}
