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
const refers = (before: Change['before'], after: Change['after'], given: Partial<Change> = {}) =>
  change('config', { path: 'backend.backend_id', before, after, ...given });
const update = (...changes: Change[]) =>
  stepOf({ id: 's', action: 'update', address: A, kind: 'tls_edge', live_id: 'edgtls_1', reason: 'differs', changes });
const step = (action: Step['action'], address: string, given: Partial<Step> = {}) =>
  stepOf({ id: 's', action, address, kind: 'tls_edge', ...given });
const recreated = step('create', F, { changes: [change('config')] });

interface Row {
  readonly name: string;
  readonly plan: Partial<Omit<Plan, 'summary'>>;
  readonly objects?: readonly LiveResource[];
  readonly lost?: readonly { readonly address: string | null; readonly live_id: string | null }[];
  /** Action and address of each. */
  readonly pending?: readonly string[];
  readonly consequences?: Readonly<Record<string, readonly string[]>>;
}

const LOST = [{ address: F, live_id: 'bkdfo_1' }];

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
      plan: { blocked: [A, F, 'tls_edges.gone'].map((address) => ({ address, path: '', reason: 'off' })) },
      objects: [EDGE],
      pending: [`update ${A}`, `create ${F}`, 'delete tls_edges.gone'],
    },
    { name: 'what is missing is found, not pending', plan: { steps: [recreated] }, objects: [EDGE], lost: LOST },
    {
      name: 'what refers to the missing object follows from that',
      plan: { steps: [recreated, update(refers('bkdfo_1', `\${${F}.id}`))] },
      objects: [EDGE],
      lost: LOST,
      consequences: { [F]: [`update ${A}`] },
    },
    {
      name: 'what refers to another one now does not',
      plan: { steps: [recreated, update(refers('bkdfo_9', `\${${F}.id}`))] },
      objects: [EDGE],
      lost: LOST,
      pending: [`update ${A}`],
    },
    {
      name: 'nor what has changed in something else as well',
      plan: {
        steps: [recreated, update(refers('bkdfo_1', `\${${F}.id}`), change('config', { before: 'a', after: 'b' }))],
      },
      objects: [EDGE],
      lost: LOST,
      pending: [`update ${A}`],
    },
    {
      name: 'masks tell nothing, so they are the manifest’s',
      plan: { steps: [recreated, update(refers('bkdfo_1', `\${${F}.id}`, { sensitive: true }))] },
      objects: [EDGE],
      lost: LOST,
      pending: [`update ${A}`],
    },
    {
      name: 'a reference inside text, and an attribute that nobody knows any more',
      plan: { steps: [recreated, update(refers('see bkdfo_1 at https://x/1', `see \${${F}.id} at \${${F}.uri}`))] },
      objects: [EDGE],
      lost: LOST,
      consequences: { [F]: [`update ${A}`] },
    },
    {
      name: 'not when the text around it is another',
      plan: { steps: [recreated, update(refers('see bkdfo_1 at https://x/1', `look \${${F}.id} at \${${F}.uri}`))] },
      objects: [EDGE],
      lost: LOST,
      pending: [`update ${A}`],
    },
    {
      name: 'items of a list in any order',
      plan: { steps: [recreated, update(refers(['bkdfo_1', 'bkdhr_1'], ['bkdhr_1', `\${${F}.id}`]))] },
      objects: [EDGE],
      lost: LOST,
      consequences: { [F]: [`update ${A}`] },
    },
    {
      name: 'not a list with one item more',
      plan: { steps: [recreated, update(refers(['bkdfo_1'], ['bkdhr_1', `\${${F}.id}`]))] },
      objects: [EDGE],
      lost: LOST,
      pending: [`update ${A}`],
    },
    {
      name: 'a member of an object',
      plan: { steps: [recreated, update(refers({ id: 'bkdfo_1', on: true }, { id: `\${${F}.id}`, on: true }))] },
      objects: [EDGE],
      lost: LOST,
      consequences: { [F]: [`update ${A}`] },
    },
    {
      name: 'what follows from a replacement that somebody outside caused',
      plan: {
        steps: [
          step('replace', F, { phase: 'create', changes: [change('drift')] }),
          update(refers('bkdfo_1', `\${${F}.id}`)),
        ],
      },
      objects: [EDGE, OLD],
      consequences: { [F]: [`update ${A}`] },
    },
    {
      name: 'what follows from one that the manifest caused is the manifest’s',
      plan: {
        steps: [
          step('replace', F, { phase: 'create', changes: [change('config', { before: 'a', after: 'b' })] }),
          update(refers('bkdfo_1', `\${${F}.id}`)),
        ],
      },
      objects: [EDGE, OLD],
      pending: [`replace ${F}`, `update ${A}`],
    },
    {
      name: 'a double goes because it was found',
      plan: { steps: [step('delete', A, { live_id: 'edgtls_2' })] },
      objects: [EDGE, { ...live('edgtls_2', `shop:${A}`), isRedundant: true }],
      consequences: { [A]: [`delete ${A}`] },
    },
  ])('$name', ({ plan, objects = [EDGE, OLD], lost = [], pending = [], consequences = {} }) => {
    const wanted = manifest(CONTENT);
    const found = workOf(planOf(plan), lost, match(wanted, wanted.resources, snapshot(...objects)), new Set());
    const shown = (list: (typeof found)['pending']) => list.map(({ action, address }) => `${action} ${address}`);
    expect(shown(found.pending)).toEqual(pending);
    expect(Object.fromEntries([...found.consequences].map(([key, list]) => [key, shown(list)]))).toEqual(consequences);
  });
});
