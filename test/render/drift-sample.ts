// Drift of every type, with everything that a finding may have.

import type { DriftView } from '../../src/render/view/documents.ts';
import { changeOf } from './sample.ts';

export const drifted: DriftView = {
  drift: {
    format: 'edgeform-drift/1',
    stack: 'shop',
    service: 'https://api.example.com/',
    drifted: true,
    coverage: 0.8,
    findings: [
      {
        fingerprint: 'sha256:01',
        type: 'changed',
        address: 'tls_edges.db',
        kind: 'tls_edge',
        live_id: 'edgtls_1',
        cause: 'both',
        changes: [
          changeOf({ path: 'description', before: 'by hand', after: 'database', cause: 'drift' }),
          changeOf({ path: 'mutual_tls.enabled', before: false, after: true, cause: 'unknown' }),
        ],
      },
      {
        fingerprint: 'sha256:02',
        type: 'missing',
        address: 'failover_backends.app',
        kind: 'failover_backend',
        live_id: 'bkdfo_1',
        cause: 'drift',
        changes: [],
        evidence: 'the journal knows it as bkdfo_1',
        consequences: [{ address: 'tls_edges.web', action: 'update', reason: '1 value differs' }],
      },
      {
        fingerprint: 'sha256:03',
        type: 'duplicate',
        address: 'reserved_addrs.db',
        kind: 'reserved_addr',
        live_id: 'ra_1',
        cause: null,
        changes: [],
        evidence: 'ra_1, ra_2',
      },
      {
        fingerprint: 'sha256:04',
        type: 'unmanaged',
        address: null,
        kind: 'api_key',
        live_id: 'ak_7',
        cause: null,
        changes: [],
      },
    ],
    pending: [{ address: 'ip_policies.office', action: 'create', reason: 'is not there yet' }],
  },
  ignored: [
    {
      finding: {
        fingerprint: 'sha256:05',
        type: 'changed',
        address: 'reserved_addrs.old',
        kind: 'reserved_addr',
        live_id: 'ra_9',
        cause: 'drift',
        changes: [],
      },
      ignore: { reason: 'the new one is being tried', expires: '2026-12-31' },
    },
  ],
  diagnostics: [{ code: 'ignore-unused', severity: 'warning', message: 'one entry of the ignore file fits nothing' }],
};
