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
  objects.map((one) => removalOf({ live: one, children: [], reason: 'because' }));
const KEPT = { reserved_addrs: { kept: {} } };

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
  const found = checkPolicies(policyInput(content, objects, drafts, options));
  expect(found.map(({ rule, flag }) => [rule, flag].filter(Boolean).join(' '))).toEqual(expected);
  for (const word of says) expect(found[0]?.message).toContain(word);
}

describe('the budget of deletions', () => {
  const four = edges(4);
  const many = edges(40);
  const site = live('edghts_1', 'shop:https_edges.e');
  const routes = ['r', 's', 't'].map((name) =>
    live(`edghtsrt_${name}`, `shop:https_edges.e.routes.${name}`, { parentId: 'edghts_1' }),
  );
  const spare = { ...live('edgtls_9', 'shop:tls_edges.e0'), isRedundant: true as const };
  test.each<Row>([
    { name: 'three are allowed', objects: four, drafts: removing(four.slice(1)), expect: [] },
    {
      name: 'four are not',
      objects: four,
      drafts: removing(four),
      expect: ['delete-budget --allow-deletes 4'],
      says: ['4 objects of 4', 'but only 3 are allowed'],
    },
    {
      name: 'nor two where one is',
      objects: four,
      drafts: removing(four.slice(2)),
      options: { allowDeletes: 1 },
      expect: ['delete-budget --allow-deletes 2'],
      says: ['2 objects of 4', 'but only 1 is allowed'],
    },
    {
      name: 'nor one where none is',
      objects: four,
      drafts: removing(four.slice(3)),
      options: { allowDeletes: 0 },
      expect: ['delete-budget --allow-deletes 1'],
      says: ['1 object of 4', 'but none is allowed'],
    },
    { name: 'of many a fifth', objects: many, drafts: removing(many.slice(0, 8)), expect: [] },
    {
      name: 'and no more',
      objects: many,
      drafts: removing(many.slice(0, 9)),
      expect: ['delete-budget --allow-deletes 9'],
    },
    {
      name: 'as many as the user says',
      objects: four,
      drafts: removing(four),
      options: { allowDeletes: 4 },
      expect: [],
    },
    {
      name: 'none when the user says so',
      objects: four,
      drafts: removing(four.slice(3)),
      options: { allowDeletes: 0 },
      expect: ['delete-budget --allow-deletes 1'],
    },
    {
      name: 'all of them when the user says so',
      objects: four,
      drafts: removing(four),
      options: { allowDeletes: 'all' },
      expect: [],
    },
    {
      name: 'all of them when everything is destroyed',
      objects: four,
      drafts: removing(four),
      options: { destroy: true },
      expect: [],
    },
    {
      name: 'what goes with an object counts',
      objects: [site, ...routes],
      drafts: removing([site]),
      expect: ['delete-budget --allow-deletes 4'],
    },
    {
      name: 'a double does not count',
      objects: [...four, spare],
      drafts: removing([spare]),
      options: { allowDeletes: 0 },
      expect: [],
    },
  ])('$name', check);
});

describe('a manifest without resources', () => {
  test.each<Row>([
    {
      name: 'while the stack owns something',
      content: {},
      objects: edges(1),
      expect: ['empty-manifest'],
      says: ['edgeform destroy'],
    },
    { name: 'while it owns nothing', content: {}, objects: [live('edgtls_1')], expect: [] },
    { name: 'while everything is destroyed', content: {}, objects: edges(1), options: { destroy: true }, expect: [] },
    { name: 'for targets alone', content: {}, objects: edges(1), options: { targets: ['tls_edges.a'] }, expect: [] },
  ])('$name', check);
});

describe('a value that only one object may have', () => {
  const KEY = 'hostports\0a.test:443';
  const holder = (mark = '', id = 'edgtls_1') => live(id, mark, { spec: { hostports: ['a.test:443'] } });
  const taking = draft('create', 'tls_edges.new', { claims: [KEY] });
  test.each<Row>([
    { name: 'that nobody has', objects: [], drafts: [taking], expect: [] },
    {
      name: 'that our own object keeps',
      objects: [holder('shop:tls_edges.a')],
      drafts: [taking],
      expect: ['value-kept'],
      says: ['tls_edges.a', 'a.test:443'],
    },
    {
      name: 'that our own object gives up',
      objects: [holder('shop:tls_edges.a')],
      drafts: [taking, draft('update', 'tls_edges.a', { live: holder('shop:tls_edges.a'), releases: [KEY] })],
      expect: [],
    },
    {
      name: 'that nobody owns: it can be taken over',
      objects: [holder()],
      drafts: [taking],
      expect: ['foreign-object'],
      says: ['adopt: edgtls_1'],
    },
    {
      name: 'that another kind has: it cannot',
      objects: [holder('', 'edghts_1')],
      drafts: [taking],
      expect: ['foreign-object'],
      says: ['use another value'],
    },
    {
      name: 'that another stack has',
      objects: [holder('other:tls_edges.a')],
      drafts: [taking],
      expect: ['foreign-object'],
      says: ['stack other', 'use another value'],
    },
    {
      name: 'that may be ours',
      objects: [holder('?')],
      drafts: [taking],
      expect: ['foreign-object'],
      says: ['cannot be read'],
    },
    {
      name: 'that the step has itself',
      objects: [holder('shop:tls_edges.a')],
      drafts: [draft('update', 'tls_edges.a', { live: holder('shop:tls_edges.a'), claims: [KEY] })],
      expect: [],
    },
    {
      name: 'that goes with the object around it',
      objects: [holder('shop:tls_edges.a')],
      drafts: [taking, draft('delete', 'https_edges.e', { live: live('edghts_1'), children: ['edgtls_1'] })],
      expect: [],
    },
  ])('$name', check);
});

describe('an object of another stack that a step is about', () => {
  const named = live('edgtls_1', 'other:tls_edges.x');
  const unread = live('edgtls_1', '?other');
  test.each<Row>([
    {
      name: 'is released there first',
      objects: [named],
      drafts: [draft('update', 'tls_edges.a', { live: named })],
      expect: ['foreign-object'],
      says: ['from: tls_edges.x'],
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
  const found = checkPolicies(policyInput({}, objects, removing(objects)));
  expect(found.map(({ rule }) => rule)).toEqual(['delete-budget', 'empty-manifest', 'protected']);
});
