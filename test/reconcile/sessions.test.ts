// Sessions that are revoked, from the engine's side: how long a run that was stopped still waits, and what is said of the rest.

import { expect, test } from 'vitest';
import { platformOf } from '../../src/reconcile/platform.ts';
import type { RunOutcome } from '../../src/core/run-outcome.ts';
import { planRevocation, revokeSessions } from '../../src/reconcile/sessions.ts';
import type { Exchange } from '../../src/service/http/exchange.ts';
import { raw, refuse, reply, settingsOf } from '../support/fake-exchange.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

/** A run that has a minute, and may be stopped before. */
function runOf(exchange: (stop: AbortController, hard: AbortController) => Exchange) {
  const [stop, hard] = [new AbortController(), new AbortController()];
  return {
    connection: settingsOf(),
    options: { capabilities: new Set<never>() },
    platform: platformOf({ exchange: exchange(stop, hard), clock: createVirtualClock() }),
    signal: stop.signal,
    hardCancel: hard.signal,
    signalName: () => (stop.signal.aborted ? 'SIGINT' : undefined),
    deadlineAt: 60_000,
    emit: () => undefined,
  };
}

test('a deletion in flight is given up with the run', async () => {
  const asked: string[] = [];
  let isGivenUp = false;
  const run = runOf((stop, hard) => ({ method, signal }) => {
    asked.push(method);
    if (method === 'GET') return Promise.resolve(reply(200, { id: 'as_one' }));
    stop.abort();
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => {
        isGivenUp = true;
        reject(new DOMException('given up', 'AbortError'));
      });
      setTimeout(() => hard.abort(), 10);
    });
  });
  const { results } = await revokeSessions(planRevocation(['as_one', 'as_two'], 'x'), run);
  expect(results.map(({ status }) => status)).toEqual(['unknown', 'not_attempted']);
  expect([asked, isGivenUp]).toEqual([['GET', 'DELETE'], true]);
});

test.each<{
  readonly name: string;
  readonly next: (stop: AbortController) => void;
  readonly codes: readonly string[];
  readonly outcome: RunOutcome;
}>([
  {
    name: 'each one says why, where the service throttles them for longer than the run has',
    next: () => undefined,
    codes: ['revoke-failed', 'revoke-failed'],
    outcome: 'partial',
  },
  {
    name: 'the stop alone says why, where the run was stopped',
    next: (stop) => {
      stop.abort();
    },
    codes: ['interrupted'],
    outcome: 'interrupted',
  },
])('of sessions that were not attempted, $name', async ({ next, codes, outcome }) => {
  const run = runOf((stop) => ({ method, url }) => {
    if (!url.pathname.endsWith('as_one')) return Promise.resolve(refuse(429, { 'retry-after': '100' }));
    if (method === 'GET') return Promise.resolve(reply(200, { id: 'as_one' }));
    next(stop);
    return Promise.resolve(raw(204, ''));
  });
  const { results, diagnostics, ...ended } = await revokeSessions(
    planRevocation(['as_one', 'as_two', 'as_three'], 'x'),
    run,
  );
  expect(results.map(({ status }) => status)).toEqual(['done', 'not_attempted', 'not_attempted']);
  expect([ended.outcome, diagnostics.map(({ code }) => code)]).toEqual([outcome, codes]);
});
