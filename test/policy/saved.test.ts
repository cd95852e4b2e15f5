// A saved plan whose summary was edited: the fingerprint is a plain digest, which an editor computes again.

import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { buildPlan, fingerprintPlan } from '../../src/plan/build.ts';
import { dryRun } from '../../src/plan/dry-run.ts';
import { match } from '../../src/plan/match/match.ts';
import { parsePlan } from '../../src/plan/parse-plan.ts';
import { recheckSavedPlan } from '../../src/reconcile/saved-plan.ts';
import { load } from '../support/world.ts';
import { compiled } from './sample.ts';

const SERVICE = 'https://service.example';
const none = { resources: [], unread: [], requests: 0 };

test('a policy on plans counts the steps, and not what the file says of them', () => {
  const capabilities = new Set(CAPABILITIES);
  const options = { destroy: false, allowDeletes: 'all', allowLoss: [], targets: [], capabilities } as const;
  const live = load('{ version: 1, stack: shop, tls_edges: { a: {}, b: {}, c: {}, d: {} } }');
  const { steps } = buildPlan({ manifest: live, snapshot: none, service: SERVICE, options });
  const { snapshot } = dryRun({ manifest: live, snapshot: none, matched: match(live, live.resources, none) }, steps);
  const policies = compiled({ on: 'plan', expression: 'plan.summary.delete <= 2' });
  const manifest = load('{ version: 1, stack: shop, tls_edges: { a: {} } }');
  const input = { manifest, snapshot, service: SERVICE, options, policies };
  const honest = buildPlan(input);
  expect(honest.refusals.map(({ rule }) => rule)).toEqual(['policy/p']);
  expect(honest.refusals.map(({ fix }) => fix)).toEqual([expect.stringContaining('policy p')]);
  const edited = { ...honest, summary: { ...honest.summary, delete: 0 }, refusals: [] };
  const text = JSON.stringify({ ...edited, fingerprint: fingerprintPlan(edited) });
  const { value: saved } = parsePlan(text, () => undefined);
  const plan = saved && recheckSavedPlan(saved, input);
  expect(plan?.steps.map(({ action }) => action)).toEqual(['delete', 'delete', 'delete']);
  expect(plan?.refusals.map(({ rule }) => rule)).toEqual(['policy/p']);
});
