// Which of several objects of one address go: those that a run of this journal left behind, and never all of them.

import { describe, expect, test } from 'vitest';
import { markRedundant } from '../../../src/plan/match/redundant-duplicates.ts';
import type { LiveResource, Marker } from '../../../src/resource/snapshot.ts';
import { scopeOfStack } from '../../../src/resource/marker/ownership.ts';
import { journal, live, snapshot, type Known } from '../sample.ts';

const A = 'tls_edges.a';
const object = (id: string, second: number, marker: Partial<Marker> = {}, mark = `shop:${A}`) =>
  live(`edgtls_${id}`, mark, { marker, computed: { created_at: `2030-01-01T00:00:0${second}Z` } });

const THEIRS = object('theirs', 1, { created_by: 'far' });
const OURS = object('ours', 2, { created_by: 'run1' });
const UNKNOWN = { runs: new Set(['run1']), unfinished: new Set(['run1']), creating: new Set([A]) };
const deleted = (...ids: string[]) => ({ deleted: new Map(ids.map((id) => [`edgtls_${id}`, A])) });

type Row = readonly [name: string, objects: readonly LiveResource[], given: Known, expect: readonly string[]];

describe('markRedundant', () => {
  test.each<Row>([
    ['what an unfinished run made after that of another', [OURS, THEIRS], UNKNOWN, ['ours']],
    ['not an object that is alone', [OURS], UNKNOWN, []],
    ['not the earlier one', [object('ours', 0, { created_by: 'run1' }), THEIRS], UNKNOWN, []],
    ['not what a run made that came to a good end', [OURS, THEIRS], { ...UNKNOWN, unfinished: new Set() }, []],
    ['not what is protected', [object('ours', 2, { created_by: 'run1', protect: true }), THEIRS], UNKNOWN, []],
    [
      'the later one of two that a run made, of which it used neither',
      [OURS, object('second', 1, { created_by: 'run1' })],
      UNKNOWN,
      ['ours'],
    ],
    [
      'of two that a run made, the one that it did not use',
      [OURS, object('second', 1, { created_by: 'run1' })],
      { ...UNKNOWN, made: new Set(['edgtls_ours']), ids: new Map([['edgtls_ours', A]]) },
      ['second'],
    ],
    [
      'what this very run made after any other, whose value may be stored',
      [OURS, object('old', 1)],
      { made: new Set(['edgtls_ours']), fresh: new Set(['edgtls_ours']) },
      ['ours'],
    ],
    [
      'not what this very run made to replace the other',
      [object('ours', 2, { replaces: 'edgtls_old' }), object('old', 1)],
      { made: new Set(['edgtls_ours']), fresh: new Set(['edgtls_ours']) },
      [],
    ],
    [
      'not what was made here and whose value is stored',
      [OURS, THEIRS],
      { ...UNKNOWN, made: new Set(['edgtls_ours']), ids: new Map([['edgtls_ours', A]]) },
      [],
    ],
    [
      'also when the other one was written to by a run of this journal',
      [OURS, THEIRS],
      { ...UNKNOWN, ids: new Map([['edgtls_theirs', A]]) },
      ['ours'],
    ],
    [
      'also when a run of this journal made the other one and used it',
      [OURS, THEIRS],
      { ...UNKNOWN, ids: new Map([['edgtls_theirs', A]]), made: new Set(['edgtls_theirs']) },
      ['ours'],
    ],
    [
      'what the journal had begun to delete, while another stays',
      [object('one', 1), object('two', 2)],
      deleted('one'),
      ['one'],
    ],
    ['never all of them', [object('one', 1), object('two', 2)], deleted('one', 'two'), []],
    [
      'nothing of another stack',
      [object('one', 1, {}, `other:${A}`), object('two', 2, {}, `other:${A}`)],
      deleted('one'),
      [],
    ],
  ])('%s', (_, objects, given, expected) => {
    const { resources } = markRedundant(snapshot(...objects), scopeOfStack('shop'), journal(given));
    expect(resources.filter((one) => one.isRedundant).map(({ id }) => id)).toEqual(
      expected.map((id) => `edgtls_${id}`),
    );
  });
});

test('without a journal nothing is redundant', () => {
  const given = snapshot(object('one', 1), object('two', 2));
  expect(markRedundant(given, scopeOfStack('shop'), undefined)).toBe(given);
});

test('objects of one address in two parents are no doubles of each other', () => {
  const mark = 'shop:https_edges.e.routes.r';
  const objects = [
    live('edghts_1', 'shop:https_edges.e'),
    live('edghts_2', 'shop:https_edges.e'),
    live('edghtsrt_1', mark, { parentId: 'edghts_1' }),
    live('edghtsrt_2', mark, { parentId: 'edghts_2' }),
  ];
  const view = journal({ deleted: new Map([['edghtsrt_1', 'https_edges.e.routes.r']]) });
  const { resources } = markRedundant(snapshot(...objects), scopeOfStack('shop'), view);
  expect(resources.filter((one) => one.isRedundant)).toEqual([]);
});

test('what replaced the object that a block names stays beside an older double; of two that did, one goes', () => {
  const pin = { id: 'edgtls_pinned', by: 'id' } as const;
  const claims = { ...scopeOfStack('shop'), resources: [{ address: A, lifecycle: { pin } }] };
  const double = object('double', 1);
  const heir = object('heir', 2, { replaces: 'edgtls_pinned', created_by: 'run1' });
  const second = object('second', 3, { replaces: 'edgtls_pinned', created_by: 'run1' });
  const known = journal({
    ...UNKNOWN,
    made: new Set(['edgtls_heir', 'edgtls_second']),
    fresh: new Set(['edgtls_heir', 'edgtls_second']),
  });
  const redundantIn = (...objects: readonly LiveResource[]) =>
    markRedundant(snapshot(...objects), claims, known).resources.flatMap(({ id, isRedundant }) =>
      isRedundant ? [id] : [],
    );
  expect(redundantIn(double, heir)).toEqual([]);
  expect(redundantIn(double, heir, second)).toEqual(['edgtls_second']);
});
