// Replacements that need a word of the user, and the word that each of them takes.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/core/json.ts';
import { REPLACEMENTS } from '../../../src/plan/policies/replacements.ts';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
import type { PlanOptions } from '../../../src/plan/plan-options.ts';
import type { PolicyInput } from '../../../src/plan/policies/policy.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';
import { draft, journal, live, policyInput } from '../sample.ts';

const ADDR = 'reserved_addrs.a';
const EDGE = 'tls_edges.a';

/** Both halves of a replacement of an object. */
function replacing(address: string, old: LiveResource, given: Partial<StepDraft> = {}): StepDraft[] {
  return [
    draft('replace', address, {
      phase: 'create',
      reason: { code: 'create-only', text: 'region cannot be changed' },
      ...given,
    }),
    draft('replace', address, { phase: 'delete', live: old }),
  ];
}

const OLD = live('ra_1', `shop:${ADDR}`);
const KEY = live('ak_1', 'shop:api_keys.a');

const found = (input: PolicyInput) => REPLACEMENTS.flatMap((check) => check(input));

interface Row {
  readonly name: string;
  readonly drafts: readonly StepDraft[];
  readonly options?: Partial<PlanOptions>;
  readonly content?: JsonObject;
  readonly expect: readonly string[];
}

describe('what is replaced without consent', () => {
  test.each<Row>([
    { name: 'nothing is replaced', drafts: [draft('delete', ADDR, { live: OLD })], expect: [] },
    { name: 'what cannot be had back', drafts: replacing(ADDR, OLD), expect: [`irreplaceable --allow-loss ${ADDR}`] },
    { name: 'with consent', drafts: replacing(ADDR, OLD), options: { allowLoss: [ADDR] }, expect: [] },
    {
      name: 'with consent to another',
      drafts: replacing(ADDR, OLD),
      options: { allowLoss: ['reserved_addrs.b'] },
      expect: [`irreplaceable --allow-loss ${ADDR}`],
    },
    { name: 'what can be made again', drafts: replacing(EDGE, live('edgtls_1', `shop:${EDGE}`)), expect: [] },
    {
      name: 'what no stack owns, also when it could be made again',
      drafts: replacing(EDGE, live('edgtls_1')),
      expect: [`adoption-replaces --allow-loss ${EDGE}`],
    },
    {
      name: 'a token that nobody has is no loss',
      drafts: replacing('api_keys.a', KEY, { returnedOnce: 'lost' }),
      expect: [],
    },
    {
      name: 'one that somebody may have is',
      drafts: replacing('api_keys.a', KEY, { returnedOnce: 'unclear' }),
      expect: ['irreplaceable --allow-loss api_keys.a'],
    },
  ])('$name', ({ drafts, options, expect: expected }) => {
    const violations = found(policyInput({}, [], drafts, options));
    expect(violations.map(({ rule, flag }) => `${rule} ${flag ?? ''}`)).toEqual(expected);
  });
});

describe('what another one is said to have replaced', () => {
  const heir = live('ra_2', `shop:${ADDR}`, { marker: { replaces: 'ra_1' } });
  const removal = (successor: StepDraft['successor']) => [
    draft('delete', ADDR, { live: OLD, ...(successor && { successor }) }),
  ];
  const byMarker = removal({ live: heir, address: ADDR });
  const made = {
    made: new Set(['ra_2']),
    ids: new Map([
      ['ra_2', ADDR],
      ['ra_1', ADDR],
    ]),
  };
  test.each<Row>([
    { name: 'what no other took the place of', drafts: removal(undefined), expect: [] },
    { name: 'a marker alone proves nothing', drafts: byMarker, expect: [`--allow-loss ${ADDR}`] },
    {
      name: 'a journal that knows neither',
      drafts: byMarker,
      options: { journal: journal({}) },
      expect: [`--allow-loss ${ADDR}`],
    },
    { name: 'a journal of the run that made it', drafts: byMarker, options: { journal: journal(made) }, expect: [] },
    {
      name: 'not when that run had the old one at another address',
      drafts: byMarker,
      options: {
        journal: journal({
          ...made,
          ids: new Map([
            ['ra_2', ADDR],
            ['ra_1', 'reserved_addrs.b'],
          ]),
        }),
      },
      expect: [`--allow-loss ${ADDR}`],
    },
    { name: 'consent', drafts: byMarker, options: { allowLoss: [ADDR] }, expect: [] },
    {
      name: 'what can be made again needs no proof',
      drafts: [
        draft('delete', EDGE, {
          live: live('edgtls_1', `shop:${EDGE}`),
          successor: { live: live('edgtls_2', `shop:${EDGE}`), address: EDGE },
        }),
      ],
      expect: [],
    },
  ])('$name', ({ drafts, options, expect: expected }) => {
    const violations = found(policyInput({}, [], drafts, options));
    expect(violations.map(({ flag }) => flag)).toEqual(expected);
  });

  test('names the block that asks for the new object, then the old address', () => {
    const other = removal({ live: heir, address: 'reserved_addrs.b' });
    expect(found(policyInput({}, [], other))[0]?.addresses).toEqual(['reserved_addrs.b', ADDR]);
  });
});

describe('no flag lifts what a block forbids', () => {
  const refusing = { reserved_addrs: { a: { lifecycle: { on_immutable_change: 'refuse' } } } };
  test.each<Row>([
    {
      name: 'a block that refuses',
      content: refusing,
      drafts: replacing(ADDR, OLD),
      options: { allowLoss: [ADDR] },
      expect: ['immutable-change'],
    },
    {
      name: 'a block that says nothing',
      content: { reserved_addrs: { a: {} } },
      drafts: replacing(ADDR, OLD),
      options: { allowLoss: [ADDR] },
      expect: [],
    },
    { name: 'an update of it', content: refusing, drafts: [draft('update', ADDR, { live: OLD })], expect: [] },
  ])('$name', ({ content = {}, drafts, options, expect: expected }) => {
    const violations = found(policyInput(content, [], drafts, options));
    expect(violations.map(({ rule }) => rule)).toEqual(expected);
    expect(violations.every(({ flag }) => flag === null)).toBe(true);
  });
});
