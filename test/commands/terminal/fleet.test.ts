// Progress of several stacks whose steps take turns: a line for each that is over, and a table of those that run.

import { expect, test } from 'vitest';
import type { ApplyEvent } from '../../../src/apply/event.ts';
import type { StepStatus } from '../../../src/apply/event.ts';
import { resultOf, THIS_RUN } from '../../reconcile/sample.ts';
import { planOf } from '../../render/sample.ts';
import { createScene, creation, type SceneOptions } from './scene.ts';

const STEPS = [creation('s1', 'tls_edges.x'), creation('s2', 'tls_edges.y')];

/** Of four stacks with steps, one is over, two run, and one has not begun. */
function half(options: SceneOptions) {
  const scene = createScene(options);
  const { note } = scene.run.progress;
  const about = (name: string) => ({ name, stack: 'shop', service: `https://${name}.example/` });
  const tell = (name: string, event: ApplyEvent) => note({ type: 'step', event, run: THIS_RUN }, about(name));
  const end = (stack: string, index: 0 | 1, status: StepStatus) => {
    const step = STEPS[index] ?? creation('s', 'tls_edges.z');
    const { id, address, action } = step;
    tell(stack, { type: 'step-ended', step, result: resultOf(id, { address, action, status }), ms: 5 });
  };
  note({ type: 'approved', stacks: 4 });
  for (const stack of ['a', 'b', 'the-third']) tell(stack, { type: 'started', plan: planOf({ steps: STEPS }) });
  scene.pass(1_000);
  end('a', 0, 'done');
  end('b', 0, 'failed');
  end('a', 1, 'done');
  tell('a', { type: 'finished', results: [], outputs: {} });
  note({ type: 'warning', message: 'something' }, about('b'));
  tell('the-third', { type: 'step-started', step: creation('s1', 'tls_edges.x') });
  scene.pass(1_000);
  return scene;
}

const SUMMARY = '4 stacks: 1 written, 2 running, 1 left';

test('a log has a line for each stack, with its name in the fleet', () => {
  const scene = half({ isTty: false });
  expect(scene.log()).toBe('  a: 2 of 2 steps done after 1 s\nb: warning: something\n');
  scene.pass(40_000);
  expect(scene.log().trimEnd().split('\n').slice(2)).toEqual([expect.stringContaining(SUMMARY)]);
  scene.close();
});

const visible = async (scene: ReturnType<typeof half>) => (await scene.terminal.screen()).filter((line) => line !== '');

test('a terminal has a table of the stacks that run, below the lines of those that are over', async () => {
  const scene = half({});
  expect(await visible(scene)).toEqual([
    '  a: 2 of 2 steps done after 1 s',
    'b: warning: something',
    '  b          0 done, 1 failed, 0 running, 1 left · 2 s',
    '  the-third  0 done, 1 running, 1 left · 2 s; s1 create tls_edges.x for 1 s',
    `${SUMMARY} · 2 s`,
  ]);
  scene.interrupt();
  scene.pass(1_000);
  expect((await visible(scene)).at(-1)).toBe(`${SUMMARY} · 3 s, stopping`);
  scene.close();
  expect(await visible(scene)).toHaveLength(2);
});

test('the table keeps to the terminal, and erases no other line when that becomes narrower', async () => {
  const scene = half({ columns: 80, rows: 3 });
  expect((await visible(scene)).slice(1)).toEqual([expect.stringMatching(/^ {2}the-third/), `${SUMMARY} · 2 s`]);
  await scene.terminal.resize(40, 24);
  scene.pass(1_000);
  scene.close();
  expect((await visible(scene)).slice(0, 2)).toEqual(['  a: 2 of 2 steps done after 1 s', 'b: warning: something']);
});
