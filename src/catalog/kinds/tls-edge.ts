// TLS edges (§2): hostports with TLS traffic and four modules.

import { hostports, identity, withAccess, moduleOf, texts } from '../fields/common.ts';
import { defineKind, type BrokenRule } from '../kind.ts';
import { backend, ipRestriction, minVersion, mutualTls } from '../fields/modules.ts';
import { crud } from '../operations.ts';
import { documented } from '../provenance.ts';

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
    tls_termination: withAccess(
      'either',
      moduleOf('tls_termination', 'Where TLS ends and which versions are accepted.', {
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
      }),
    ),
  },
  checks: [checkTermination, checkUpstream],
});

/** Modules that need plaintext traffic are impossible when TLS passes through to the application (§2). */
function checkUpstream({
  tls_termination: termination,
  mutual_tls: mutual,
}: {
  readonly tls_termination?: { readonly terminate_at?: string; readonly enabled?: boolean };
  readonly mutual_tls?: { readonly enabled?: boolean };
}): BrokenRule[] {
  const passes = termination?.terminate_at === 'upstream' && termination.enabled !== false;
  if (!passes || mutual === undefined || mutual.enabled === false) return [];
  return [
    {
      path: 'mutual_tls',
      message: 'mutual_tls needs the traffic, and TLS passes through to the application (`terminate_at: upstream`)',
      expected: 'no mutual_tls beside `terminate_at: upstream`',
      got: 'mutual_tls',
      fix: 'remove mutual_tls, or set `terminate_at: edge`',
    },
  ];
}

/** `min_version` must be absent when TLS is terminated upstream (§7). */
function checkTermination({
  tls_termination: module,
}: {
  readonly tls_termination?: { readonly terminate_at?: string; readonly min_version?: string };
}): BrokenRule[] {
  if (module?.terminate_at !== 'upstream' || module.min_version === undefined) return [];
  return [
    {
      path: 'tls_termination.min_version',
      message: 'min_version has no meaning when TLS is terminated upstream',
      expected: 'no min_version',
      got: module.min_version,
      fix: 'remove min_version, or set `terminate_at: edge`',
    },
  ];
}
