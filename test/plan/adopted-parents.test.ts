// Whatever writes into an object that is still to be adopted waits for the adoption, and is not attempted without it.

import { afterEach, describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/core/json.ts';
import type { Fault } from '../../src/emulator/faults.ts';
import { writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { applyOn, createDirect, planOn } from '../support/in-process.ts';
import { load, startWorld, type World } from '../support/world.ts';

let world: World | undefined;
afterEach(() => world?.close());

const route = (match: string, more: JsonObject = {}): JsonObject => ({ match_type: 'path_prefix', match, ...more });
const marked = (name: string) =>
  writeMarker('', { v: 1, stack: 'shop', address: `https_edges.site.routes.${name}`, applied: {} });
/** A live route of the stack: the edge around it lost its marker. */
const own = (name: string, match: string, more: JsonObject = {}): JsonObject => ({
  id: `edghtsrt_${name}`,
  metadata: marked(name),
  ...route(match, more),
});

const REFUSED: Fault = {
  match: { method: 'PATCH', path: '^/edges/https/[^/]*$' },
  action: 'status',
  status: 400,
  body: { error_code: 'E1', status_code: 400, msg: 'no', details: {} },
};

interface Row {
  readonly what: string;
  readonly live: readonly JsonObject[];
  readonly routes: JsonObject;
  readonly more?: JsonObject;
  /** The steps for routes. */
  readonly steps: readonly string[];
}

const ROWS: readonly Row[] = [
  { what: 'created', live: [], routes: { r: route('/x') }, steps: ['create r'] },
  { what: 'updated', live: [own('r', '/x')], routes: { r: route('/x', { description: 'new' }) }, steps: ['update r'] },
  {
    what: 'relieved of a module',
    live: [own('r', '/x', { compression: { enabled: true } })],
    routes: { r: route('/x') },
    steps: ['update r'],
  },
  {
    what: 'adopted',
    live: [{ id: 'edghtsrt_r', ...route('/x') }],
    routes: { r: route('/x', { lifecycle: { adopt: 'edghtsrt_r' } }) },
    steps: ['adopt r'],
  },
  { what: 'deleted', live: [own('r', '/x')], routes: {}, steps: ['delete r'] },
  {
    what: 'released',
    live: [own('r', '/x')],
    routes: {},
    more: { removed: [{ from: 'https_edges.site.routes.r', destroy: false }] },
    steps: ['release r'],
  },
  {
    what: 'detached from its match for a swap',
    live: [own('a', '/a'), own('b', '/b')],
    routes: { a: route('/b'), b: route('/a') },
    steps: ['update a detach', 'update b', 'update a'],
  },
];

const manifest = ({ routes, more = {} }: Pick<Row, 'routes' | 'more'>): Json => ({
  version: 1,
  stack: 'shop',
  https_edges: { site: { hostports: [], lifecycle: { adopt: 'edghts_1' }, routes } },
  ...more,
});

describe.each(ROWS)('a route that is $what in an edge that is to be adopted', ({ live, routes, more, steps }) => {
  const content = manifest({ routes, ...(more && { more }) });
  const seed = { https_edges: [{ id: 'edghts_1', routes: live }] };

  test('waits for the adoption', async () => {
    world = await startWorld({ seed });
    const { plan, results } = await world.apply(content);
    const [adoption, ...others] = plan.steps;
    expect(adoption).toMatchObject({ action: 'adopt', address: 'https_edges.site' });
    expect(
      others.map(({ action, address, phase = '' }) => `${action} ${address.split('.').at(-1) ?? ''} ${phase}`.trim()),
    ).toEqual(steps);
    for (const { depends_on } of others) expect(depends_on).toContain(adoption?.id);
    expect(results.map(({ status }) => status)).toEqual(plan.steps.map(() => 'done'));
  });

  test('is not attempted when the service refuses the adoption', async () => {
    world = await startWorld({ seed, faults: [REFUSED] });
    const { results } = await world.apply(content);
    expect(results.map(({ status }) => status)).toEqual(['failed', ...steps.map(() => 'blocked')]);
    expect(world.writes().map(({ method, path }) => `${method} ${path}`)).toEqual(['PATCH /edges/https/edghts_1']);
  });
});

test('a route is not created in an edge that another stack took before the write', async () => {
  const direct = createDirect();
  const { body } = direct.ask('POST', '/edges/https', { hostports: [] });
  const adopt = isObject(body) ? String(body['id']) : '';
  const planned = await planOn(
    direct,
    load({
      version: 1,
      stack: 'shop',
      https_edges: { site: { hostports: [], lifecycle: { adopt }, routes: { r: route('/x') } } },
    }),
  );
  const metadata = writeMarker('', { v: 1, stack: 'other', address: 'https_edges.theirs', applied: {} });
  direct.ask('PATCH', `/edges/https/${adopt}`, { metadata });
  const results = await applyOn(direct, planned, 8);
  expect(results.map(({ status }) => status)).toEqual(['failed', 'blocked']);
  expect(direct.sent).toEqual([]);
});
