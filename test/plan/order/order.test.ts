// The order of steps: each after all it waits for, the same for the same drafts in any order.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { kindByManifestKey } from '../../../src/catalog/lookup.ts';
import type { StepDraft } from '../../../src/plan/decide/step-draft.ts';
import { BARE_DRAFT } from '../../../src/plan/decide/step-draft.ts';
import { order, childrenFirst } from '../../../src/plan/order/order.ts';
import type { LiveResource } from '../../../src/resource/snapshot.ts';

const kind = kindByManifestKey('tls_edges')!;
const live = (id: string, more: Partial<LiveResource> = {}) =>
  ({
    kind: kind.name,
    id,
    parentId: undefined,
    spec: {},
    computed: {},
    metadata: '',
    ...more,
  }) as unknown as LiveResource;
const draft = (key: string, more: Partial<StepDraft> = {}): StepDraft => ({
  key,
  action: 'create',
  address: `tls_edges.${key}`,
  kind,
  live: undefined,
  reason: { code: 'not-in-manifest', text: '' },
  source: null,
  ...BARE_DRAFT,
  requests: [],
  ...more,
});

interface Row {
  readonly name: string;
  readonly given: readonly StepDraft[];
  readonly expect: readonly string[];
}

const HOST = 'hostports\0a:443';

const rows: readonly Row[] = [
  { name: 'by address where nothing waits', given: [draft('b'), draft('a')], expect: ['a', 'b'] },
  {
    name: 'what is referred to first',
    given: [draft('a', { references: ['tls_edges.b'] }), draft('b')],
    expect: ['b', 'a'],
  },
  {
    name: 'an address that no step makes is waited for by nobody',
    given: [draft('a', { references: ['tls_edges.elsewhere'] }), draft('b')],
    expect: ['a', 'b'],
  },
  {
    name: 'a value is freed before it is taken',
    given: [draft('a', { claims: [HOST] }), draft('b', { action: 'update', releases: [HOST] })],
    expect: ['b', 'a'],
  },
  {
    name: 'nobody waits for a value that it frees itself',
    given: [draft('a', { action: 'update', claims: [HOST], releases: [HOST] })],
    expect: ['a'],
  },
  {
    name: 'an object goes after those that let go of it',
    given: [
      draft('a', { action: 'delete', live: live('edgtls_1') }),
      draft('b', { action: 'update', drops: ['edgtls_1'] }),
    ],
    expect: ['b', 'a'],
  },
  {
    name: 'what is said to come before does',
    given: [draft('a', { after: ['b'] }), draft('b', { after: ['c'] }), draft('c')],
    expect: ['c', 'b', 'a'],
  },
];

describe('order', () => {
  test.each(rows)('$name', ({ given, expect: expected }) => {
    for (const drafts of [given, [...given].reverse()]) {
      const { drafts: sorted, cycles } = order(drafts);
      expect([sorted.map(({ key }) => key), cycles]).toEqual([expected, []]);
    }
  });

  test('those that wait for each other are a cycle, and refused together', () => {
    const [one, two] = ['hostports\0a:443', 'hostports\0b:443'];
    const given = [
      draft('a', { action: 'update', claims: [two], releases: [one] }),
      draft('b', { action: 'update', claims: [one], releases: [two] }),
      draft('c'),
    ];
    const { cycles } = order(given);
    expect(cycles.map((cycle) => cycle.map(({ key }) => key).sort())).toEqual([['a', 'b']]);
  });

  test('each draft comes once, after all it waits for, whatever the graph without cycles', () => {
    const links = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 25 });
    fc.assert(
      fc.property(links, fc.nat(), (pairs, turn) => {
        const keys = Array.from('abcdefghij');
        const given = keys.map((key, at) =>
          draft(key, { after: pairs.flatMap(([from, to]) => (from === at && to < at ? [keys[to]!] : [])) }),
        );
        const turned = [...given.slice(turn % 10), ...given.slice(0, turn % 10)];
        const { drafts, cycles } = order(turned);
        const places = new Map(drafts.map(({ key }, at) => [key, at]));
        expect([cycles, places.size, drafts.length]).toEqual([[], 10, 10]);
        for (const { key, after } of drafts)
          for (const before of after) expect(places.get(before)).toBeLessThan(places.get(key)!);
        expect(drafts.map(({ key }) => key)).toEqual(order(given).drafts.map(({ key }) => key));
      }),
      { seed: 5 },
    );
  });
});

describe('childrenFirst', () => {
  const parent = live('edgtls_1', { marker: { address: 'tls_edges.old' } } as unknown as Partial<LiveResource>);
  const child = draft('child', { action: 'delete', live: live('edgtls_2', { parentId: 'edgtls_1' }) });

  test.each<[string, Partial<StepDraft>, readonly string[]]>([
    ['is released', { action: 'release', live: parent }, ['child']],
    ['is renamed', { action: 'update', live: parent }, ['child']],
    ['keeps its address', { action: 'update', address: 'tls_edges.old', live: parent }, []],
    ['is deleted', { action: 'delete', live: parent }, ['child']],
    ['detaches', { action: 'update', phase: 'detach', live: parent }, []],
  ])('an object that %s waits for what goes inside it: %j', (_, given, expected) => {
    const [found] = childrenFirst([draft('parent', given), child]);
    expect(found?.after).toEqual(expected);
  });

  test('what stays inside is waited for by nobody', () => {
    const [found] = childrenFirst([
      draft('parent', { action: 'release', live: parent }),
      { ...child, action: 'update' },
    ]);
    expect(found?.after).toEqual([]);
  });
});
