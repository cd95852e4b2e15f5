// Sessions that are revoked, from the engine's side: how long a run that was stopped still waits.

import { expect, test } from 'vitest';
import { platformOf } from '../../src/reconcile/platform.ts';
import { revokeSessions } from '../../src/reconcile/sessions.ts';
import { settingsOf } from '../support/fake-exchange.ts';

test('a deletion in flight is given up with the run', async () => {
  const [stop, hard] = [new AbortController(), new AbortController()];
  const asked: string[] = [];
  let isGivenUp = false;
  const run = {
    connection: settingsOf(),
    options: { capabilities: new Set<never>() },
    platform: platformOf({
      exchange: ({ method, signal }) => {
        asked.push(method);
        stop.abort();
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            isGivenUp = true;
            reject(new DOMException('given up', 'AbortError'));
          });
          setTimeout(() => hard.abort(), 10);
        });
      },
    }),
    signal: stop.signal,
    hardCancel: hard.signal,
    signalName: () => undefined,
    emit: () => undefined,
  };
  const { results } = await revokeSessions(['as_one', 'as_two'], run, () => undefined);
  expect(results.map(({ status }) => status)).toEqual(['unknown', 'not_attempted']);
  expect([asked, isGivenUp]).toEqual([['DELETE'], true]);
});
