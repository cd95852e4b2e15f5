// An object is adopted only at an address that has none: a live object of the stack is never pushed out of its place, and no fix
// says to do that.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { startWorld, type World } from '../support/world.ts';

const [SHOP, WWW, OTHER] = ['shop.test:443', 'www.test:443', 'other.test:443'] as const;
const ROUTES = { r: { match_type: 'path_prefix', match: '/' } };
const stack = (content: JsonObject, name = 'shop'): Json => ({ version: 1, stack: name, ...content });
const site = (hostports: readonly string[], more: JsonObject = {}): JsonObject => ({
  https_edges: { site: { hostports: [...hostports], routes: ROUTES, ...more } },
});

let world: World;
let own: string;
beforeEach(async () => {
  world = await startWorld({ seed: { https_edges: [{ id: 'edghts_v', hostports: [WWW] }] } });
  await world.apply(stack(site([SHOP])));
  own = String(world.emulator.objects('https_edges').find(({ id }) => id !== 'edghts_v')?.['id']);
});
afterEach(() => world.close());

const steps = (plan: Plan) => plan.steps.map((step) => `${step.action} ${step.address} ${step.live_id ?? ''}`.trim());
const errors = (plan: Plan) => plan.diagnostics.filter(({ severity }) => severity === 'error');
const adopting = (hostports: readonly string[], more: JsonObject = {}) =>
  stack(site(hostports, { lifecycle: { adopt: 'edghts_v' }, ...more }));

describe('a value that an object outside the stack holds', () => {
  const fixes = async (content: Json) => (await world.plan(content)).refusals.map(({ rule, fix }) => [rule, fix]);
  const RELEASE = ['foreign-object', 'use another value, or make that object release it first'];

  test('is no reason to adopt that where the address has an object', async () => {
    expect(await fixes(stack(site([SHOP, WWW])))).toEqual([RELEASE]);
  });

  test('is no reason to move it here, either', async () => {
    await world.apply(stack({ https_edges: { theirs: { hostports: [OTHER] } } }, 'other'));
    expect(await fixes(stack(site([SHOP, OTHER])))).toEqual([RELEASE]);
  });

  test('is no reason to adopt what another block adopts', async () => {
    const adopted = { hostports: [OTHER], lifecycle: { adopt: 'edghts_v', ignore_changes: ['hostports'] } };
    const both = { https_edges: { adopted, second: { hostports: [WWW] } } };
    expect(await fixes(stack(both))).toEqual([RELEASE]);
  });

  test('is a reason to adopt it where the address has none, and that line does it', async () => {
    const edges = (more: JsonObject) =>
      stack({ https_edges: { ...(site([SHOP])['https_edges'] as JsonObject), www: { hostports: [WWW], ...more } } });
    expect(await fixes(edges({}))).toEqual([
      ['foreign-object', 'to adopt it, add `lifecycle: { adopt: edghts_v }` to https_edges.www, or use another value'],
    ]);
    const plan = await world.plan(edges({ lifecycle: { adopt: 'edghts_v' } }));
    expect([steps(plan), errors(plan), plan.refusals]).toEqual([['adopt https_edges.www edghts_v'], [], []]);
  });
});

describe('an adoption at an address that has an object', () => {
  test.each([
    ['at the same address', 'https_edges.site', {}],
    [
      'that comes there by a rename',
      'https_edges.shop',
      { moved: [{ from: 'https_edges.site', to: 'https_edges.shop' }] },
    ],
  ])('%s is an error that names both, and nothing is deleted', async (_, address, more) => {
    const block = { hostports: [SHOP], routes: ROUTES, lifecycle: { adopt: 'edghts_v' } };
    const plan = await world.plan(stack({ https_edges: { [address.slice('https_edges.'.length)]: block }, ...more }));
    expect(errors(plan)).toMatchObject([
      {
        code: 'address-occupied',
        address,
        message: `${address} asks to adopt edghts_v, but has ${own} already; an object is adopted only at an address that has none`,
        fix: `remove \`adopt\` from \`lifecycle\` to keep ${own}, or adopt the other object under an address of its own`,
      },
    ]);
    expect(plan.steps.filter(({ action }) => action === 'delete' || action === 'create')).toEqual([]);
  });

  test('both ways out of it are right', async () => {
    expect(errors(await world.plan(adopting([SHOP])))).toHaveLength(1);
    expect(steps(await world.plan(stack(site([SHOP]))))).toEqual([]);
    const apart = {
      https_edges: {
        ...(site([SHOP])['https_edges'] as JsonObject),
        www: { hostports: [WWW], lifecycle: { adopt: 'edghts_v' } },
      },
    };
    const { plan } = await world.apply(stack(apart));
    expect([steps(plan), errors(plan)]).toEqual([['adopt https_edges.www edghts_v'], []]);
  });

  test('that was made free first is done', async () => {
    await world.apply(stack({ removed: [{ from: 'https_edges.site', destroy: false }] }));
    const { plan } = await world.apply(adopting([WWW]));
    expect([steps(plan), errors(plan)]).toEqual([
      ['adopt https_edges.site edghts_v', 'create https_edges.site.routes.r'],
      [],
    ]);
    // The line may stay.
    expect(steps(await world.plan(adopting([WWW])))).toEqual([]);
  });

  test('whose object another block names by its id is done', async () => {
    const other = { hostports: [SHOP], routes: ROUTES, lifecycle: { id: own } };
    const edges = { other, site: { hostports: [WWW], lifecycle: { adopt: 'edghts_v' } } };
    const plan = await world.plan(stack({ https_edges: edges }));
    expect(errors(plan)).toEqual([]);
    expect(steps(plan)).toContain('adopt https_edges.site edghts_v');
    expect(steps(plan)).toContain(`update https_edges.other ${own}`);
  });
});

test('with `id`, a person chooses: the other one is deleted, and its route was not deleted outside', async () => {
  const plan = await world.plan(stack(site([WWW], { lifecycle: { id: 'edghts_v' } })));
  expect(errors(plan)).toEqual([]);
  expect(steps(plan).sort()).toEqual([
    'adopt https_edges.site edghts_v',
    'create https_edges.site.routes.r',
    `delete https_edges.site ${own}`,
  ]);
  expect(plan.steps.filter(({ deleted_outside: outside }) => outside !== undefined)).toEqual([]);
});
