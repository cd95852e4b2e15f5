// HTTPS edges (§2): hostports with HTTPS traffic, two modules and routes.

import { hostports, identity, withAccess, moduleOf, reportedText, texts } from '../fields/common.ts';
import { defineKind } from '../kind.ts';
import { minVersion, mutualTls } from '../fields/modules.ts';
import { crud } from '../operations.ts';
import { assumed, documented } from '../provenance.ts';

export const kind = defineKind({
  name: 'https_edge',
  manifestKey: 'https_edges',
  title: 'HTTPS edge',
  doc: 'Serves HTTPS traffic on hostports through routes.',
  source: documented('§2'),
  idPrefix: 'edghts_',
  operations: {
    ...crud('/edges/https', 'https_edges'),
    list: {
      method: 'GET',
      path: '/edges/https',
      key: 'https_edges',
      source: assumed('ADR-0004'),
      capability: 'https-edge-list',
    },
  },
  loss: 'its hostports stop being served, and its routes go with it',
  starter: {
    variables: ['github_secret: { sensitive: true, description: client secret of the GitHub OAuth app }'],
    presets: [
      'app:',
      '  match_type: path_prefix',
      '  backend: { backend_id: "${failover_backends.app.id}" }',
      '  compression: {}',
    ],
    block: [
      'site:',
      '  hostports: [www.example.com:443]',
      '  routes:',
      '    all: { preset: app, match: / }',
      '    admin:',
      '      preset: app',
      '      match: /admin',
      '      oauth:',
      '        provider: { github: { client_id: abc, client_secret: "${var.github_secret}", teams: [acme/ops] } }',
    ],
    outputs: ['site_id: "${https_edges.site.id}"'],
  },
  fields: {
    ...identity,
    ...texts,
    hostports,
    mutual_tls: mutualTls,
    // Requests carry no `terminate_at` (§4), responses do (§2).
    tls_termination: withAccess(
      'either',
      moduleOf(
        'tls_termination',
        'Which TLS versions are accepted.',
        {
          terminate_at: reportedText('Where TLS ends, as the service reports it.', 'edge', 'edge'),
          min_version: minVersion,
        },
        documented('§4'),
      ),
    ),
  },
});
