// The last look before a change: what is gone is not written to, and what was to go is done.

import { describe, expect, test } from 'vitest';
import { readObject } from '../../src/apply/read-object.ts';
import { StepEnd } from '../../src/apply/step-run.ts';
import type { Step } from '../../src/plan/plan.ts';
import { addrBody, addrStep, apiError, runOf, service } from './sample.ts';

const BODY = addrBody('ra_1');

describe('readObject', () => {
  test('reads the object of the step each time', async () => {
    const client = service({ get: [BODY, addrBody('ra_1', { description: 'later' })] });
    const run = runOf(addrStep('update'), client);
    const seen = [await readObject(run, client.get), await readObject(run, client.get)];
    expect(seen.map(({ observed }) => observed?.live.spec['description'])).toEqual(['old', 'later']);
    expect(run.observed).toBe(seen[1]?.observed);
  });

  test('reads nothing for a creation', async () => {
    const client = service({ get: [apiError('unusable')] });
    expect(await readObject(runOf(addrStep('create'), client), client.get)).toEqual({});
  });

  test.each<readonly [Step['action'], Step['phase'] | undefined, string]>([
    ['update', undefined, 'failed'],
    ['adopt', undefined, 'failed'],
    ['release', undefined, 'failed'],
    ['delete', undefined, 'done'],
    ['replace', 'delete', 'done'],
  ])('of what is gone, a step %s %s is %s', async (action, phase, status) => {
    const client = service({ get: [undefined] });
    const run = runOf({ ...addrStep(action), ...(phase && { phase }) }, client);
    const end: unknown = await readObject(run, client.get).catch((error: unknown) => error);
    expect(end).toBeInstanceOf(StepEnd);
    expect(end).toMatchObject({ status });
    expect(run.history.deleted.has('ra_1')).toBe(status === 'done');
  });

  test('a service that cannot say so leaves it open', async () => {
    const client = service({ get: [apiError('unusable', { status: 500 })] });
    const run = runOf(addrStep('delete'), client);
    await expect(readObject(run, client.get)).rejects.toMatchObject({ failure: 'unusable' });
    expect(run.history.deleted.size).toBe(0);
  });
});
