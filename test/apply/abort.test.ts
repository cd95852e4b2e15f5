// Waiting for a signal.

import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { whenAborted } from '../../src/apply/abort.ts';

/** Whether it has resolved once everything else has had its turn. */
function isOver(given: Promise<void>): Promise<boolean> {
  const later = new Promise<boolean>((resolve) => setImmediate(resolve, false));
  return Promise.race([given.then(() => true), later]);
}

test('a signal that was aborted before', async () => {
  expect(await isOver(whenAborted(AbortSignal.abort()))).toBe(true);
});

test('one that is aborted afterwards, and not before that', async () => {
  const controller = new AbortController();
  const waiting = whenAborted(controller.signal);
  expect(await isOver(waiting)).toBe(false);
  controller.abort();
  expect(await isOver(waiting)).toBe(true);
});

test('nothing is left on the signal once nobody waits', () => {
  const [controller, over] = [new AbortController(), new AbortController()];
  void whenAborted(controller.signal, over.signal);
  over.abort();
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
});

test('never without one', async () => {
  expect(await isOver(whenAborted(undefined))).toBe(false);
});
