// How a run that ends early says so, and what is not waited for any more.

import { getEventListeners, getMaxListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { realClock } from '../../src/platform/clock.ts';
import { Failure } from '../../src/core/failure.ts';
import type { Stop } from '../../src/reconcile/stop.ts';
import { afterGrace, explainEarlyStop, NEVER, unlessStopped, withDeadline } from '../../src/reconcile/stop.ts';

function stopOf(name?: string): Stop & { readonly abort: () => void } {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  return { ...NEVER, signal: controller.signal, signalName: () => name, abort };
}

async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Failure)) throw new Error('it did not fail');
  return error;
}

describe('why a run ended early', () => {
  test.each([
    { name: undefined, late: 'partial', outcome: 'partial', code: 'deadline-reached', says: /deadline/ },
    { name: undefined, late: 'unknown', outcome: 'unknown', code: 'deadline-reached', says: /deadline/ },
    { name: 'SIGINT', late: 'partial', outcome: 'interrupted', code: 'interrupted', says: /SIGINT/ },
    { name: 'SIGTERM', late: 'unknown', outcome: 'terminated', code: 'interrupted', says: /SIGTERM/ },
  ] as const)('by $name it is $outcome, where a deadline would be $late', ({ name, late, outcome, code, says }) => {
    const told = explainEarlyStop({ ...stopOf(name), deadlineAt: 0 }, late);
    expect(told.outcome).toBe(outcome);
    expect(told.why).toMatchObject({ code, severity: 'error', message: expect.stringMatching(says) });
  });
});

describe('work of a run that may be stopped', () => {
  const never = new Promise<string>(() => undefined);

  test('gives its result when nothing stops it', async () => {
    expect(await unlessStopped(Promise.resolve('done'), NEVER)).toBe('done');
  });

  test('fails as it fails by itself', async () => {
    const own = new Error('own');
    await expect(unlessStopped(Promise.reject(own), NEVER)).rejects.toBe(own);
  });

  test('is not waited for once the signal comes', async () => {
    const stop = stopOf('SIGINT');
    const failed = failureOf(unlessStopped(never, stop));
    stop.abort();
    expect((await failed).outcome).toBe('interrupted');
  });

  test('is not waited for when the signal has come before', async () => {
    const stop = stopOf();
    stop.abort();
    const { outcome, diagnostics } = await failureOf(unlessStopped(never, stop));
    expect([outcome, diagnostics.map(({ code }) => code)]).toEqual(['interrupted', ['interrupted']]);
  });

  test('leaves no listener behind, however it ends', async () => {
    const stop = stopOf();
    let listening = 0;
    const { signal } = stop;
    const counted = Object.assign(Object.create(signal) as AbortSignal, {
      addEventListener: () => void (listening += 1),
      removeEventListener: () => void (listening -= 1),
    });
    Object.defineProperty(counted, 'aborted', { value: false });
    await unlessStopped(Promise.resolve(1), { ...stop, signal: counted });
    await unlessStopped(Promise.reject(new Error('own')), { ...stop, signal: counted }).catch(() => undefined);
    expect(listening).toBe(0);
  });
});

test('the runs of one signal have one grace period', () => {
  const { signal } = stopOf();
  const graces = new Set([1, 2, 3].map(() => afterGrace(signal)));
  expect([graces.size, getEventListeners(signal, 'abort').length]).toEqual([1, 1]);
});

describe('a deadline', () => {
  test('that nobody gave changes nothing', () => {
    const run = stopOf();
    const own = withDeadline(run, undefined, realClock);
    expect([own.deadlineAt, own.signalName, own.signal.aborted]).toEqual([undefined, run.signalName, false]);
    run.abort();
    expect([own.signal.aborted, own.hardCancel.aborted]).toEqual([true, false]);
  });

  test('leaves what the caller gave as it was', () => {
    const run = stopOf();
    withDeadline(run, undefined, realClock);
    withDeadline(run, 3_600_000, realClock);
    expect(getMaxListeners(run.signal)).toBe(getMaxListeners(new AbortController().signal));
  });

  test('leaves a run to be stopped by its signal, too', () => {
    const run = stopOf('SIGINT');
    const limited = withDeadline({ ...run, extra: 1 }, 3_600_000, realClock);
    expect([limited.signal.aborted, limited.hardCancel.aborted, limited.extra]).toEqual([false, false, 1]);
    run.abort();
    expect([limited.signal.aborted, limited.hardCancel.aborted]).toEqual([true, false]);
  });

  test('that has not passed is not why its program stopped a run', () => {
    const run = stopOf();
    const limited = withDeadline(run, 3_600_000, realClock);
    run.abort();
    expect(explainEarlyStop(limited, 'partial')).toEqual(explainEarlyStop(run, 'partial'));
    expect(explainEarlyStop(withDeadline(stopOf(), 0, realClock), 'partial').why.code).toBe('deadline-reached');
  });

  test('counts once, from where it was begun first', () => {
    const limited = withDeadline(stopOf(), 3_600_000, { ...realClock, now: () => 5 });
    expect(limited.deadlineAt).toBe(3_600_005);
    expect(withDeadline(limited, 3_600_000, { ...realClock, now: () => 6 })).toBe(limited);
  });
});
