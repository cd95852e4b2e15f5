// The counts of a plan: each object once, whatever the number of its steps.

import { describe, expect, test } from 'vitest';
import { countSteps, hasPlanErrors, isPending } from '../../src/plan/count-steps.ts';
import type { Decision } from '../../src/plan/decide/decision.ts';
import type { Cause, Plan, Step } from '../../src/plan/plan.ts';
import { changeOf, planOf, stepOf } from '../render/sample.ts';
import { draft } from './sample.ts';

const A = 'tls_edges.a';
const step = (action: Step['action'], given: Partial<Step> = {}) =>
  stepOf({ id: 's', action, address: A, kind: 'tls_edge', ...given });
const caused = (cause: Cause, address = A) =>
  step('update', { address, changes: [changeOf({ path: 'description', cause })] });
const decision = (given: Partial<Decision> = {}): Decision => ({ drafts: [], blocked: [], diagnostics: [], ...given });

interface Row {
  readonly name: string;
  readonly steps?: readonly Step[];
  readonly decisions?: readonly Decision[];
  readonly blocked?: number;
  readonly expect: Partial<Plan['summary']>;
}

describe('countSteps', () => {
  test.each<Row>([
    { name: 'nothing', expect: {} },
    {
      name: 'one of each',
      steps: (['create', 'update', 'delete', 'adopt', 'release'] as const).map((action) => step(action)),
      expect: { create: 1, update: 1, delete: 1, adopt: 1, release: 1 },
    },
    {
      name: 'a replacement once',
      steps: [step('replace', { phase: 'create' }), step('replace', { phase: 'delete' })],
      expect: { replace: 1 },
    },
    {
      name: 'a detaching step with its update',
      steps: [step('update', { phase: 'detach' }), step('update')],
      expect: { update: 1 },
    },
    {
      name: 'what needs nothing, but not what is blocked',
      decisions: [
        decision(),
        decision({ diagnostics: [{ code: 'unknown-field', severity: 'warning', message: '', address: A }] }),
        decision({ drafts: [draft('create', A)] }),
        decision({ blocked: [{ code: 'cannot-remove', severity: 'error', address: A, path: '', message: '' }] }),
      ],
      blocked: 1,
      expect: { unchanged: 2, blocked: 1 },
    },
    {
      name: 'drift and both are drift',
      steps: [caused('drift'), caused('both', 'tls_edges.b')],
      expect: { update: 2, drifted: 2 },
    },
    { name: 'other causes are not', steps: [caused('config'), caused('unknown')], expect: { update: 2 } },
    { name: 'drift of one object once', steps: [caused('drift'), caused('drift')], expect: { update: 2, drifted: 1 } },
    {
      name: 'what was deleted outside is drift',
      steps: [step('create', { deleted_outside: { live_id: null, evidence: 'the journal' } })],
      expect: { create: 1, drifted: 1 },
    },
  ])('$name', ({ steps = [], decisions = [], blocked = 0, expect: expected }) => {
    expect(countSteps(steps, decisions, blocked)).toEqual({ ...planOf({}).summary, ...expected });
  });
});

describe('at a glance', () => {
  const violation = { rule: 'delete-budget', message: '', addresses: [], flag: null } as const;
  const problem = (severity: 'error' | 'warning') =>
    planOf({ diagnostics: [{ code: 'unknown-field', severity, message: '', address: null }] });
  test.each<readonly [string, Plan, boolean, boolean]>([
    ['an empty plan', planOf({}), false, false],
    ['a step', planOf({ steps: [step('create')] }), true, false],
    [
      'something blocked',
      planOf({ blocked: [{ code: 'cannot-remove', severity: 'error', address: A, path: '', message: '' }] }),
      true,
      false,
    ],
    ['a violation', planOf({ refusals: [violation] }), true, false],
    ['an error', problem('error'), false, true],
    ['a warning', problem('warning'), false, false],
  ])('%s', (_, plan, pending, wrong) => {
    expect([isPending(plan), hasPlanErrors(plan)]).toEqual([pending, wrong]);
  });
});
