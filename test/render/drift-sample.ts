// Drift of every type, with everything that a finding may have.

import type { DriftView } from '../../src/render/view/documents.ts';
import { changeOf, planOf, stepOf } from './sample.ts';

const plan = planOf({
  steps: [
    stepOf({ id: 's1', action: 'update', address: 'tls_edges.db', kind: 'tls_edge', live_id: 'edgtls_1' }),
    stepOf({ id: 's2', action: 'create', address: 'failover_backends.app', kind: 'failover_backend' }),
    stepOf({ id: 's3', action: 'delete', address: 'reserved_addrs.db', kind: 'reserved_addr', live_id: 'ra_2' }),
  ],
  blocked: [
    {
      code: 'cannot-remove',
      severity: 'error',
      address: 'tls_edges.web',
      path: 'mutual_tls',
      message: 'module-delete is switched off',
    },
  ],
  diagnostics: [{ code: 'journal-damaged', severity: 'warning', message: 'the journal is damaged', address: null }],
});

export const drifted: DriftView = {
  plan,
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
        consequences: [
          { address: 'tls_edges.web', action: 'update', reason: { code: 'differs', text: '1 value differs' } },
        ],
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
        fingerprint: 'sha256:06',
        type: 'changed',
        address: 'tls_edges.web',
        kind: 'tls_edge',
        live_id: 'edgtls_2',
        cause: 'unknown',
        changes: [changeOf({ path: 'mutual_tls', before: { certificate_authority_ids: ['ca_1'] }, cause: 'unknown' })],
      },
      {
        fingerprint: 'sha256:07',
        type: 'missing',
        address: 'ssh_credentials.ops',
        kind: 'ssh_credential',
        live_id: null,
        cause: 'unknown',
        changes: [],
        evidence: 'it is not known whether it was ever created',
      },
      {
        fingerprint: 'sha256:08',
        type: 'changed',
        address: null,
        kind: 'failover_backend',
        live_id: 'bkdfo_3',
        cause: 'unknown',
        changes: [],
        evidence: 'its ownership marker is damaged',
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
    pending: [
      { address: 'ip_policies.office', action: 'create', reason: { code: 'not-in-service', text: 'is not there yet' } },
      { address: 'tls_edges.eu', action: 'update', reason: { code: 'differs', text: '1 value differs' } },
    ],
  },
  diagnostics: [],
};
