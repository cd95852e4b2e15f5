// Plans written by hand for the renderers: every action, effect, cause and section at least once.

import type { Change, Plan, Step } from '../../src/plan/plan.ts';
import type { Loss } from '../../src/plan/step-facts.ts';
import type { StepResult } from '../../src/apply/event.ts';
import type { Diagnostic, QuotedFiles } from '../../src/core/diagnostic.ts';
import { renderDiagnosticsAs, renderDriftAs, renderPlanAs, renderReportAs } from '../../src/render/formats.ts';
import type { RenderOptions } from '../../src/render/render-options.ts';

export const plain: RenderOptions = { color: false, width: 100, detail: 'changes' };

const ZERO: Plan['summary'] = {
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  adopt: 0,
  release: 0,
  unchanged: 0,
  blocked: 0,
  drifted: 0,
};

export function planOf(parts: Partial<Omit<Plan, 'summary'>> & { readonly summary?: Partial<Plan['summary']> }): Plan {
  return {
    format: 'edgeform-plan/1',
    stack: 'shop',
    service: 'https://api.example.com/',
    complete: true,
    fingerprint: 'sha256:00',
    manifest_digest: 'sha256:11',
    steps: [],
    exposures: [],
    blocked: [],
    refusals: [],
    unmanaged: [],
    outputs: {},
    diagnostics: [],
    ...parts,
    summary: { ...ZERO, ...parts.summary },
  };
}

export function stepOf(parts: Partial<Step> & Pick<Step, 'id' | 'action' | 'address' | 'kind'>): Step {
  return {
    live_id: null,
    reason: { code: 'not-in-service', text: 'not in the service' },
    source: null,
    depends_on: [],
    precondition: null,
    changes: [],
    requests: [],
    ...parts,
  };
}

export function changeOf(parts: Partial<Change> & Pick<Change, 'path'>): Change {
  return { before: null, after: null, effect: 'update', cause: 'config', sensitive: false, ...parts };
}

/** What a drift check says of one change that was made outside, below what an apply would do with it. */
export function foundOutside(kind: string, change: Change, style: RenderOptions): string[] {
  const finding = {
    fingerprint: 'sha256:00',
    type: 'changed',
    address: 'tls_edges.a',
    kind,
    live_id: 'edgtls_1',
    cause: change.cause,
    changes: [change],
  } as const;
  const drift = { ...NO_DRIFT, drifted: true, findings: [finding] };
  const text = renderDriftAs('text', { drift, plan: planOf({}), diagnostics: [] }, style);
  const [, changes = ''] = /apply: .*\n([^]*)/.exec(text) ?? [];
  return changes.split('\n').filter((line) => line !== '');
}

const NO_DRIFT = {
  format: 'edgeform-drift/1',
  stack: 'shop',
  service: 'https://api.example.com/',
  drifted: false,
  coverage: 1,
  findings: [],
  pending: [],
} as const;

const hidden = { sensitive: true };

/** The loss of an object, with what a test says of it. */
export function lossOf(parts: Partial<Loss> = {}): Loss {
  return { code: 'object', cost: 'it is gone', live_id: 'x_1', children: [], ...parts };
}

const addressLoss = lossOf({
  code: 'irreplaceable',
  cost: 'the address changes: clients that know the old host and port can no longer connect',
  live_id: 'ra_1',
});

const replacement = [
  stepOf({
    id: 's1',
    action: 'replace',
    phase: 'create',
    address: 'reserved_addrs.db',
    kind: 'reserved_addr',
    reason: { code: 'create-only', text: 'region cannot be changed after creation' },
    loss: addressLoss,
    source: 'edgeform.yaml:8:3',
    changes: [
      changeOf({ path: 'region', before: 'us', after: 'eu', effect: 'replace-resource' }),
      changeOf({ path: 'description', before: 'db', after: 'database, prod', cause: 'drift' }),
    ],
    requests: [{ method: 'POST', path: '/reserved_addrs', body: { region: 'eu', description: 'database, prod' } }],
  }),
  stepOf({
    id: 's6',
    action: 'replace',
    phase: 'delete',
    address: 'reserved_addrs.db',
    kind: 'reserved_addr',
    live_id: 'ra_1',
    reason: { code: 'replaced', text: 'the old object of a replacement' },
    loss: addressLoss,
    deletes: [
      {
        address: 'reserved_addrs.db',
        kind: 'reserved_addr',
        live_id: 'ra_1',
        values: { addr: '1.tcp.us.example.com:12345', description: 'db' },
      },
    ],
    source: 'edgeform.yaml:8:3',
    depends_on: ['s1', 's4'],
    requests: [{ method: 'DELETE', path: '/reserved_addrs/ra_1' }],
  }),
];

const creations = [
  stepOf({
    id: 's2',
    action: 'create',
    address: 'failover_backends.app',
    kind: 'failover_backend',
    source: 'edgeform.yaml:12:3',
    changes: [changeOf({ path: 'backends', after: ['bkdhr_2abc', 'bkdhr_2def'] })],
    requests: [{ method: 'POST', path: '/backends/failover', body: { backends: ['bkdhr_2abc', 'bkdhr_2def'] } }],
  }),
  stepOf({
    id: 's3',
    action: 'create',
    address: 'https_edges.shop.routes.api',
    kind: 'https_edge_route',
    source: 'edgeform.yaml:30:7',
    depends_on: ['s2'],
    changes: [
      changeOf({ path: 'match_type', after: 'path_prefix' }),
      changeOf({ path: 'match', after: '/api' }),
      changeOf({ path: 'backend', after: { backend_id: '${failover_backends.app.id}' } }),
      changeOf({
        path: 'oauth',
        sensitive: true,
        after: {
          provider: { github: { client_id: 'abc', client_secret: hidden, teams: ['acme/ops', 'acme/support'] } },
        },
      }),
      changeOf({ path: 'response_headers', after: { add: { 'x-frame-options': 'DENY' }, remove: ['server'] } }),
      changeOf({
        path: 'saml',
        after: { idp_metadata: `<EntityDescriptor>\n${'  <KeyDescriptor/>\n'.repeat(12)}</EntityDescriptor>\n` },
      }),
    ],
    requests: [
      {
        method: 'POST',
        path: '/edges/https/edghts_1/routes',
        body: {
          oauth: {
            provider: { github: { client_secret: { sensitive: true, from: 'https_edges.shop.routes.api#oauth' } } },
          },
        },
      },
    ],
  }),
];

const update = stepOf({
  id: 's4',
  action: 'update',
  address: 'tls_edges.db',
  kind: 'tls_edge',
  live_id: 'edgtls_1',
  reason: { code: 'differs', text: '6 values differ' },
  source: 'edgeform.yaml:16:3',
  depends_on: ['s1', 's2'],
  changes: [
    changeOf({
      path: 'hostports',
      before: ['a.example.com:443', 'b.example.com:443'],
      after: ['a.example.com:443', '${reserved_addrs.db.addr}'],
    }),
    changeOf({
      path: 'backend.backend_id',
      before: 'bkdfo_1',
      after: '${failover_backends.app.id}',
      effect: 'replace-module',
    }),
    changeOf({
      path: 'tls_termination.terminate_at',
      before: 'upstream',
      after: 'edge',
      effect: 'replace-module',
      cause: 'both',
      note: 'the service chooses a new value for: tls_termination.min_version',
    }),
    changeOf({
      path: 'tls_termination.enabled',
      before: false,
      after: true,
      effect: 'replace-module',
      cause: 'both',
      note: 'the service chooses a new value for: tls_termination.min_version',
    }),
    changeOf({
      path: 'mutual_tls',
      before: { certificate_authority_ids: ['ca_1'] },
      effect: 'remove-module',
      cause: 'drift',
    }),
    changeOf({ path: 'ip_restriction', after: { ip_policy_ids: ['ipp_1', 'ipp_2'] }, effect: 'replace-module' }),
  ],
  requests: [
    { method: 'DELETE', path: '/edges/tls/edgtls_1/mutual_tls' },
    {
      method: 'PATCH',
      path: '/edges/tls/edgtls_1',
      body: { hostports: ['a.example.com:443', '${reserved_addrs.db.addr}'] },
    },
  ],
});

const others = [
  stepOf({
    id: 's5',
    action: 'delete',
    address: 'https_edges.legacy',
    kind: 'https_edge',
    live_id: 'edghts_9',
    reason: { code: 'not-in-manifest', text: 'no longer in the manifest' },
    loss: lossOf({
      cost: 'its hostports stop being served, and its routes go with it',
      live_id: 'edghts_9',
      children: ['https_edges.legacy.routes.root'],
    }),
    deletes: [
      {
        address: 'https_edges.legacy',
        kind: 'https_edge',
        live_id: 'edghts_9',
        values: { hostports: ['legacy.example.com:443'], description: 'the old shop' },
      },
      {
        address: 'https_edges.legacy.routes.root',
        kind: 'https_edge_route',
        live_id: 'edghtsrt_8',
        values: { match_type: 'path_prefix', match: '/', webhook_verification: { provider: 'github', secret: hidden } },
      },
    ],
  }),
  stepOf({
    id: 's7',
    action: 'adopt',
    address: 'event_destinations.audit',
    kind: 'event_destination',
    live_id: 'ed_4',
    reason: { code: 'adopted', text: 'adopted by `lifecycle.adopt`' },
    source: 'edgeform.yaml:50:3',
    changes: [
      changeOf({
        path: 'target.kinesis.auth.creds.aws_secret_access_key',
        before: hidden,
        after: hidden,
        sensitive: true,
        cause: 'unknown',
      }),
    ],
  }),
  stepOf({
    id: 's8',
    action: 'release',
    address: 'ssh_credentials.old',
    kind: 'ssh_credential',
    live_id: 'sshcr_3',
    reason: { code: 'released', text: 'listed under `removed` with destroy: false' },
  }),
  stepOf({
    id: 's9',
    action: 'update',
    address: 'failover_backends.spare',
    kind: 'failover_backend',
    live_id: 'bkdfo_7',
    reason: { code: 'renamed', text: 'renamed from failover_backends.old' },
    changes: [
      changeOf({
        path: 'backends',
        before: ['bkdhr_1', 'bkdhr_2', 'bkdhr_3'],
        after: ['bkdhr_2', 'bkdhr_1', 'bkdhr_3'],
      }),
    ],
  }),
];

/** A plan with everything in it. */
export const everything: Plan = planOf({
  summary: { create: 2, update: 2, replace: 1, delete: 1, adopt: 1, release: 1, unchanged: 5, blocked: 1, drifted: 2 },
  steps: [...replacement, ...creations, update, ...others],
  blocked: [
    {
      address: 'reserved_addrs.cache',
      path: 'endpoint_configuration_id',
      code: 'cannot-remove',
      severity: 'error',
      message: 'an update cannot clear it, and module-delete is switched off',
      fix: 'name it in the manifest, or list it in lifecycle.ignore_changes',
    },
  ],
  refusals: [
    {
      rule: 'irreplaceable',
      message:
        'reserved_addrs.db would be replaced: the address changes: clients that know the old host and port can no longer connect',
      addresses: ['reserved_addrs.db'],
      flag: '--allow-loss reserved_addrs.db',
    },
    {
      rule: 'delete-budget',
      message: '4 objects of 9 would be deleted or replaced, and 3 are allowed',
      fix: 'put the blocks back',
      addresses: ['https_edges.legacy', 'https_edges.legacy.routes.root', 'reserved_addrs.db'],
      flag: '--allow-deletes 4',
    },
  ],
  unmanaged: [
    { kind: 'tls_edge', id: 'edgtls_77', owner: null },
    { kind: 'api_key', id: 'ak_5', owner: 'billing: api_keys.ci' },
  ],
  outputs: { db_address: null, name: 'shop', ns: ['a.example.net', 'b.example.net'] },
  diagnostics: [
    { code: 'foreign-object', severity: 'warning', message: 'something to know', address: null, fix: 'do it' },
  ],
});

export const renderPlan = (plan: Plan, style: RenderOptions) => renderPlanAs('text', plan, style);

export const renderReport = (results: readonly StepResult[], plan: Plan, style: RenderOptions) =>
  renderReportAs('text', { plan, results, result: 'partial', exitCode: 3, diagnostics: [] }, style);

export const renderDiagnostics = (diagnostics: readonly Diagnostic[], sources: QuotedFiles, style: RenderOptions) =>
  renderDiagnosticsAs('text', { diagnostics, sources }, style);

export const diagnosticsJson = (diagnostics: readonly Diagnostic[]) =>
  renderDiagnosticsAs('json', { diagnostics, sources: new Map() }, plain);

/** A page without what is the same on each: its style and its script, and their digests. */
export const pageBody = (html: string) =>
  html.replace(/<style>[^<]*/, '<style>').replace(/'sha256-[^']*'/g, "'sha256-'");
