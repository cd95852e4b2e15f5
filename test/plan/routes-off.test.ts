// A capability that is off says that the service lacks its operations: no step needs one of them (ADR-0004).

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import type { PlanOptions } from '../../src/plan/plan-options.ts';
import type { Planning } from '../support/planning.ts';
import { planningOn, rules } from '../support/planning.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

const OFF: Partial<PlanOptions> = { capabilities: new Set(CAPABILITIES.filter((name) => name !== 'routes')) };
const ADDRESS = 'https_edges.e.routes.r';
const MODULE = { match_type: 'exact_path', match: '/', compression: {} };

describe('with the capability `routes` off', () => {
  let world: World;
  let stack: Planning;
  const edge = (routes: JsonObject, more: JsonObject = {}) => ({ https_edges: { e: { ...more, routes } } });

  beforeEach(async () => {
    world = await startWorld({});
    stack = planningOn(world);
  });
  afterEach(() => world.close());

  test('a new route is blocked, and its edge is created', async () => {
    const plan = await stack.planned(edge({ r: MODULE }), OFF);
    expect(plan.steps.map((step) => step.address)).not.toContain(ADDRESS);
    expect(plan.steps.map((step) => step.address)).toContain('https_edges.e');
    expect([plan.diagnostics, plan.summary.blocked]).toEqual([[], 1]);
    expect(plan.blocked).toMatchObject([{ address: ADDRESS, message: expect.stringContaining('-routes') as string }]);
  });

  test.each([
    ['that changes', { r: { ...MODULE, match: '/new' } }, ['match']],
    ['that loses a module', { r: { match_type: 'exact_path', match: '/' } }, ['compression']],
    ['that goes', {}, []],
  ])('a route %s is left alone', async (_, routes, paths) => {
    await stack.done(edge({ r: MODULE }));
    const plan = await stack.planned(edge(routes), OFF);
    expect(plan.steps).toEqual([]);
    expect(plan.blocked.map(({ address }) => address)).toEqual([ADDRESS]);
    expect(plan.blocked.flatMap(({ changes = [] }) => changes.map((change) => change.path))).toEqual(paths);
    expect(plan.summary).toMatchObject({ delete: 0, update: 0, blocked: 1, unchanged: 4 });
  });

  test('a route that is as it should be is not pending, and goes with its edge', async () => {
    await stack.done(edge({ r: MODULE }));
    const same = await stack.planned(edge({ r: MODULE }), OFF);
    expect([same.steps, same.blocked]).toEqual([[], []]);
    const gone = await stack.planned({}, OFF);
    expect([gone.steps.map((step) => step.address), gone.blocked]).toEqual([['https_edges.e'], []]);
  });

  test('what needs a new route waits with it, and the rest goes on', async () => {
    const id = '${https_edges.e.routes.r.id}';
    const more = {
      reserved_addrs: { a: { description: id }, b: { description: 'free' } },
      tls_edges: { t: { description: '${reserved_addrs.a.id}' } },
    };
    const plan = await stack.planned({ ...edge({ r: MODULE }), ...more }, OFF);
    const steps = plan.steps.map((step) => step.address);
    expect(steps).toEqual(expect.arrayContaining(['https_edges.e', 'reserved_addrs.b']));
    expect(steps).not.toContain('reserved_addrs.a');
    expect(
      plan.blocked.map(({ address, message }) => [address, message.replace(/ an operation.*/, '')]).sort(),
    ).toEqual([
      [ADDRESS, 'create needs'],
      ['reserved_addrs.a', `needs ${ADDRESS}, which is blocked`],
      ['tls_edges.t', 'needs reserved_addrs.a, which is blocked'],
    ]);
    expect(plan.diagnostics).toEqual([]);
  });

  test('what a route keeps is not deleted', async () => {
    const backend = { failover_backends: { app: { backends: ['bkdhr_1'] } } };
    const using = { r: { ...MODULE, backend: { backend_id: '${failover_backends.app.id}' } } };
    await stack.done({ ...backend, ...edge(using) });
    expect(rules(await stack.planned(edge({ r: MODULE }), OFF))).toEqual(['still-referenced']);
  });
});
