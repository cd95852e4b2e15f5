// What is in use is neither deleted nor replaced: objects that others refer to, and addresses that others serve.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import type { Planning } from '../support/planning.ts';
import { allowing, planningOn, rules } from '../support/planning.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

let world: World;
let stack: Planning;
beforeEach(async () => {
  world = await startWorld();
  stack = planningOn(world);
});
afterEach(() => world.close());

const lines = (plan: Plan) =>
  plan.steps.map((step) => `${step.action}${step.phase ? ` ${step.phase}` : ''} ${step.address}`);
const addr = (region = 'eu') => ({ reserved_addrs: { db: { region } } });
const served = () => {
  const [id = ''] = stack.ids('reserved_addrs');
  return String(stack.object('reserved_addrs', id)['addr']);
};
const losing = allowing('reserved_addrs.db');

describe('an address that is served', () => {
  test('by our own edge that keeps it: literally, or because it is ignored', async () => {
    await stack.done(addr());
    const literal = { tls_edges: { e: { hostports: [served()] } } };
    await stack.done({ ...addr(), ...literal });
    expect(rules(await stack.planned(literal, losing))).toEqual(['still-referenced']);
    const ignoring = { tls_edges: { e: { hostports: [], lifecycle: { ignore_changes: ['hostports'] } } } };
    expect(rules(await stack.planned({ ...addr('us'), ...ignoring }, losing))).toEqual(['still-referenced']);
  });

  test('goes once our own edges have let go of it, in one plan', async () => {
    const edge = { https_edges: { e: { hostports: ['${reserved_addrs.db.addr}'] } } };
    await stack.done({ ...addr(), ...edge });
    const replaced = await stack.done({ ...addr('us'), ...edge }, losing);
    expect(lines(replaced)).toEqual([
      'replace create reserved_addrs.db',
      'update https_edges.e',
      'replace delete reserved_addrs.db',
    ]);
    const deleted = await stack.done({ https_edges: { e: {} } }, losing);
    expect(lines(deleted)).toEqual(['update https_edges.e', 'delete reserved_addrs.db']);
  });

  test('goes with all that serves it when everything is destroyed', async () => {
    const content = { ...addr(), tls_edges: { e: { hostports: ['${reserved_addrs.db.addr}'] } } };
    await stack.done(content);
    const plan = await stack.planned(content, { destroy: true });
    expect(rules(plan)).toEqual([]);
    const order = lines(plan);
    expect(order.indexOf('delete tls_edges.e')).toBeLessThan(order.indexOf('delete reserved_addrs.db'));
  });
});
