// Routes of HTTPS edges (§2): a selector and eleven modules. Their operations are assumed (ADR-0004).

import { identity, reportedText, texts } from '../fields/common.ts';
import { SELECTOR } from '../fields/forms.ts';
import type { Operation } from '../kind.ts';
import { defineKind } from '../kind.ts';
import {
  backend,
  checkWebhook,
  circuitBreaker,
  compression,
  ipRestriction,
  requestHeaders,
  responseHeaders,
  webhookVerification,
  websocketTcpConverter,
} from '../fields/modules.ts';
import { checkClient, checkScopes } from '../fields/providers.ts';
import { assumed, documented } from '../provenance.ts';
import { checkOneSignIn, oauth, oidc, saml } from '../fields/sign-in-modules.ts';

function operation<const Method extends Operation['method']>(method: Method, path: string) {
  return { method, path, source: assumed('ADR-0004'), capability: 'routes' } as const;
}

const ROUTES = '/edges/https/{parent_id}/routes';

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
      uniqueWith: ['match_type'],
      standIn: '/edgeform-aside/{id}',
      pattern: SELECTOR,
      doc: 'The selector: a path, a host, or a host with a path. Unique in its edge among routes of one `match_type` (ADR-0004).',
      source: documented('§2'),
      examples: ['/', '/api'],
    },
    backend,
    ip_restriction: ipRestriction,
    circuit_breaker: circuitBreaker,
    compression,
    request_headers: requestHeaders,
    response_headers: responseHeaders,
    webhook_verification: webhookVerification,
    oauth,
    saml,
    oidc,
    websocket_tcp_converter: websocketTcpConverter,
  },
  checks: [
    ({ webhook_verification: module }) => checkWebhook(module),
    ({ oauth: module }) => checkClient(module),
    ({ oauth: module }) => checkScopes(module),
    (spec) => checkOneSignIn({ oauth: spec.oauth, saml: spec.saml, oidc: spec.oidc }),
  ],
});
