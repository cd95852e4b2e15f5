// Fleets for the renderers: each way in which a stack can end at least once.

import type { StepResult } from '../../src/apply/event.ts';
import type { FleetOutcome } from '../../src/render/fleet.ts';
import type { FleetStackOutcome } from '../../src/render/view/stack-outcome.ts';
import { drifted } from './drift-sample.ts';
import { changeOf, everything, planOf, stepOf } from './sample.ts';
import { quoting } from '../support/quoting.ts';

const AT = { service: 'https://api.example.com/' } as const;
const range = { file: 'stacks/shop/edgeform.yaml', line: 6, column: 5, endLine: 6, endColumn: 19 };
const wrong = [
  {
    code: 'unknown-field',
    severity: 'error',
    message: 'unknown field "tls_terminaton" in tls_edges.db',
    range,
    got: '"tls_terminaton"',
    fix: 'did you mean "tls_termination"?',
  },
] as const;
const sources = quoting(
  range.file,
  `version: 1\nstack: shop\ntls_edges:\n  db:\n    # the database\n    tls_terminaton: x\n`,
);
const creation = stepOf({
  id: 's1',
  action: 'create',
  address: 'reserved_addrs.new',
  kind: 'reserved_addr',
  source: 'stacks/web.yaml:4:3',
  changes: [changeOf({ path: 'region', after: 'eu' })],
});
const update = stepOf({
  id: 's2',
  action: 'update',
  address: 'tls_edges.web',
  kind: 'tls_edge',
  live_id: 'edgtls_7',
  source: 'stacks/web.yaml:9:3',
  reason: { code: 'differs', text: '1 value differs' },
  changes: [changeOf({ path: 'description', before: 'a', after: 'b' })],
});

/** A stack whose plan has nothing to do. */
export function unchanged(name: string): FleetStackOutcome {
  return { name, stack: name, ...AT, outcome: 'done', is: 'planned', plan: planOf({ stack: name }) };
}

/** A stack with one creation; without a region of its own it is like any other. */
export function changing(name: string, region = 'eu'): FleetStackOutcome {
  const steps = [{ ...creation, changes: [changeOf({ path: 'region', after: region })] }];
  const plan = planOf({ stack: name, summary: { create: 1 }, steps });
  return { name, stack: name, ...AT, outcome: 'done', is: 'planned', plan };
}

const web = planOf({ stack: 'web', summary: { create: 1, update: 1 }, steps: [creation, update] });

export const planned: FleetOutcome = {
  command: 'plan',
  outcome: 'error',
  stacks: [
    unchanged('network'),
    { name: 'web', stack: 'web', ...AT, outcome: 'done', is: 'planned', plan: web },
    { name: 'shop-prod', stack: 'shop', ...AT, outcome: 'done', is: 'planned', plan: everything },
    {
      name: 'partner',
      stack: 'partner',
      service: 'https://partner.example.com/',
      outcome: 'error',
      is: 'failed',
      diagnostics: [{ code: 'api-unreachable', severity: 'error', message: 'GET /tls_edges was answered with 503' }],
    },
    unchanged('docs'),
  ],
};

function resultsOf(steps: readonly (typeof creation)[], status: StepResult['status']): StepResult[] {
  return steps.map(({ id, address, action, live_id }) => ({
    id,
    address,
    action,
    live_id,
    status,
    error: status === 'failed' ? 'PATCH /edges/tls/edgtls_7 was answered with 400: hostports must not be empty' : null,
    requests_done: 0,
  }));
}

const results = [...resultsOf([creation], 'done'), ...resultsOf([update], 'failed')];

export const applied: FleetOutcome = {
  command: 'apply',
  outcome: 'partial',
  stacks: [
    {
      name: 'network',
      stack: 'network',
      ...AT,
      outcome: 'done',
      is: 'applied',
      report: {
        plan: planOf({ stack: 'network', outputs: { address: 'a.example.com:443' } }),
        results: resultsOf([creation], 'done'),
        result: 'done',
        exitCode: 0,
        diagnostics: [],
      },
    },
    {
      name: 'web',
      stack: 'web',
      ...AT,
      outcome: 'partial',
      is: 'applied',
      report: { plan: web, results, result: 'partial', exitCode: 3, diagnostics: [] },
    },
    { name: 'shop', stack: 'shop', ...AT, outcome: 'partial', is: 'blocked', by: 'web' },
    { name: 'docs', stack: 'docs', ...AT, outcome: 'partial', is: 'not-attempted' },
  ],
};

/** A fleet with waves whose first one did not end well. */
export const waved: FleetOutcome = {
  ...applied,
  stacks: [
    ...applied.stacks.filter(({ is }) => is === 'applied').map((one) => ({ ...one, wave: 1 })),
    ...['shop', 'blog', 'docs'].map((name, at) => {
      return {
        name,
        stack: name,
        ...AT,
        wave: at === 0 ? 2 : 3,
        outcome: 'partial',
        is: 'not-attempted',
        after: 1,
      } as const;
    }),
  ],
};

export const driftedFleet: FleetOutcome = {
  command: 'drift',
  outcome: 'pending',
  stacks: [
    { name: 'shop', stack: 'shop', ...AT, outcome: 'pending', is: 'drift', drift: drifted },
    {
      name: 'network',
      stack: 'network',
      ...AT,
      outcome: 'done',
      is: 'drift',
      drift: {
        drift: { ...drifted.drift, stack: 'network', drifted: false, coverage: 1, findings: [], pending: [] },
        plan: planOf({}),
        diagnostics: [],
      },
    },
  ],
};

export const checked: FleetOutcome = {
  command: 'validate',
  outcome: 'invalid',
  stacks: [
    { name: 'network', stack: 'network', ...AT, outcome: 'done', is: 'checked', diagnostics: [], sources: new Map() },
    { name: 'shop-prod', stack: 'shop', ...AT, outcome: 'invalid', is: 'checked', diagnostics: wrong, sources },
    {
      name: 'shop-staging',
      stack: undefined,
      service: undefined,
      outcome: 'invalid',
      is: 'checked',
      diagnostics: wrong,
    },
  ],
};

const nameOf = (index: number) => `web-${String(index + 1).padStart(3, '0')}`;

/** A hundred stacks: most change in the same way, some in their own, and some not at all. */
export const equalFleet: FleetOutcome = {
  command: 'plan',
  outcome: 'done',
  stacks: Array.from({ length: 100 }, (_, index) => {
    if (index % 10 === 9) return unchanged(nameOf(index));
    if (index % 40 === 5) return changing(nameOf(index), `region-${index}`);
    const steps = [creation, update];
    const plan = planOf({ stack: nameOf(index), summary: { create: 1, update: 1, unchanged: 3 }, steps });
    return { ...unchanged(nameOf(index)), is: 'planned', plan } as const;
  }),
};

/** Fifteen stacks in which the same was changed by hand, as different objects with fingerprints of their own. */
export const driftedStacks: FleetOutcome = {
  command: 'drift',
  outcome: 'pending',
  stacks: Array.from({ length: 16 }, (_, index) => {
    const stack = nameOf(index);
    const findings = drifted.drift.findings
      .filter(({ address }) => index < 15 && address === 'tls_edges.db')
      .map((one) => ({ ...one, live_id: `edgtls_${index}`, fingerprint: `sha256:${String(index).padStart(64, '0')}` }));
    const drift = {
      ...drifted.drift,
      stack,
      drifted: findings.length > 0,
      coverage: index / 20,
      findings,
      pending: [],
    };
    const outcome = findings.length > 0 ? 'pending' : 'done';
    return {
      ...unchanged(stack),
      outcome,
      is: 'drift',
      drift: { drift, plan: { ...drifted.plan, stack, diagnostics: [] }, diagnostics: [] },
    } as const;
  }),
};
