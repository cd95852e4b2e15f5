// Progress of several stacks whose steps take turns: one table of all steps, and a line for each with the name of its stack.

import { expect, test } from 'vitest';
import type { ApplyEvent, StepStatus } from '../../../src/apply/event.ts';
import { resultOf } from '../../reconcile/sample.ts';
import { planOf } from '../../render/sample.ts';
import { createScene, creation, type SceneOptions } from './scene.ts';

/** Of three stacks, one is over, one runs, and one has not begun; the same ids are those of other steps in another stack. */
function half(options: SceneOptions) {
  const scene = createScene(options);
  const { note } = scene.run.progress;
  const tell = (stack: string, event: ApplyEvent) => note({ type: 'step', event }, stack);
  const steps = [creation('s1', 'tls_edges.x'), creation('s2', 'tls_edges.y')] as const;
  const end = (stack: string, index: 0 | 1, status: StepStatus) => {
    const step = steps[index];
    const { id, address, action } = step;
    tell(stack, { type: 'step-started', step });
    tell(stack, { type: 'step-ended', step, result: resultOf(id, { address, action, status }), ms: 5 });
  };
  note({ type: 'loaded', names: new Map(['a', 'b', 'c'].map((name) => [`stack-${name}`, name])) });
  for (const stack of ['stack-a', 'stack-b']) tell(stack, { type: 'started', plan: planOf({ steps }) });
  scene.pass(1_000);
  end('stack-a', 0, 'done');
  end('stack-b', 0, 'failed');
  end('stack-a', 1, 'done');
  tell('stack-a', { type: 'finished', results: [], outputs: {} });
  tell('stack-b', { type: 'step-started', step: steps[1] });
  note({ type: 'warning', message: 'something' }, 'stack-b');
  scene.pass(1_000);
  return scene;
}

test('a log has the lines of every stack, with its name in the fleet', () => {
  const scene = half({ isTty: false });
  expect(scene.log()).toMatchInlineSnapshot(`
    "a: Applying 2 steps to stack shop at https://api.example.com/
    b: Applying 2 steps to stack shop at https://api.example.com/
    a: + s1 create tls_edges.x done in 5 ms
    b: + s1 create tls_edges.x failed after 5 ms: 1 request already accepted
    a: + s2 create tls_edges.y done in 5 ms
    b: warning: something
    "
  `);
  scene.pass(40_000);
  expect(scene.log()).toContain('Still running: b: + s2 create tls_edges.y for 30 s; 2 done, 1 failed');
  scene.close();
});

test('a terminal shows the steps of all stacks that run', async () => {
  const scene = half({});
  expect((await scene.terminal.screen()).filter((line) => line !== '')).toMatchInlineSnapshot(`
    [
      "a: Applying 2 steps to stack shop at https://api.example.com/",
      "b: Applying 2 steps to stack shop at https://api.example.com/",
      "a: + s1 create tls_edges.x done in 5 ms",
      "b: + s1 create tls_edges.x failed after 5 ms: 1 request already accepted",
      "a: + s2 create tls_edges.y done in 5 ms",
      "b: warning: something",
      "2 done, 1 failed, 1 running, 0 left · 2 s, about 0 s to go",
      "  b: + s2 create tls_edges.y  1 s",
    ]
  `);
  scene.close();
});
