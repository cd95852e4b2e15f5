// What is told while a plan is applied, and what is left to the report.

import { expect, test } from 'vitest';
import { renderEvent } from '../../../src/render/formats.ts';
import { eventView } from '../../../src/render/view/event.ts';
import { stepName } from '../../../src/render/view/report.ts';
import { plain, planOf, stepOf } from '../sample.ts';
import { resultOf } from '../../reconcile/sample.ts';

const step = stepOf({ id: 's1', action: 'replace', phase: 'create', address: 'tls_edges.a', kind: 'tls_edge' });

test.each([
  { name: 'one step', steps: [step], says: /Applying 1 step to stack shop at https:/ },
  { name: 'several steps', steps: [step, step], says: /Applying 2 steps/ },
])('the begin of a run with $name', ({ steps, says }) => {
  expect(eventView({ type: 'started', plan: planOf({ steps }) })).toEqual({
    is: 'started',
    sentence: expect.stringMatching(says),
  });
});

test('a step that is under way has its half of a replacement, and is told once it has ended', () => {
  expect(eventView({ type: 'step-started', step })).toBeUndefined();
  expect(stepName(step, step.phase)).toMatchObject({
    id: 's1',
    address: 'tls_edges.a',
    action: { word: 'replace' },
    phase: expect.stringContaining('new'),
  });
});

test('a step that ended is told with how, and how long it took', () => {
  const result = resultOf('s1', { status: 'failed', error: 'no', action: 'replace' });
  expect(eventView({ type: 'step-ended', step, result, ms: 4_230 })).toMatchObject({
    is: 'ended',
    took: '4.2 s',
    row: { status: 'failed', tone: 'bad', phase: expect.stringContaining('new') },
  });
});

test('the end is left to the report', () => {
  expect(eventView({ type: 'finished', results: [], outputs: {} })).toBeUndefined();
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
