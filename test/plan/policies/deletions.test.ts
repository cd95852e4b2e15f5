// Deletions of what cannot be had again, and the consent that each of them takes.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import type { JsonObject } from '../../../src/core/json.ts';
import { removalOf } from '../../../src/plan/decide/removal.ts';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
import { checkPolicies } from '../../../src/plan/policies/policies.ts';
import { unconfirmedDeletions } from '../../../src/plan/policies/deletions.ts';
import type { PlanOptions } from '../../../src/plan/plan-options.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { draft, live, policyInput } from '../sample.ts';

/** No kind of children has what cannot be had again, so one is such a kind while these tests run. */
const ROUTES = kindByName('https_edge_route');
beforeAll(() => Object.assign(ROUTES, { irreplaceable: 'nothing matches like this one' }));
afterAll(() => Reflect.deleteProperty(ROUTES, 'irreplaceable'));

const ADDR = 'reserved_addrs.a';
const OLD = live('ra_1', `shop:${ADDR}`);
const KEY = live('ak_1', 'shop:api_keys.a');
const EDGE = live('edghts_1', 'shop:https_edges.e');
const ROUTE = live('edghtsrt_1', 'shop:https_edges.e.routes.r', { parentId: 'edghts_1' });

const deleting = (one: LiveResource, given: Partial<Parameters<typeof removalOf>[0]> = {}) => [
  removalOf({ live: one, children: [], reason: { code: 'not-in-manifest', text: 'because' }, ...given }),
];
const removed = (from: string) => ({ removed: [{ from, destroy: true }] });

interface Row {
  readonly name: string;
  readonly content?: JsonObject;
  readonly objects?: readonly LiveResource[];
  readonly drafts: readonly StepDraft[];
  readonly options?: Partial<PlanOptions>;
  /** The flag and the entry of each violation. */
  readonly expect: readonly (readonly [flag: string, entry?: string])[];
}

const REFUSED = [[`--allow-loss ${ADDR}`, `removed: [{ from: ${ADDR}, destroy: true }]`]] as const;
const ROUTE_REFUSED = [
  ['--allow-loss https_edges.e.routes.r', 'removed: [{ from: https_edges.e.routes.r, destroy: true }]'],
] as const;
const parent = { objects: [EDGE, ROUTE], drafts: deleting(EDGE, { children: [ROUTE] }) };

describe('what is deleted without consent', () => {
  test.each<Row>([
    { name: 'what cannot be had again', drafts: deleting(OLD), expect: REFUSED },
    { name: 'what can be made again', drafts: deleting(live('edgtls_1', 'shop:tls_edges.a')), expect: [] },
    { name: 'with the flag', drafts: deleting(OLD), options: { allowLoss: [ADDR] }, expect: [] },
    {
      name: 'with the flag for another',
      drafts: deleting(OLD),
      options: { allowLoss: ['reserved_addrs.b'] },
      expect: REFUSED,
    },
    { name: 'with all deletions allowed', drafts: deleting(OLD), options: { allowDeletes: 'all' }, expect: REFUSED },
    { name: 'with an entry', content: removed(ADDR), drafts: deleting(OLD), expect: [] },
    { name: 'with an entry for another', content: removed('reserved_addrs.b'), drafts: deleting(OLD), expect: REFUSED },
    {
      name: 'with an entry that releases it',
      content: { removed: [{ from: ADDR, destroy: false }] },
      drafts: deleting(OLD),
      expect: REFUSED,
    },
    {
      name: 'with an entry for the address that it was moved to',
      content: { ...removed('reserved_addrs.b'), moved: [{ from: ADDR, to: 'reserved_addrs.b' }] },
      drafts: deleting(OLD),
      expect: [],
    },
    { name: 'with everything destroyed', drafts: deleting(OLD), options: { destroy: true }, expect: [] },
    {
      name: 'one of two objects, while a block asks for the other: no entry can say so',
      content: { reserved_addrs: { a: { lifecycle: { id: 'ra_2' } } } },
      objects: [OLD, live('ra_2', `shop:${ADDR}`)],
      drafts: deleting(OLD),
      expect: [[`--allow-loss ${ADDR}`]],
    },
    { name: 'a redundant duplicate is no loss', drafts: deleting({ ...OLD, isRedundant: true }), expect: [] },
    {
      name: 'nor is a token that was never stored',
      drafts: deleting(KEY, { once: { is: 'lost', reason: { code: 'not-in-manifest', text: 'r' }, loss: 'l' } }),
      expect: [],
    },
    {
      name: 'one that may have been stored is',
      drafts: deleting(KEY, { once: { is: 'unclear', reason: { code: 'not-in-manifest', text: 'r' }, loss: 'l' } }),
      expect: [['--allow-loss api_keys.a', 'removed: [{ from: api_keys.a, destroy: true }]']],
    },
    {
      name: 'the old object of a replacement is asked about elsewhere',
      drafts: [draft('replace', ADDR, { phase: 'delete', live: OLD })],
      expect: [],
    },
    { name: 'a release loses nothing', drafts: [draft('release', ADDR, { live: OLD })], expect: [] },
  ])(
    '$name',
    ({ content = {}, drafts, objects = drafts.flatMap((one) => one.live ?? []), options, expect: expected }) => {
      const violations = unconfirmedDeletions(policyInput(content, objects, drafts, options));
      expect(violations.map(({ flag, entry }) => [flag, ...(entry === undefined ? [] : [entry])])).toEqual(expected);
    },
  );

  test.each<Row>([
    { name: 'a child of what is deleted', ...parent, expect: ROUTE_REFUSED },
    {
      name: 'a child of what is replaced',
      objects: [EDGE, ROUTE],
      drafts: [draft('replace', 'https_edges.e', { phase: 'delete', live: EDGE })],
      expect: ROUTE_REFUSED,
    },
    {
      name: 'a child of a redundant duplicate is no loss',
      objects: [EDGE, ROUTE],
      drafts: deleting({ ...EDGE, isRedundant: true }, { children: [ROUTE] }),
      expect: [],
    },
    { name: 'with the flag for the child', ...parent, options: { allowLoss: ['https_edges.e.routes.r'] }, expect: [] },
    { name: 'with the flag for what it is in', ...parent, options: { allowLoss: ['https_edges.e'] }, expect: [] },
    { name: 'with an entry for the child', ...parent, content: removed('https_edges.e.routes.r'), expect: [] },
    { name: 'with an entry for what it is in', ...parent, content: removed('https_edges.e'), expect: [] },
  ])(
    '$name',
    ({ content = {}, drafts, objects = drafts.flatMap((one) => one.live ?? []), options, expect: expected }) => {
      const violations = unconfirmedDeletions(policyInput(content, objects, drafts, options));
      expect(violations.map(({ flag, entry }) => [flag, entry])).toEqual(expected);
    },
  );
});

test('a refusal says what is lost, and with what', () => {
  const [alone] = unconfirmedDeletions(policyInput({}, [], deleting(OLD)));
  const [inside] = unconfirmedDeletions(policyInput({}, parent.objects, parent.drafts));
  expect([alone?.message, inside?.message]).toEqual([
    `${ADDR} (ra_1) would be deleted: its host and port are released and cannot be restored`,
    'https_edges.e.routes.r (edghtsrt_1) would be deleted with https_edges.e: requests that match it are no longer served by it',
  ]);
});

test('neither a flag nor an entry is named where another rule forbids the deletion anyway', () => {
  const marked = live('ra_1', `shop:${ADDR}`, { marker: { protect: true } });
  const kept = live('ra_2', 'shop:reserved_addrs.b');
  const input = policyInput({ reserved_addrs: { b: {} } }, [marked, kept], deleting(marked));
  expect(checkPolicies(input).violations.map(({ rule, flag, entry }) => [rule, flag, entry])).toEqual([
    ['protected', null, undefined],
    ['irreplaceable', null, undefined],
  ]);
});

test('what is removed by an entry does not count against the budget of deletions, and its children do not either', () => {
  const edges = Array.from({ length: 5 }, (_, at) => live(`edgtls_${at}`, `shop:tls_edges.e${at}`));
  const kept = live('ra_2', 'shop:reserved_addrs.b');
  const entries = (count: number) =>
    edges.slice(0, count).map((_, at) => ({ from: `tls_edges.e${at}`, destroy: true }));
  const found = (count: number, more: JsonObject[] = []) => {
    const content = { reserved_addrs: { b: {} }, removed: [...entries(count), ...more] };
    const drafts = [...edges.flatMap((one) => deleting(one)), ...parent.drafts];
    const { violations } = checkPolicies(policyInput(content, [...edges, kept, ...parent.objects], drafts));
    return violations.filter(({ rule }) => rule === 'delete-budget').map(({ flag, addresses }) => [flag, addresses]);
  };
  expect(found(5)).toEqual([]);
  expect(found(3)).toEqual([
    ['--allow-deletes 4', ['https_edges.e', 'https_edges.e.routes.r', 'tls_edges.e3', 'tls_edges.e4']],
  ]);
  expect(found(3, [{ from: 'https_edges.e', destroy: true }])).toEqual([]);
});
