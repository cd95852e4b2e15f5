// The record that keeps nothing: an apply goes on with it, and no write gets a number of its own.

import { expect, test } from 'vitest';
import { noRecord } from '../../src/apply/recorder.ts';

test('every write has the same number, and nothing is thrown', async () => {
  const intent = {
    step: 's1',
    address: 'a.b',
    kind: 'k',
    method: 'POST',
    path: '/x',
    liveId: null,
    parentId: null,
    body: null,
  } as const;
  expect([await noRecord.intent(intent), await noRecord.intent(intent)]).toEqual([0, 0]);
  await noRecord.outcome(0, 'done', 'k_1');
  await noRecord.stored('a.b', 'k_1');
});
