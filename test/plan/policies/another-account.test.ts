// A journal of which the service has nothing: refused, unless it is one object, or the journal or the user says why.

import { expect, test } from 'vitest';
import { anotherAccount } from '../../../src/plan/policies/another-account.ts';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
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
      fix: expect.stringContaining(
        'for two accounts at one address, give each a journal of its own with --journal FILE',
      ),
      addresses: ['tls_edges.a', 'tls_edges.b'],
      flag: '--recreate',
    },
  ]);
});

test('a stack that is destroyed is not called clean', () => {
  expect(found({ ids: TWO }, [], { destroy: true })).toMatchObject([
    { message: expect.stringContaining('there is nothing to destroy here'), flag: '--deleted-outside' },
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
  [
    'when an object of the stack is at an address that it knows',
    { ids: TWO },
    [live('edgtls_9', 'shop:tls_edges.a')],
    {},
  ],
  ['when the user says that they were deleted outside', { ids: TWO }, [], { recreate: true }],
])('not %s', (_, known, objects, given) => {
  expect(found(known, objects, given)).toEqual([]);
});

const LOST = { objects: 5, stacks: 5 };
const ONE = { ids: new Map([['edgtls_1', 'tls_edges.a']]) };
const create = { action: 'create', address: 'tls_edges.a' } as StepDraft;

test('what a fleet knows together counts for a stack that knows one object, with the flag for it alone', () => {
  expect(found(ONE, [], { lostTogether: LOST, entry: 'team-1' })).toMatchObject([
    {
      message: expect.stringContaining('the journals of the fleet know 5 objects of 5 stacks at this service'),
      addresses: ['tls_edges.a'],
      fix: expect.stringContaining('run the fleet in a folder for each'),
      flag: '--recreate --only team-1',
    },
  ]);
  expect(found(ONE, [], { lostTogether: { objects: 1, stacks: 1 } })).toEqual([]);
});

test('a stack that is new to the fleet is refused with it, unless it has something there', () => {
  const given = { lostTogether: LOST };
  const of = (objects: readonly LiveResource[]) => anotherAccount(policyInput({}, objects, [create], given));
  expect(of([])).toMatchObject([{ addresses: ['tls_edges.a'] }]);
  expect(of([live('edgtls_9', 'shop:tls_edges.b')])).toEqual([]);
});
