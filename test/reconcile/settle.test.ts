// How long a run looks again after its last step, and what it says of its creations when the lists do not show them.

import { describe, expect, test } from 'vitest';
import type { Code } from '../../src/core/codes.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { Failure } from '../../src/core/failure.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { ListLag } from '../../src/reconcile/list-lag.ts';
import { settle } from '../../src/reconcile/settle.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { planOf, stepOf } from '../render/sample.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { load } from '../support/world.ts';
import { historyOf, liveOf, resultOf, snapshotOf } from './sample.ts';

type SettleInput = Parameters<typeof settle>[0];

const OPTIONS = {
  destroy: false,
  allowDeletes: undefined,
  allowLoss: [],
  targets: [],
  capabilities: new Set(CAPABILITIES),
};
const A = 'tls_edges.a';
const manifest = load('version: 1\nstack: shop\ntls_edges: { a: {} }\n');
const edge = liveOf('edgtls_1', A);
const pending = planOf({
  steps: [stepOf({ id: 's1', action: 'update', live_id: 'edgtls_1', address: A, kind: 'tls_edge' })],
});
interface Look {
  readonly resources?: readonly LiveResource[];
  readonly plan?: Plan;
  readonly unlisted?: readonly string[];
  readonly fails?: Error;
}

/** Looks again on a clock of its own; `see` says what is there at a time. */
async function looking(see: (now: number) => Look, more: Partial<SettleInput> = {}) {
  const clock = createVirtualClock();
  const looks: number[] = [];
  const input: SettleInput = {
    turnToRead: () => Promise.resolve(),
    planNow: () => {
      looks.push(clock.now());
      const { resources = [], plan = planOf({}), unlisted, fails } = see(clock.now());
      if (fails !== undefined) return Promise.reject(fails);
      return Promise.resolve({ plan, snapshot: snapshotOf(resources, { ...(unlisted && { unlisted }) }) });
    },
    planInput: (snapshot) => ({ manifest, snapshot, service: 'x', options: OPTIONS }),
    readWhole: () => false,
    carryOut: () => Promise.resolve([]),
    onDeleted: () => undefined,
    clock,
    capabilities: new Set(CAPABILITIES),
    settleMs: 4_000,
    signal: new AbortController().signal,
    history: historyOf(),
    lag: new ListLag(),
    results: [],
    mustConverge: () => true,
    ...more,
  };
  const converged = await settle(input);
  return { ...converged, codes: converged.diagnostics.map(({ code }) => code), looks };
}

const problem = (code: Code) => new Failure('error', [{ code, severity: 'error', message: 'x' }]);
const done = [resultOf('s1', { address: A, live_id: 'edgtls_1' })];
const blocked = planOf({
  ...pending,
  blocked: [{ code: 'cannot-remove', severity: 'error', address: A, path: '', message: 'x' }],
});
const other = planOf({ steps: [stepOf({ id: 's1', action: 'create', address: 'tls_edges.b', kind: 'tls_edge' })] });

describe('a run that created nothing', () => {
  test.each<{ name: string; look: Look; more: Partial<SettleInput> }>([
    { name: 'and has nothing left', look: {}, more: { results: done } },
    { name: 'and has something left that it did not do', look: { plan: other }, more: { results: done } },
    { name: 'and has something left that cannot be done', look: { plan: blocked }, more: { results: done } },
    { name: 'and need not converge', look: { plan: pending }, more: { results: done, mustConverge: () => false } },
  ])('$name looks once', async ({ look, more }) => {
    const { looks, plan } = await looking(() => look, more);
    expect([looks, plan]).toEqual([[0], look.plan ?? planOf({})]);
  });

  test('looks again, ever less often, while a list still shows what it changed', async () => {
    const { looks, plan } = await looking((now) => ({ plan: now < 1_000 ? pending : planOf({}) }), { results: done });
    expect([looks, plan.steps]).toEqual([[0, 250, 750, 1_750], []]);
  });

  test('gives up after the time that lists may lag, and tells what is left', async () => {
    const { looks, plan, codes } = await looking(() => ({ plan: pending }), { results: done });
    expect([looks.at(-1), plan.steps.length, codes]).toEqual([7_750, 1, []]);
    expect(looks.filter((time) => time >= 4_000)).toHaveLength(1);
  });

  test('fails as its reading fails', async () => {
    const fails = problem('api-timeout');
    await expect(looking(() => ({ fails }))).rejects.toBe(fails);
  });
});

describe('a run that created something', () => {
  const history = () => historyOf({ edgtls_1: A });

  test('believes that it is the only one after as long again as it took to be listed', async () => {
    const { looks, codes } = await looking((now) => ({ resources: now < 1_000 ? [] : [edge] }), {
      history: history(),
      results: done,
    });
    const listed = looks.find((time) => time >= 1_000) ?? 0;
    expect(looks.at(-1)).toBeGreaterThanOrEqual(2 * listed);
    expect(codes).toEqual([]);
  });

  test('believes no list that forgets again what it showed', async () => {
    const { looks, codes } = await looking((now) => ({ resources: now === 0 || now > 3_000 ? [edge] : [] }), {
      history: history(),
      results: done,
    });
    expect([looks.filter((time) => time > 3_000).length > 0, codes]).toEqual([true, []]);
  });

  test('is not content with what was only found by its id', async () => {
    const { codes } = await looking(() => ({ resources: [edge], unlisted: ['edgtls_1'] }), {
      history: history(),
      results: done,
    });
    expect(codes).toEqual(['not-listed']);
  });

  test('says of each object that no list shows that another run may have made it', async () => {
    const two = historyOf({ edgtls_1: A, edgtls_2: 'tls_edges.b' });
    const { diagnostics, looks } = await looking(() => ({}), { history: two, results: done });
    expect(diagnostics.map(({ address, severity }) => [address, severity])).toEqual([
      [A, 'error'],
      ['tls_edges.b', 'error'],
    ]);
    expect(looks.at(-1)).toBeGreaterThanOrEqual(4_000);
  });

  test('says nothing of lists when it was told to end, and looks once', async () => {
    const ended = new AbortController();
    ended.abort();
    const { looks, codes } = await looking(() => ({}), { history: history(), results: done, signal: ended.signal });
    expect([looks, codes]).toEqual([[0], []]);
  });

  test.each([
    { name: 'a list cannot be read', fails: problem('api-timeout') },
    { name: 'there is no time left', fails: problem('deadline-reached') },
    { name: 'the service takes no more requests', fails: problem('service-throttled') },
    { name: 'it is a mistake of ours', fails: new TypeError('a mistake') },
  ])('fails at once when $name', async ({ fails }) => {
    let looks = 0;
    const see = () => {
      looks += 1;
      return { fails };
    };
    await expect(looking(see, { history: history() })).rejects.toBe(fails);
    expect(looks).toBe(1);
  });

  const older = liveOf('edgtls_0', A, { computed: { created_at: '2030-01-01T00:00:00Z' } });
  const ours = liveOf('edgtls_1', A, { computed: { created_at: '2030-01-01T00:00:05Z' } });

  test('keeps trying to delete what another run had created before, and says why it is still there', async () => {
    const shown: string[][] = [];
    const { diagnostics } = await looking(() => ({ resources: [older, { ...ours, isRedundant: true }] }), {
      history: history(),
      results: done,
      carryOut: ({ plan }) => {
        shown.push(plan.steps.map(({ action, live_id: id }) => `${action} ${id ?? ''}`));
        return Promise.resolve([resultOf('s1', { address: A, live_id: 'edgtls_1', status: 'failed', error: 'no' })]);
      },
    });
    expect([shown.length > 1, shown[0]]).toEqual([true, ['delete edgtls_1']]);
    expect(diagnostics[0]?.message).toMatch(/as edgtls_0; edgtls_1 could not be deleted: no/);
  });

  test('leaves it to the other run when that one was later', async () => {
    const later = { ...older, computed: { created_at: '2030-01-01T00:00:09Z' } };
    const doubled = planOf({
      diagnostics: [{ code: 'duplicate-marker', severity: 'error', message: 'x', address: A }],
    });
    const see = (now: number) => (now < 2_000 ? { resources: [ours, later], plan: doubled } : { resources: [ours] });
    const { codes, looks } = await looking(see, { history: history(), results: done });
    expect(codes).toEqual([]);
    expect(looks.at(-1)).toBeGreaterThanOrEqual(2_000);
  });
});
