// What a run leaves behind: the objects that it made or kept.

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
  { name: 'a creation', step: 'new', id: 'edgtls_2', made: ['edgtls_2'] },
  { name: 'an update', step: 'change', id: 'edgtls_1', made: ['edgtls_1'] },
  { name: 'a deletion', step: 'gone', id: 'edgtls_1', made: [] },
  { name: 'the creating half of a replacement', step: 'half new', id: 'edgtls_2', made: ['edgtls_2'] },
  { name: 'the deleting half of a replacement', step: 'half gone', id: 'edgtls_1', made: [] },
  { name: 'a release', step: 'let go', id: 'edgtls_1', made: ['edgtls_1'] },
  { name: 'a result without an object', step: 'new', id: null, made: [] },
  { name: 'a result of a step that the plan does not have', step: 'other', id: 'edgtls_9', made: [] },
])('$name leaves $made', ({ step, id, made }) => {
  expect(effectsOf(plan, [resultOf(step, { live_id: id })]).made.map((one) => one.id)).toEqual(made);
});
