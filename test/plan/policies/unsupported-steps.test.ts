// Steps that the service has no operation for are left out whole, with all that waits for their objects.

import { describe, expect, test } from 'vitest';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
import { withoutUnsupported } from '../../../src/plan/policies/unsupported-steps.ts';
import { ALL, draft, live, without } from '../sample.ts';

const POST = { method: 'POST', path: '/x', body: {} } as const;
const PATCH = { method: 'PATCH', path: '/x', body: {} } as const;
const ROUTE = 'https_edges.e.routes.r';
const OFF = without('routes');

const creating = (address: string, ...references: string[]) =>
  draft('create', address, { requests: [POST], references });

interface Row {
  readonly name: string;
  readonly drafts: readonly StepDraft[];
  readonly on?: typeof ALL;
  readonly left: readonly string[];
  readonly blocked: readonly string[];
}

describe('withoutUnsupported', () => {
  test.each<Row>([
    {
      name: 'all of them when nothing is switched off',
      drafts: [creating(ROUTE)],
      on: ALL,
      left: [ROUTE],
      blocked: [],
    },
    {
      name: 'steps of other kinds stay',
      drafts: [creating('tls_edges.a'), creating(ROUTE)],
      left: ['tls_edges.a'],
      blocked: [ROUTE],
    },
    {
      name: 'a step with several requests goes as a whole, and is told once',
      drafts: [draft('create', ROUTE, { requests: [POST, PATCH] })],
      left: [],
      blocked: [ROUTE],
    },
    {
      name: 'both halves of a replacement go',
      drafts: [
        draft('replace', ROUTE, { phase: 'create', requests: [POST] }),
        draft('replace', ROUTE, { phase: 'delete', live: live('edghtsrt_1'), requests: [] }),
      ],
      left: [],
      blocked: [ROUTE],
    },
    {
      name: 'what refers to it goes, and what refers to that',
      drafts: [creating('tls_edges.a', 'failover_backends.f'), creating('failover_backends.f', ROUTE), creating(ROUTE)],
      left: [],
      blocked: ['tls_edges.a', 'failover_backends.f', ROUTE],
    },
    {
      name: 'what refers to one that is there and only updated does not',
      drafts: [creating('tls_edges.a', ROUTE), draft('update', ROUTE, { live: live('edghtsrt_1'), requests: [PATCH] })],
      left: ['tls_edges.a'],
      blocked: [ROUTE],
    },
    {
      name: 'steps that wait for each other end',
      drafts: [creating('tls_edges.a', 'tls_edges.b'), creating('tls_edges.b', 'tls_edges.a', ROUTE), creating(ROUTE)],
      left: [],
      blocked: ['tls_edges.a', 'tls_edges.b', ROUTE],
    },
  ])('$name', ({ drafts, on = OFF, left, blocked }) => {
    const found = withoutUnsupported(drafts, on);
    expect(found.drafts.map(({ address }) => address)).toEqual(left);
    expect(found.blocked.map(({ address }) => address)).toEqual(blocked);
  });

  test('the reason names the capability, or what is blocked', () => {
    const { blocked } = withoutUnsupported([creating(ROUTE), creating('tls_edges.a', ROUTE)], OFF);
    expect(blocked[0]?.message).toContain('-routes');
    expect(blocked[1]?.message).toContain(ROUTE);
  });
});
