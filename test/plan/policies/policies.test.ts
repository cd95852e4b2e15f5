// The safety rules together: what they find, and the flag that allows it.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { removalOf } from '../../../src/plan/decide/removal.ts';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
import { checkPolicies } from '../../../src/plan/policies/policies.ts';
import type { PlanOptions } from '../../../src/plan/plan-options.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { draft, live, policyInput } from '../sample.ts';

const edges = (count: number) =>
  Array.from({ length: count }, (_, at) => live(`edgtls_${at}`, `shop:tls_edges.e${at}`));
const removing = (objects: readonly LiveResource[]) =>
  objects.map((one) => removalOf({ live: one, children: [], reason: { code: 'not-in-manifest', text: 'because' } }));
/** A block with its object, so that the manifest has some of what the stack owns. */
const KEPT = { reserved_addrs: { kept: {} } };
const keeper = live('ra_9', 'shop:reserved_addrs.kept');

interface Row {
  readonly name: string;
  readonly content?: JsonObject;
  readonly objects: readonly LiveResource[];
  readonly drafts?: readonly StepDraft[];
  readonly options?: Partial<PlanOptions>;
  /** Rule, and flag when there is one. */
  readonly expect: readonly string[];
  readonly says?: readonly string[];
}

function check({ content = KEPT, objects, drafts = [], options, expect: expected, says = [] }: Row): void {
  const { violations: found } = checkPolicies(policyInput(content, objects, drafts, options));
  expect(found.map(({ rule, flag }) => [rule, flag].filter(Boolean).join(' '))).toEqual(expected);
  const [{ message, fix = '' } = { message: '' }] = found;
  for (const word of says) expect(`${message}; ${fix}`).toContain(word);
}

describe('the budget of deletions', () => {
  const four = edges(4);
  const many = edges(40);
  const site = live('edghts_1', 'shop:https_edges.e');
  const routes = ['r', 's', 't'].map((name) =>
    live(`edghtsrt_${name}`, `shop:https_edges.e.routes.${name}`, { parentId: 'edghts_1' }),
  );
  const spare = { ...live('edgtls_9', 'shop:tls_edges.e0'), isRedundant: true as const };
  /** The first of the objects go. */
  const going = (objects: readonly LiveResource[], count: number, allowDeletes?: PlanOptions['allowDeletes']) => ({
    objects: [keeper, ...objects],
    drafts: removing(objects.slice(0, count)),
    ...(allowDeletes !== undefined && { options: { allowDeletes } }),
  });
  const refused = (count: number) => [`delete-budget --allow-deletes ${count}`];
  test.each<Row>([
    { name: 'three are allowed', ...going(four, 3), expect: [] },
    { name: 'four are not', ...going(four, 4), expect: refused(4), says: ['4 objects of 5', 'but only 3 are allowed'] },
    {
      name: 'nor two where one is',
      ...going(four, 2, 1),
      expect: refused(2),
      says: ['2 objects of 5', 'but only 1 is allowed'],
    },
    {
      name: 'nor one where none is',
      ...going(four, 1, 0),
      expect: refused(1),
      says: ['1 object of 5', 'but none is allowed'],
    },
    { name: 'of many a fifth', ...going(many, 8), expect: [] },
    { name: 'and no more', ...going(many, 9), expect: refused(9) },
    { name: 'as many as the user says', ...going(four, 4, 4), expect: [] },
    { name: 'all of them when the user says so', ...going(four, 4, 'all'), expect: [] },
    { name: 'all when everything is destroyed', ...going(four, 4), options: { destroy: true }, expect: [] },
    { name: 'what goes with an object counts', ...going([site, ...routes], 1), expect: refused(4) },
    { name: 'a double does not count', ...going([spare, ...four], 1, 0), expect: [] },
  ])('$name', check);
});

describe('a manifest that has none of what the stack owns', () => {
  const [a, b] = edges(2) as [LiveResource, LiveResource];
  const both = { objects: [a, b], drafts: removing([a, b]) };
  const refused = ['unrelated-manifest --allow-deletes all'];
  const entry = (at: number, destroy: boolean) => ({ from: `tls_edges.e${at}`, destroy });
  test.each<Row>([
    {
      name: 'of another stack with the same name',
      ...both,
      expect: refused,
      says: ['stack shop owns 2', 'another team'],
    },
    { name: 'an empty one', content: {}, ...both, expect: refused, says: ['use `destroy`', '`removed`', '`moved`'] },
    { name: 'while the stack owns nothing', objects: [live('edgtls_1')], drafts: [], expect: [] },
    {
      name: 'that adopts what no stack owns, and nothing else is there',
      content: { tls_edges: { x: { lifecycle: { adopt: 'edgtls_5' } } } },
      objects: [live('edgtls_5')],
      drafts: [draft('adopt', 'tls_edges.x', { live: live('edgtls_5') })],
      expect: [],
    },
    {
      name: 'that adopts what no stack owns, beside what the stack owns',
      content: { tls_edges: { x: { lifecycle: { adopt: 'edgtls_5' } } } },
      objects: [live('edgtls_5'), a],
      drafts: removing([a]),
      expect: refused,
    },
    {
      name: 'that has one of them',
      content: { tls_edges: { e0: {} } },
      objects: [a, b],
      drafts: removing([b]),
      expect: [],
    },
    {
      name: 'that has one of them by `moved`',
      content: { tls_edges: { new: {} }, moved: [{ from: 'tls_edges.e0', to: 'tls_edges.new' }] },
      objects: [a, b],
      drafts: removing([b]),
      expect: [],
    },
    {
      name: 'that has one of them twice, so that it is not clear which is right',
      content: { tls_edges: { e0: {} } },
      objects: [a, live('edgtls_8', 'shop:tls_edges.e0'), b],
      drafts: removing([b]),
      expect: [],
    },
    { name: 'with everything destroyed', content: {}, ...both, options: { destroy: true }, expect: [] },
    { name: 'with that allowed', ...both, options: { allowDeletes: 'all' }, expect: [] },
    { name: 'with as many deletions allowed', ...both, options: { allowDeletes: 2 }, expect: refused },
    { name: 'with all of them removed', content: { removed: [entry(0, true), entry(1, true)] }, ...both, expect: [] },
    {
      name: 'with one of them removed',
      content: { removed: [entry(0, true)] },
      ...both,
      expect: refused,
      says: ['stack shop owns 1 object, which the manifest does not have'],
    },
    {
      name: 'with one released, and the other removed',
      content: { removed: [entry(0, false), entry(1, true)] },
      objects: [a, b],
      drafts: removing([b]),
      expect: [],
    },
    { name: 'with one released', content: { removed: [entry(0, false)] }, ...both, expect: refused },
    {
      name: 'for targets, which would create more under the same name',
      objects: [a],
      drafts: [draft('create', 'reserved_addrs.kept')],
      options: { targets: ['reserved_addrs.kept'] },
      expect: refused,
    },
    { name: 'for targets that need nothing', objects: [a], options: { targets: ['reserved_addrs.kept'] }, expect: [] },
  ])('$name', check);
});

describe('a value that only one object may have', () => {
  const KEY = 'hostports\0a.test:443';
  const holder = (mark = '', id = 'edgtls_1') => live(id, mark, { spec: { hostports: ['a.test:443'] } });
  const OURS = holder('shop:tls_edges.a');
  const taking = draft('create', 'tls_edges.new', { claims: [KEY] });
  const held = (by: LiveResource, ...others: StepDraft[]) => ({ objects: [keeper, by], drafts: [taking, ...others] });
  const foreign = { expect: ['foreign-object'] };
  test.each<Row>([
    { name: 'that nobody has', objects: [], drafts: [taking], expect: [] },
    { name: 'that our own object keeps', ...held(OURS), expect: ['value-kept'], says: ['tls_edges.a', 'a.test:443'] },
    {
      name: 'that our own object gives up',
      ...held(OURS, draft('update', 'tls_edges.a', { live: OURS, releases: [KEY] })),
      expect: [],
    },
    { name: 'that nobody owns: it can be taken over', ...held(holder()), ...foreign, says: ['adopt: edgtls_1'] },
    {
      name: 'that another kind has: it cannot',
      ...held(holder('', 'edghts_1')),
      ...foreign,
      says: ['use another value'],
    },
    {
      name: 'that another stack has',
      ...held(holder('other:tls_edges.a')),
      ...foreign,
      says: ['stack other', 'use another value'],
    },
    { name: 'that may be ours', ...held(holder('?')), ...foreign, says: ['cannot be read'] },
    {
      name: 'that the step has itself',
      objects: [keeper, OURS],
      drafts: [draft('update', 'tls_edges.a', { live: OURS, claims: [KEY] })],
      expect: [],
    },
    {
      name: 'that goes with the object around it',
      ...held(OURS, draft('delete', 'https_edges.e', { live: live('edghts_1'), children: ['edgtls_1'] })),
      expect: [],
    },
  ])('$name', check);
});

describe('an object of another stack that a step is about', () => {
  const named = live('edgtls_1', 'other:tls_edges.x');
  const unread = live('edgtls_1', '?other');
  test.each<Row>([
    {
      name: 'is moved from there by an entry of its own',
      objects: [named],
      drafts: [draft('update', 'tls_edges.a', { live: named })],
      expect: ['foreign-object'],
      says: ['address: tls_edges.x }, to: tls_edges.a }'],
    },
    {
      name: 'has its marker restored there first',
      objects: [unread],
      drafts: [draft('adopt', 'tls_edges.a', { live: unread })],
      expect: ['foreign-object'],
      says: ['restore its marker'],
    },
    {
      name: 'unlike one that nobody owns',
      objects: [live('edgtls_1')],
      drafts: [draft('adopt', 'tls_edges.a', { live: live('edgtls_1') })],
      expect: [],
    },
  ])('$name', check);
});

test('all rules are asked, the budget first', () => {
  const objects = edges(4).map((one) => ({ ...one, marker: { ...one.marker, protect: true } }) as LiveResource);
  const { violations: found } = checkPolicies(policyInput({}, objects, removing(objects)));
  expect(found.map(({ rule }) => rule)).toEqual(['delete-budget', 'unrelated-manifest', 'protected']);
});

test('an empty list: one violation for each kind, with everything that refers to it once and in order', () => {
  const user = (id: string) => live(id, undefined, { spec: { backend: { backend_id: 'bkdfo_1' } } });
  const objects = [
    user('edgtls_2'),
    user('edgtls_1'),
    live('esb_1', '', { spec: { destination_ids: ['ed_1', 'ed_2'] } }),
  ];
  const { violations } = checkPolicies(policyInput({}, objects, []));
  expect(violations.map(({ rule, addresses, flag }) => [rule, addresses, flag])).toEqual([
    ['empty-list', ['edgtls_1', 'edgtls_2'], null],
    ['empty-list', ['esb_1'], null],
  ]);
});
