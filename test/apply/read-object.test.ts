// The last look before a change: what is gone is not written to, and what was to go is done.

import { describe, expect, test } from 'vitest';
import { readObject } from '../../src/apply/read-object.ts';
import { observedFrom } from '../../src/apply/refresh-object.ts';
import { StepEnd } from '../../src/apply/step-run.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { Step } from '../../src/plan/plan.ts';
import { addrBody, addrStep, apiError, runOf, service } from './sample.ts';

const BODY = addrBody('ra_1');

describe('readObject', () => {
  test('reads the object of the step, once', async () => {
    const run = runOf(addrStep('update'), service({ get: [BODY, addrBody('ra_1', { description: 'later' })] }));
    await readObject(run);
    await readObject(run);
    expect(run.observed?.live.spec['description']).toBe('old');
  });

  test('reads nothing for a creation', async () => {
    const run = runOf(addrStep('create'), service({ get: [apiError('unusable')] }));
    await readObject(run);
    expect(run.observed).toBeUndefined();
  });

  test('an answer of the step itself is as good as a look', async () => {
    const run = runOf(addrStep('update'), service({ get: [undefined] }));
    run.observed = observedFrom(kindByName('reserved_addr'), BODY, undefined);
    await expect(readObject(run)).resolves.toBeUndefined();
  });

  test.each<readonly [Step['action'], Step['phase'] | undefined, string]>([
    ['update', undefined, 'failed'],
    ['adopt', undefined, 'failed'],
    ['release', undefined, 'failed'],
    ['delete', undefined, 'done'],
    ['replace', 'delete', 'done'],
  ])('of what is gone, a step %s %s is %s', async (action, phase, status) => {
    const run = runOf({ ...addrStep(action), ...(phase && { phase }) }, service({ get: [undefined] }));
    const end: unknown = await readObject(run).catch((error: unknown) => error);
    expect(end).toBeInstanceOf(StepEnd);
    expect(end).toMatchObject({ status });
    expect(run.history.deleted.has('ra_1')).toBe(status === 'done');
  });

  test('a service that cannot say so leaves it open', async () => {
    const run = runOf(addrStep('delete'), service({ get: [apiError('unusable', { status: 500 })] }));
    await expect(readObject(run)).rejects.toMatchObject({ failure: 'unusable' });
    expect(run.history.deleted.size).toBe(0);
  });
});
