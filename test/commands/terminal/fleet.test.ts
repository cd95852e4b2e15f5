// Progress of several stacks whose steps take turns: a line for each that is over, and how many run.

import { expect, test } from 'vitest';
import type { ApplyEvent } from '../../../src/apply/event.ts';
import type { StepStatus } from '../../../src/apply/event.ts';
import { resultOf } from '../../reconcile/sample.ts';
import { planOf } from '../../render/sample.ts';
import { createScene, creation, type SceneOptions } from './scene.ts';

const STEPS = [creation('s1', 'tls_edges.x'), creation('s2', 'tls_edges.y')];

/** Of three stacks, one is over, one runs, and one has not begun. */
function half(options: SceneOptions) {
  const scene = createScene(options);
  const { note } = scene.run.progress;
  const tell = (stack: string, event: ApplyEvent) => note({ type: 'step', event }, stack);
  const end = (stack: string, index: 0 | 1, status: StepStatus) => {
    const step = STEPS[index] ?? creation('s', 'tls_edges.z');
    const { id, address, action } = step;
    tell(stack, { type: 'step-ended', step, result: resultOf(id, { address, action, status }), ms: 5 });
  };
  note({
    type: 'loaded',
    names: new Map([
      ['stack-a', 'a'],
      ['stack-b', 'b'],
      ['stack-c', 'c'],
    ]),
  });
  for (const stack of ['stack-a', 'stack-b']) tell(stack, { type: 'started', plan: planOf({ steps: STEPS }) });
  scene.pass(1_000);
  end('stack-a', 0, 'done');
  end('stack-b', 0, 'failed');
  end('stack-a', 1, 'done');
  tell('stack-a', { type: 'finished', results: [], outputs: {} });
  note({ type: 'warning', message: 'something' }, 'stack-b');
  scene.pass(1_000);
  return scene;
}

test('a log has a line for each stack, with its name in the fleet', () => {
  const scene = half({ isTty: false });
  expect(scene.log()).toBe('  a: 2 of 2 steps done after 1 s\nb: warning: something\n');
  scene.pass(40_000);
  expect(scene.log()).toContain('3 stacks: 1 written, 1 running');
  scene.close();
});

test('a terminal shows how many run, below the lines of those that are over', async () => {
  const scene = half({});
  expect((await scene.terminal.screen()).filter((line) => line !== '')).toEqual([
    '  a: 2 of 2 steps done after 1 s',
    'b: warning: something',
    '3 stacks: 1 written, 1 running · 2 s',
  ]);
  scene.close();
  expect((await scene.terminal.screen()).filter((line) => line !== '')).toHaveLength(2);
});
