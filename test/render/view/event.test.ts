// What is told while a plan is applied, and what is left to the report.

import { expect, test } from 'vitest';
import { renderEvent } from '../../../src/render/events.ts';
import { plain, planOf, stepOf } from '../sample.ts';
import { resultOf } from '../../reconcile/sample.ts';

const step = stepOf({ id: 's1', action: 'replace', phase: 'create', address: 'tls_edges.a', kind: 'tls_edge' });

test.each([
  { name: 'one step', steps: [step], says: /^Applying 1 step to stack shop at https:/ },
  { name: 'several steps', steps: [step, step], says: /^Applying 2 steps/ },
])('the begin of a run with $name', ({ steps, says }) => {
  expect(renderEvent({ type: 'started', plan: planOf({ steps }) }, plain)).toMatch(says);
});

test('a step that is under way is told once it has ended', () => {
  expect(renderEvent({ type: 'step-started', step }, plain)).toBeUndefined();
});

test.each([
  {
    name: 'that failed is told with why, and after how long',
    result: resultOf('s1', { status: 'failed', error: 'no', action: 'replace', live_id: null }),
    says: / failed after 4\.2 s: no$/,
  },
  {
    name: 'that was done is told with its object',
    result: resultOf('s1', { action: 'replace', live_id: 'edgtls_1' }),
    says: /^ {2}± s1 replace \S+ \(new object\) \(edgtls_1\) done in 4\.2 s$/,
  },
])('a step $name', ({ result, says }) => {
  expect(renderEvent({ type: 'step-ended', step, result, ms: 4_230 }, plain)).toMatch(says);
});

test('the end is left to the report', () => {
  expect(renderEvent({ type: 'finished', results: [], outputs: {} }, plain)).toBeUndefined();
});

test('a stack, a service or an address cannot begin a line of its own', () => {
  const hostile = 'x\n::error::y\u001b[31m';
  const result = resultOf(hostile, { address: hostile, live_id: hostile, error: hostile });
  const events = [
    renderEvent({ type: 'started', plan: planOf({ stack: hostile, service: hostile }) }, plain),
    renderEvent({ type: 'step-ended', step, ms: 1, result }, plain),
  ];
  expect(events.join('')).not.toMatch(/[\n\u001b]/);
});
