// Routes of HTTPS edges (§2): a selector and eleven modules. Their operations are assumed (ADR-0004).

import { guardOf, identity, moduleOf, reportedText, setOf, someText, texts, uint32 } from '../fields/common.ts';
import { FORMS } from '../fields/forms.ts';
import { defineKind, type BrokenRule, type Operation } from '../kind.ts';
import { backend, ipRestriction } from '../fields/modules.ts';
import { providerRules, signInModules } from '../fields/sign-in-modules.ts';
import { assumed, documented, unspecified } from '../provenance.ts';

type SignIn = { readonly [name in keyof typeof signInModules]?: { readonly enabled?: boolean } };

function operation<const Method extends Operation['method']>(method: Method, path: string) {
  return { method, path, source: assumed('ADR-0004'), capability: 'routes' } as const;
}

const ROUTES = '/edges/https/{parent_id}/routes';

const circuitBreaker = moduleOf('circuit_breaker', 'Stops sending requests to an upstream that fails too often.', {
  tripped_duration: uint32('Seconds to wait after the circuit trips before the upstream is tried again.', 10),
  rolling_window: uint32('Seconds of the rolling window that is measured.', 10),
  num_buckets: uint32('Number of metric buckets, at most 128.', 10, 128),
  volume_threshold: uint32('Requests in a rolling window before the circuit can trip.', 20),
  error_threshold_percentage: {
    type: 'number',
    min: 0,
    max: 1,
    form: 'float32',
    default: 'service',
    emulate: 0.5,
    doc: 'Share of failing requests that trips the circuit, between 0 and 1.0 (not 100).',
    source: documented('§8'),
  },
});

function headers(name: string, what: string) {
  return moduleOf(name, `Adds and removes headers of the ${what}.`, {
    add: {
      type: 'map',
      keys: 'lower',
      names: FORMS.headerName,
      items: { type: 'string', pattern: FORMS.headerValue, doc: 'Value of the header.', source: documented('§2') },
      default: { value: {} },
      doc: `Headers put into the ${what}, by name. Names are compared without case (ADR-0004).`,
      source: documented('§2'),
      examples: [{ 'x-frame-options': 'DENY' }],
    },
    remove: setOf(`Names of headers taken out of the ${what}.`, {
      ...someText('Header name.', 'server'),
      form: 'caseless',
      pattern: FORMS.headerName,
    }),
  });
}

const webhookVerification = guardOf('webhook_verification', 'Admits only requests that a webhook provider signed.', {
  provider: {
    type: 'string',
    required: true,
    form: 'caseless',
    suggestions: ['github', 'gitlab', 'slack', 'stripe', 'twilio', 'shopify', 'sns'],
    doc: 'The provider that signs the requests. Its allowed values are not specified.',
    source: unspecified('§2'),
    examples: ['github', 'stripe'],
  },
  secret: {
    ...someText('Secret that validates the requests; every provider needs it except `sns`.', '${var.webhook_secret}'),
    sensitive: true,
  },
});

export const kind = defineKind({
  name: 'https_edge_route',
  manifestKey: 'routes',
  title: 'HTTPS edge route',
  doc: 'What happens to requests that match a selector.',
  source: documented('§2'),
  idPrefix: 'edghtsrt_',
  isPrefixAssumed: true,
  operations: {
    create: operation('POST', ROUTES),
    get: operation('GET', `${ROUTES}/{id}`),
    update: operation('PATCH', `${ROUTES}/{id}`),
    delete: operation('DELETE', `${ROUTES}/{id}`),
  },
  parent: { kind: 'https_edge', listedAs: 'routes', idField: 'edge_id' },
  loss: 'requests that match it are no longer served by it',
  door: { selector: 'match', form: 'match_type', exact: 'exact_path', prefix: 'path_prefix' },
  fields: {
    ...identity,
    ...texts,
    edge_id: reportedText('Id of the edge it belongs to.', '{parent}', 'edghts_2abc'),
    match_type: {
      type: 'string',
      required: true,
      values: ['exact_path', 'path_prefix'],
      doc: 'How `match` is compared with the request.',
      source: documented('§2'),
      examples: ['path_prefix', 'exact_path'],
    },
    match: {
      type: 'string',
      required: true,
      unique: 'parent',
      standIn: '/edgeform-aside/{id}',
      form: 'selector',
      pattern: FORMS.selector,
      doc: 'The selector: a path, a host, or a host with a path. Unique in its edge, whatever the `match_type` (ADR-0004).',
      source: documented('§2'),
      examples: ['/', '/api'],
    },
    backend,
    ip_restriction: ipRestriction,
    circuit_breaker: circuitBreaker,
    compression: moduleOf('compression', 'Compresses responses.', {}),
    request_headers: headers('request_headers', 'request before it goes upstream'),
    response_headers: headers('response_headers', 'response before it goes to the client'),
    webhook_verification: webhookVerification,
    ...signInModules,
    websocket_tcp_converter: moduleOf(
      'websocket_tcp_converter',
      'Turns websocket connections into TCP connections to the upstream.',
      {},
    ),
  },
  checks: [checkWebhook, ...providerRules, checkOneSignIn],
});

/** Only public documentation names the one provider without a secret (ADR-0004). */
const PROVIDER_WITHOUT_SECRET = 'sns';

/** Every provider but one needs a secret (§2). */
function checkWebhook({
  webhook_verification: module,
}: {
  readonly webhook_verification?: { readonly provider?: string; readonly secret?: string };
}): BrokenRule[] {
  if (module?.provider === undefined || module.secret !== undefined) return [];
  if (module.provider.toLowerCase() === PROVIDER_WITHOUT_SECRET) return [];
  return [
    {
      path: 'webhook_verification.secret',
      message: `webhook provider "${module.provider}" needs a secret`,
      expected: 'a secret',
      got: 'none',
      fix: 'add `secret: "${var.NAME}"` with a variable marked sensitive',
    },
  ];
}

/** A route signs users in one way only (ADR-0004). */
function checkOneSignIn(route: SignIn): BrokenRule[] {
  const all = ['oauth', 'saml', 'oidc'] as const;
  const names = all.filter((name) => route[name] !== undefined && route[name].enabled !== false);
  const [, second] = names;
  if (second === undefined) return [];
  return [
    {
      path: second,
      message: `a route can sign users in only one way, but has ${names.join(' and ')}`,
      expected: `one of ${all.join(', ')}`,
      got: names.join(' and '),
      fix: 'keep one of them, or set `enabled: false` on the others',
    },
  ];
}
