// The two things that an apply does more than once: planning what is there, and carrying a plan out.

import { beforeEach, expect, test } from 'vitest';
import { noteCreation } from '../../src/apply/gate/run-history.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { executePlan, planInputOf, planNow } from '../../src/reconcile/execution/execution.ts';
import { tokenStoreOf } from '../../src/reconcile/execution/token-files.ts';
import type { Direct } from '../support/in-process.ts';
import { createDirect } from '../support/in-process.ts';
import { executing } from './executing.ts';
import { snapshotOf } from './sample.ts';

const MANIFEST =
  'version: 1\nstack: shop\nfailover_backends: { a: {} }\ntls_edges: { b: { backend: { backend_id: "${failover_backends.a.id}" } } }\n';
const nobody = () => Promise.resolve();
let direct: Direct;
beforeEach(() => {
  direct = createDirect();
});
const actions = ({ plan }: Awaited<ReturnType<typeof planNow>>) =>
  plan.steps.map(({ action, address }) => `${action} ${address}`);

test('a plan is carried out whole, and the next one is empty', async () => {
  const { run, journal, events } = executing(direct, MANIFEST);
  const planned = await planNow(run, 'x');
  expect(actions(planned)).toEqual(['create failover_backends.a', 'create tls_edges.b']);
  const results = await executePlan(run, planned, nobody);
  expect(results.map(({ status }) => status)).toEqual(['done', 'done']);
  expect(actions(await planNow(run, 'x'))).toEqual([]);
  expect(run.history.created.size).toBe(2);
  expect(journal().map(({ type }) => type)).toEqual(['begin', 'intent', 'outcome', 'intent', 'outcome']);
  expect(events.filter(({ type }) => type === 'step')).toHaveLength(6);
});

test('a plan to destroy deletes what is there, what refers to others first', async () => {
  const first = executing(direct, MANIFEST);
  await executePlan(first.run, await planNow(first.run, 'x'), nobody);
  const { run } = executing(direct, MANIFEST, { allowDeletes: 'all' }, { destroy: true });
  const planned = await planNow(run, 'x');
  expect(actions(planned)).toEqual(['delete tls_edges.b', 'delete failover_backends.a']);
  await executePlan(run, planned, nobody);
  expect([direct.store.all(), run.history.deleted.size]).toEqual([[], 2]);
});

test('nothing is begun once the run was told to end', async () => {
  const ended = new AbortController();
  const { run, asked } = executing(direct, MANIFEST);
  const planned = await planNow(run, 'x');
  const before = asked.length;
  ended.abort();
  const results = await executePlan({ ...run, signal: ended.signal }, planned, nobody);
  expect([results.map(({ status }) => status), asked.length - before]).toEqual([['not_attempted', 'not_attempted'], 0]);
});

test('what this run made is looked up by its id, unless it has removed it', async () => {
  const { run, asked } = executing(direct, MANIFEST);
  const look = async () => {
    const before = asked.length;
    await planNow(run, 'x');
    return asked.slice(before).includes('GET /edges/tls/edgtls_9');
  };
  const made = { id: 'edgtls_9', parentId: undefined, at: 0 };
  noteCreation(run.history, { kind: 'tls_edge', address: 'tls_edges.b' }, made);
  expect(await look()).toBe(true);
  run.history.deleted.set('edgtls_9', 'tls_edges.x');
  expect(await look()).toBe(false);
});

test('a reading that fails says how far the run is', async () => {
  const { run, refuseAll } = executing(direct, MANIFEST);
  refuseAll();
  await expect(planNow(run, 'probe words')).rejects.toMatchObject({
    diagnostics: [{ message: expect.stringContaining('probe words') }],
  });
});

test('a plan of nothing there creates everything, and asks for nothing', () => {
  const { run, asked } = executing(direct, MANIFEST);
  expect([buildPlan(planInputOf(run, snapshotOf([]))).summary.create, asked]).toEqual([2, []]);
});

test('a token that is shown reaches who asks for it', async () => {
  const { run } = executing(direct, 'version: 1\nstack: shop\napi_keys: { ci: {} }\n', { tokenDir: '/tokens' });
  const shown: unknown[] = [];
  await executePlan(run, await planNow(run, 'x'), (_, body) => {
    shown.push(body['token']);
    return Promise.resolve();
  });
  expect([tokenStoreOf(run).folder, shown]).toEqual(['/tokens', [expect.stringMatching(/^\S{20,}$/)]]);
});
