// A journal of which the service has nothing: refused, unless it is one object, or the journal or the user says why.

import { expect, test } from 'vitest';
import { anotherAccount } from '../../../src/plan/policies/another-account.ts';
import type { PlanOptions } from '../../../src/plan/plan-options.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { journal, live, policyInput, type Known } from '../sample.ts';

const TWO = new Map([
  ['edgtls_1', 'tls_edges.b'],
  ['edgtls_2', 'tls_edges.a'],
]);
const OTHER = live('edgtls_9', 'other:tls_edges.a');

const found = (known: Known | undefined, objects: readonly LiveResource[], given: Partial<PlanOptions> = {}) =>
  anotherAccount(policyInput({}, objects, [], { ...(known && { journal: journal(known) }), ...given }));

test('two objects that are both gone are refused, with their addresses and the way out', () => {
  expect(found({ ids: TWO }, [OTHER])).toEqual([
    {
      rule: 'another-account',
      message: expect.stringContaining('the journal knows 2 objects of stack shop, and the service has none of them'),
      addresses: ['tls_edges.a', 'tls_edges.b'],
      flag: '--recreate',
    },
  ]);
});

test('a stack that is destroyed is not called clean', () => {
  expect(found({ ids: TWO }, [], { destroy: true })).toMatchObject([
    { message: expect.stringContaining('there is nothing to destroy here') },
  ]);
});

test.each<
  readonly [name: string, known: Known | undefined, objects: readonly LiveResource[], given: Partial<PlanOptions>]
>([
  ['without a journal', undefined, [], {}],
  ['with an empty journal', {}, [], {}],
  ['when only one is known', { ids: new Map([['edgtls_1', 'tls_edges.a']]) }, [], {}],
  ['when one is there', { ids: TWO }, [live('edgtls_1', 'shop:tls_edges.b')], {}],
  ['when one is there, whoever owns it by now', { ids: TWO }, [live('edgtls_1')], {}],
  ['when the stack deleted all but one', { ids: TWO, deleted: new Map([['edgtls_1', 'tls_edges.b']]) }, [], {}],
  ['when the run under way made them', { ids: TWO, fresh: new Set(['edgtls_1']) }, [], {}],
  ['when the user says that they were deleted outside', { ids: TWO }, [], { recreate: true }],
])('not %s', (_, known, objects, given) => {
  expect(found(known, objects, given)).toEqual([]);
});
