// What a run tells of its waits: those that are long.

import { expect, test } from 'vitest';
import { clientPorts } from '../../src/reconcile/run.ts';
import { platformOf } from '../../src/reconcile/platform.ts';

test.each([
  { waitMs: 1_999, says: [] },
  { waitMs: 7_300, says: ['waiting 8 s after GET /things (429)'] },
  { waitMs: 901_000, says: ['waiting 901 s after GET /things (429)'] },
])('a wait of $waitMs ms', ({ says, waitMs }) => {
  const said: string[] = [];
  const ports = clientPorts({
    platform: platformOf(),
    signal: new AbortController().signal,
    deadlineAt: undefined,
    emit: (event) => {
      if (event.type === 'waiting') said.push(event.message);
    },
  });
  ports.onRetry?.({ method: 'GET', path: '/things', why: '429', waitMs });
  expect(said).toEqual(says);
});

test('requests that wait at the same time have one line', () => {
  const said: string[] = [];
  let now = 0;
  const ports = clientPorts({
    platform: platformOf({ clock: { now: () => now, sleep: () => Promise.resolve() } }),
    signal: new AbortController().signal,
    deadlineAt: undefined,
    emit: (event) => {
      if (event.type === 'waiting') said.push(event.message);
    },
  });
  const wait = (path: string) => ports.onRetry?.({ method: 'GET', path, why: 'api-unreachable', waitMs: 4_200 });
  for (const path of ['/a', '/b', '/c']) wait(path);
  now = 4_200;
  for (const path of ['/b', '/a']) wait(path);
  expect(said).toEqual(['/a', '/b'].map((path) => `waiting 5 s after GET ${path} (api-unreachable)`));
});
