// A module that is switched off, because the service cannot remove it, must not keep alive what it names (ADR-0021).

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import type { Planning } from '../support/planning.ts';
import { planningOn, rules } from '../support/planning.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

const lines = (plan: Plan) => plan.steps.map((step) => `${step.action} ${step.address}`);

describe('where modules cannot be removed, and are switched off', () => {
  let world: World;
  let stack: Planning;
  const backends = { failover_backends: { app: { backends: ['bkdhr_1'] } } };
  const edges = (module: JsonObject) => ({
    tls_edges: { e: module },
    https_edges: { s: { routes: { r: { match_type: 'exact_path', match: '/', ...module } } } },
  });
  const using = edges({ backend: { backend_id: '${failover_backends.app.id}' } });

  beforeEach(async () => {
    world = await startWorld({ disabled: ['module-delete'] });
    stack = planningOn(world);
    await stack.done({ ...backends, ...using });
  });
  afterEach(() => world.close());

  test('a module goes together with the backend that it names', async () => {
    const plan = await stack.done(edges({}));
    expect(lines(plan).at(-1)).toBe('delete failover_backends.app');
    expect(stack.ids('backends')).toEqual([]);
    expect(plan.steps[0]?.changes[0]?.note).toContain('without');
  });

  test('a module that was switched off before lets go of the backend when that is deleted', async () => {
    await stack.done({ ...backends, ...edges({}) });
    const named = world.emulator.objects('tls_edges').filter((edge) => isObject(edge['backend']));
    expect(named).toMatchObject([{ backend: { enabled: false, backend: { id: stack.ids('backends')[0] } } }]);
    const plan = await stack.done(edges({}));
    expect(lines(plan).at(-1)).toBe('delete failover_backends.app');
    expect(stack.ids('backends')).toEqual([]);
    expect(plan.steps.flatMap((step) => step.changes).map((change) => change.cause)).toEqual(['config', 'config']);
  });

  test('a module that the manifest ignores keeps the backend', async () => {
    const ignoring = edges({ lifecycle: { ignore_changes: ['backend'] } });
    expect(rules(await stack.planned(ignoring))).toEqual(['still-referenced', 'still-referenced']);
  });
});
