// The sentence that a plan begins and ends with: counts, what happened outside, and what stands in the way.

import { expect, test } from 'vitest';
import { renderPlanAs } from '../../../src/render/formats.ts';
import { plain, planOf, stepOf } from '../sample.ts';

const step = stepOf({ id: 's1', action: 'create', address: 'tls_edges.a', kind: 'tls_edge' });
const again = { ...step, deleted_outside: { live_id: null, evidence: 'the journal' } };
const error = { code: 'unknown-field', severity: 'error', message: 'x', address: null } as const;
const warning = { ...error, severity: 'warning' } as const;
const blocked = { code: 'cannot-remove', severity: 'error', address: 'tls_edges.a', path: '', message: 'x' } as const;
const refusal = { rule: 'delete-budget', message: 'x', addresses: [], flag: null } as const;

test.each([
  { name: 'nothing to do', plan: {}, says: /^No changes\. Live state matches/ },
  { name: 'nothing to do among the targets', plan: { complete: false }, says: /^No changes among the targets/ },
  { name: 'a warning alone is no change', plan: { diagnostics: [warning] }, says: /^No changes\./ },
  {
    name: 'one step',
    plan: { steps: [step], summary: { create: 1 } },
    says: /^Plan: 1 to create, 0 to update, 0 to replace, 0 to delete\.$/,
  },
  {
    name: 'rare actions are named when there are any',
    plan: { steps: [step], summary: { adopt: 2, release: 1 } },
    says: /, 2 to adopt, 1 to release\.$/,
  },
  { name: 'steps of targets are a partial plan', plan: { complete: false, steps: [step] }, says: /^Partial plan: / },
  {
    name: 'what was changed outside is counted',
    plan: { steps: [step], summary: { drifted: 2 } },
    says: /\. 2 changed outside\.$/,
  },
  {
    name: 'what was deleted outside is no change outside',
    plan: { steps: [again], summary: { drifted: 1 } },
    says: /delete\. 1 deleted outside\.$/,
  },
  {
    name: 'both are told apart',
    plan: { steps: [again], summary: { drifted: 3 } },
    says: / 2 changed outside\. 1 deleted outside\.$/,
  },
  {
    name: 'an error without steps is never "No changes"',
    plan: { diagnostics: [error] },
    says: /^Nothing to do\. Open: 1 error\.$/,
  },
  {
    name: 'what is blocked is never "No changes"',
    plan: { blocked: [blocked] },
    says: /^Nothing to do\. Open: 1 change cannot be done\.$/,
  },
  {
    name: 'what is refused is never "No changes"',
    plan: { refusals: [refusal, refusal] },
    says: /^Nothing to do\. Open: 2 policy violations\.$/,
  },
  {
    name: 'all that is open stands behind the counts',
    plan: { steps: [step], diagnostics: [error, error, warning], blocked: [blocked], refusals: [refusal] },
    says: /^Plan: .*\. Open: 2 errors, 1 change cannot be done, 1 policy violation\.$/,
  },
])('$name', ({ plan, says }) => {
  const [, sentence] = renderPlanAs('text', planOf(plan), plain).split('\n');
  expect(sentence).toMatch(says);
});
