// Traffic modules that edges and routes share (§2): each is replaced whole by an update and removed on its own.

import type { ObjectField, RefTarget } from '../field.ts';
import { enabled } from './common.ts';
import { HEADER_NAME, HEADER_VALUE } from './forms.ts';
import type { BrokenRule } from '../kind.ts';
import { documented, unspecified } from '../provenance.ts';

const UINT32_MAX = 4_294_967_295;

/** Backends: failover backends of the manifest, or any literal backend id (§2). */
export const backendTarget = { kinds: ['failover_backend'], prefixes: ['bkd'] } as const satisfies RefTarget;

export const backend = {
  type: 'object',
  module: true,
  remove: 'backend',
  doc: 'The backend that serves the traffic.',
  source: documented('§2'),
  fields: {
    enabled,
    backend_id: {
      type: 'string',
      required: true,
      ref: backendTarget,
      response: { name: 'backend', shape: 'ref' },
      doc: 'Id of the backend: `${failover_backends.NAME.id}` or a literal id.',
      source: documented('§4'),
      examples: ['${failover_backends.app.id}', 'bkdhr_2abc'],
    },
  },
} as const satisfies ObjectField;

export const ipRestriction = {
  type: 'object',
  module: true,
  remove: 'ip_restriction',
  doc: 'Admits traffic by IP policies.',
  source: documented('§2'),
  fields: {
    enabled,
    ip_policy_ids: {
      type: 'list',
      order: 'ignored',
      default: { value: [] },
      response: { name: 'ip_policies', shape: 'refs' },
      items: {
        type: 'string',
        ref: { kinds: [], prefixes: ['ipp_'] },
        doc: 'Id of an IP policy.',
        source: documented('§4'),
        examples: ['ipp_2abc'],
      },
      doc: 'Ids of the IP policies.',
      source: documented('§4'),
    },
  },
} as const satisfies ObjectField;

export const mutualTls = {
  type: 'object',
  module: true,
  remove: 'mutual_tls',
  doc: 'Asks clients for a certificate signed by one of the authorities.',
  source: documented('§2'),
  fields: {
    enabled,
    certificate_authority_ids: {
      type: 'list',
      order: 'ignored',
      default: { value: [] },
      response: { name: 'certificate_authorities', shape: 'refs' },
      items: {
        type: 'string',
        ref: { kinds: [], prefixes: ['ca_'] },
        doc: 'Id of a certificate authority.',
        source: documented('§4'),
        examples: ['ca_2abc'],
      },
      doc: 'Ids of the certificate authorities that client certificates are checked against.',
      source: documented('§4'),
    },
  },
} as const satisfies ObjectField;

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
export const tlsTermination = {
  type: 'object',
  module: true,
  remove: 'tls_termination',
  doc: 'Where TLS ends and which versions are accepted.',
  source: documented('§2'),
  fields: {
    enabled,
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
  },
} as const satisfies ObjectField;

/** As HTTPS edges have it: requests carry no `terminate_at` (§4), responses do (§2). */
export const httpsTlsTermination = {
  type: 'object',
  module: true,
  remove: 'tls_termination',
  doc: 'Which TLS versions are accepted.',
  source: documented('§4'),
  fields: {
    enabled,
    terminate_at: {
      type: 'string',
      write: 'never',
      emulate: 'edge',
      doc: 'Where TLS ends, as the service reports it.',
      source: documented('§2'),
      examples: ['edge'],
    },
    min_version: minVersion,
  },
} as const satisfies ObjectField;

function uint32(doc: string, emulate: number, max: number = UINT32_MAX) {
  return { type: 'integer', min: 0, max, default: 'service', emulate, doc, source: documented('§2') } as const;
}

export const circuitBreaker = {
  type: 'object',
  module: true,
  remove: 'circuit_breaker',
  doc: 'Stops sending requests to an upstream that fails too often.',
  source: documented('§2'),
  fields: {
    enabled,
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
} as const satisfies ObjectField;

function switchModule<const Name extends string>(name: Name, doc: string) {
  return { type: 'object', module: true, remove: name, doc, source: documented('§2'), fields: { enabled } } as const;
}

export const compression = switchModule('compression', 'Compresses responses.');
export const websocketTcpConverter = switchModule(
  'websocket_tcp_converter',
  'Turns websocket connections into TCP connections to the upstream.',
);

function headers<const Name extends string>(name: Name, what: string) {
  return {
    type: 'object',
    module: true,
    remove: name,
    doc: `Adds and removes headers of the ${what}.`,
    source: documented('§2'),
    fields: {
      enabled,
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
      remove: {
        type: 'list',
        order: 'ignored',
        default: { value: [] },
        items: {
          type: 'string',
          caseless: true,
          pattern: HEADER_NAME,
          doc: 'Header name.',
          source: documented('§2'),
          examples: ['server'],
        },
        doc: `Names of headers taken out of the ${what}.`,
        source: documented('§2'),
      },
    },
  } as const;
}

export const requestHeaders = headers('request_headers', 'request before it goes upstream');
export const responseHeaders = headers('response_headers', 'response before it goes to the client');

export const webhookVerification = {
  type: 'object',
  module: true,
  remove: 'webhook_verification',
  doc: 'Admits only requests that a webhook provider signed.',
  source: documented('§2'),
  fields: {
    enabled,
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
} as const satisfies ObjectField;

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
