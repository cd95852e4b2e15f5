// What a run leaves behind: which objects it made or kept, and which it removed.

import { expect, test } from 'vitest';
import { effectsOf } from '../../src/reconcile/execution/run-effects.ts';
import { planOf, stepOf } from '../render/sample.ts';
import { resultOf } from './sample.ts';

const edge = { address: 'tls_edges.a', kind: 'tls_edge' } as const;
const plan = planOf({
  steps: [
    stepOf({ id: 'new', action: 'create', ...edge }),
    stepOf({ id: 'change', action: 'update', live_id: 'edgtls_1', ...edge }),
    stepOf({ id: 'gone', action: 'delete', live_id: 'edgtls_1', ...edge }),
    stepOf({ id: 'half new', action: 'replace', phase: 'create', ...edge }),
    stepOf({ id: 'half gone', action: 'replace', phase: 'delete', live_id: 'edgtls_1', ...edge }),
    stepOf({ id: 'let go', action: 'release', live_id: 'edgtls_1', ...edge }),
  ],
});

test.each([
  { name: 'a creation leaves its object', step: 'new', id: 'edgtls_2', made: ['edgtls_2'], removed: [] },
  { name: 'an update leaves its object', step: 'change', id: 'edgtls_1', made: ['edgtls_1'], removed: [] },
  { name: 'a deletion removes its object', step: 'gone', id: 'edgtls_1', made: [], removed: ['edgtls_1'] },
  {
    name: 'the creating half of a replacement leaves an object',
    step: 'half new',
    id: 'edgtls_2',
    made: ['edgtls_2'],
    removed: [],
  },
  {
    name: 'the deleting half of a replacement removes one',
    step: 'half gone',
    id: 'edgtls_1',
    made: [],
    removed: ['edgtls_1'],
  },
  { name: 'a released object is still there', step: 'let go', id: 'edgtls_1', made: ['edgtls_1'], removed: [] },
  { name: 'a result without an object leaves nothing', step: 'new', id: null, made: [], removed: [] },
  {
    name: 'a result of a step that the plan does not have is none of it',
    step: 'other',
    id: 'edgtls_9',
    made: [],
    removed: [],
  },
])('$name', ({ step, id, made, removed }) => {
  const effects = effectsOf(plan, [resultOf(step, { live_id: id })]);
  expect(effects.made.map((one) => one.id)).toEqual(made);
  expect([...effects.removed]).toEqual(removed);
});

test('what was made is known by kind, id and address, in the order of the results', () => {
  const results = [resultOf('half new', { live_id: 'edgtls_3' }), resultOf('new', { live_id: 'edgtls_2' })];
  expect(effectsOf(plan, results).made).toEqual([
    { ...edge, id: 'edgtls_3' },
    { ...edge, id: 'edgtls_2' },
  ]);
});

test('no results, no effects', () => {
  expect(effectsOf(plan, [])).toEqual({ made: [], removed: new Set() });
});
