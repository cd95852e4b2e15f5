// TLS edges (§2): hostports with TLS traffic and four modules.

import { identity, texts } from '../fields/common.ts';
import { hostports } from '../fields/hostports.ts';
import { defineKind } from '../kind.ts';
import { backend, ipRestriction, mutualTls, tlsTermination } from '../fields/modules.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';
import { checkTermination, checkUpstream } from '../fields/termination.ts';

export const kind = defineKind({
  name: 'tls_edge',
  manifestKey: 'tls_edges',
  title: 'TLS edge',
  doc: 'Serves TLS traffic on hostports.',
  source: documented('§2'),
  idPrefix: 'edgtls_',
  operations: crud('/edges/tls', 'tls_edges'),
  loss: 'its hostports stop being served',
  starter: {
    block: [
      'db:',
      '  hostports: [db.example.com:443]',
      '  tls_termination: { terminate_at: edge, min_version: "1.2" }',
    ],
  },
  fields: {
    ...identity,
    ...texts,
    hostports,
    backend,
    ip_restriction: ipRestriction,
    mutual_tls: mutualTls,
    tls_termination: tlsTermination,
  },
  checks: [({ tls_termination: module }) => checkTermination(module), checkUpstream],
});
