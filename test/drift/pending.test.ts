// What a plan does beside putting back what was found: from the manifest or an earlier run, or because of a finding.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { workOf } from '../../src/drift/pending.ts';
import { match } from '../../src/plan/match/match.ts';
import type { Cause, Change, Plan, Step } from '../../src/plan/plan.ts';
import type { LiveResource } from '../../src/resource/snapshot.ts';
import { live, manifest, snapshot } from '../plan/sample.ts';
import { changeOf, planOf, stepOf } from '../render/sample.ts';

const A = 'tls_edges.a';
const F = 'failover_backends.f';
const CONTENT: JsonObject = { tls_edges: { a: {} }, failover_backends: { f: {} } };
const EDGE = live('edgtls_1', `shop:${A}`);
const OLD = live('bkdfo_1', `shop:${F}`);

const change = (cause: Cause, given: Partial<Change> = {}) => changeOf({ path: 'description', cause, ...given });
const update = (...changes: Change[]) =>
  stepOf({
    id: 's',
    action: 'update',
    address: A,
    kind: 'tls_edge',
    live_id: 'edgtls_1',
    reason: { code: 'differs', text: 'differs' },
    changes,
  });
const step = (action: Step['action'], address: string, given: Partial<Step> = {}) =>
  stepOf({ id: 's', action, address, kind: 'tls_edge', ...given });
const recreated = step('create', F, { id: 's1', changes: [change('config')] });
const waits = (id: string): Step => ({ ...update(change('config')), depends_on: [id] });

interface Row {
  readonly name: string;
  readonly plan: Partial<Omit<Plan, 'summary'>>;
  readonly objects?: readonly LiveResource[];
  readonly lost?: ReadonlySet<string>;
  readonly pending?: readonly string[];
  readonly consequences?: Readonly<Record<string, readonly string[]>>;
}

const LOST = new Set([F]);

describe('workOf', () => {
  test.each<Row>([
    { name: 'nothing', plan: {} },
    { name: 'what the manifest caused', plan: { steps: [update(change('config'))] }, pending: [`update ${A}`] },
    { name: 'not what somebody else caused', plan: { steps: [update(change('drift'), change('unknown'))] } },
    { name: 'what both caused is a finding, not pending', plan: { steps: [update(change('both'))] } },
    {
      name: 'what the manifest caused beside drift',
      plan: { steps: [update(change('config'), change('drift'))] },
      pending: [`update ${A}`],
    },
    { name: 'a step that shows no change', plan: { steps: [update()] }, pending: [`update ${A}`] },
    {
      name: 'a replacement once, and no detaching step',
      plan: {
        steps: [
          step('replace', A, { phase: 'create', changes: [change('config')] }),
          step('replace', A, { phase: 'delete' }),
          step('update', F, { phase: 'detach' }),
        ],
      },
      pending: [`replace ${A}`],
    },
    {
      name: 'what is blocked, by what it would be',
      plan: {
        blocked: [A, F, 'tls_edges.gone'].map((address) => ({
          code: 'operation-off',
          severity: 'error',
          address,
          path: '',
          message: 'off',
        })),
      },
      objects: [EDGE],
      pending: [`update ${A}`, `create ${F}`, 'delete tls_edges.gone'],
    },
    { name: 'what is missing is found, not pending', plan: { steps: [recreated] }, objects: [EDGE], lost: LOST },
    {
      name: 'what waits for the missing object follows from that',
      plan: { steps: [recreated, waits('s1')] },
      objects: [EDGE],
      lost: LOST,
      consequences: { [F]: [`update ${A}`] },
    },
    {
      name: 'also through another step',
      plan: { steps: [recreated, { ...waits('s1'), id: 's2', address: 'tls_edges.b' }, waits('s2')] },
      objects: [EDGE],
      lost: LOST,
      consequences: { [F]: ['update tls_edges.b', `update ${A}`] },
    },
    {
      name: 'a new object is the manifest’s, whatever it waits for',
      plan: {
        steps: [recreated, step('create', 'tls_edges.new', { depends_on: ['s1'], changes: [change('config')] })],
      },
      objects: [EDGE],
      lost: LOST,
      pending: ['create tls_edges.new'],
    },
    {
      name: 'what waits for nothing that was found is the manifest’s',
      plan: { steps: [recreated, waits('s9')] },
      objects: [EDGE],
      lost: LOST,
      pending: [`update ${A}`],
    },
    {
      name: 'what waits for a replacement that was caused outside',
      plan: { steps: [step('replace', F, { id: 's1', phase: 'create', changes: [change('drift')] }), waits('s1')] },
      consequences: { [F]: [`update ${A}`] },
    },
    {
      name: 'what waits for one that the manifest caused is the manifest’s',
      plan: { steps: [step('replace', F, { id: 's1', phase: 'create', changes: [change('config')] }), waits('s1')] },
      pending: [`replace ${F}`, `update ${A}`],
    },
    {
      name: 'a duplicate goes because it was found, and so does what its deletion waits for',
      plan: { steps: [{ ...waits('s9'), address: F }, step('delete', A, { live_id: 'edgtls_2', depends_on: ['s'] })] },
      objects: [EDGE, OLD, { ...live('edgtls_2', `shop:${A}`), isRedundant: true }],
      consequences: { [A]: [`update ${F}`, `delete ${A}`] },
    },
  ])('$name', ({ plan, objects = [EDGE, OLD], lost = new Set(), pending = [], consequences = {} }) => {
    const wanted = manifest(CONTENT);
    const found = workOf(planOf(plan), match(wanted, wanted.resources, snapshot(...objects)), {
      gone: lost,
      remarked: new Set(),
    });
    const shown = (list: typeof found.pending) => list.map(({ action, address }) => `${action} ${address}`);
    expect(shown(found.pending)).toEqual(pending);
    expect(Object.fromEntries([...found.consequences].map(([key, list]) => [key, shown(list)]))).toEqual(consequences);
  });
});
