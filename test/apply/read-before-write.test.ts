// The last look before a change: what is gone is not written to, and what was to go is done.

import { describe, expect, test } from 'vitest';
import { noteCreation } from '../../src/apply/gate/run-history.ts';
import { readBeforeWrite } from '../../src/apply/read-before-write.ts';
import { observedFrom } from '../../src/apply/refresh-object.ts';
import { GateViolation } from '../../src/apply/gate/gate.ts';
import type { StepRun } from '../../src/apply/step-run.ts';
import type { Step } from '../../src/plan/plan.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { JsonObject } from '../../src/core/json.ts';
import { instantClock } from '../support/applying.ts';
import { addrBody, addrStep, apiError, runOf, service } from './sample.ts';

const BODY = addrBody('ra_1');
const EDGE = { id: 'edghts_1', hostports: [], routes: [{ id: 'edghtsrt_1', edge_id: 'edghts_1', match: '/a' }] };
const CREATED = { id: 'edghts_1', parentId: undefined };

describe('readBeforeWrite', () => {
  test('reads the object of the step each time', async () => {
    const client = service({ get: [BODY, addrBody('ra_1', { description: 'later' })] });
    const run = runOf(addrStep('update'), client);
    const seen = [await readBeforeWrite(run, client.get), await readBeforeWrite(run, client.get)];
    expect(seen.map(({ observed }) => observed?.live.spec['description'])).toEqual(['old', 'later']);
    expect(run.observed).toBe(seen[1]?.observed);
  });

  test('reads nothing for a creation', async () => {
    const client = service({ get: [apiError('unusable', { type: 'read' })] });
    expect(await readBeforeWrite(runOf(addrStep('create'), client), client.get)).toEqual({ parent: undefined });
  });

  test.each<readonly [Step['action'], Step['phase'] | undefined, boolean]>([
    ['update', undefined, false],
    ['adopt', undefined, false],
    ['release', undefined, false],
    ['delete', undefined, true],
    ['replace', 'delete', true],
  ])('of what is gone, a step %s %s knows that it was deleted: %j', async (action, phase, isDeleted) => {
    const client = service({ get: [undefined] });
    const run = runOf({ ...addrStep(action), ...(phase && { phase }) }, client);
    const end: unknown = await readBeforeWrite(run, client.get).catch((error: unknown) => error);
    expect(end).toBeInstanceOf(GateViolation);
    expect(end).toMatchObject({ rule: 'exists' });
    expect(run.history.deleted.has('ra_1')).toBe(isDeleted);
  });

  test('what this run has just created is as its answer showed it while no read shows it, and then gone', async () => {
    const client = service({ get: [undefined] });
    const clock = instantClock();
    const run = runOf(addrStep('create'), client, { clock, settleMs: 1_000 });
    noteCreation(run.history, run.step, { id: 'ra_1', parentId: undefined, at: clock.now() });
    const answered = observedFrom(kindByName('reserved_addr'), BODY, undefined);
    Object.assign(run, { live_id: 'ra_1', observed: answered, requestsDone: 1 });
    expect(await readBeforeWrite(run, client.get)).toEqual({ observed: answered, parent: undefined });
    await clock.sleep(1_001);
    await expect(readBeforeWrite(run, client.get)).rejects.toThrow('no longer exists; nothing more was changed');
  });

  test('an object is as what it lies in shows it, in one read', async () => {
    const asked: string[] = [];
    const get = (path: string) => {
      asked.push(path);
      return Promise.resolve<JsonObject>(EDGE);
    };
    const step = { ...addrStep('update'), kind: 'https_edge_route', live_id: 'edghtsrt_1' };
    const run = { ...runOf(step, service({})), parentId: 'edghts_1' };
    const look = async (from: StepRun) => {
      asked.length = 0;
      const { observed, parent } = await readBeforeWrite(from, get);
      return [observed?.live.spec['match'], parent?.live.id, ...asked];
    };
    const above = '/edges/https/edghts_1';
    expect(await look(run)).toEqual(['/a', 'edghts_1', above]);
    expect(await look({ ...run, live_id: null })).toEqual([undefined, 'edghts_1', above]);
    noteCreation(run.history, { kind: 'https_edge', address: 'https_edges.a' }, { ...CREATED, at: 0 });
    expect(await look(run)).toEqual(['/a', undefined, above]);
    expect(await look({ ...run, live_id: null })).toEqual([undefined, undefined]);
    await expect(look({ ...run, live_id: 'edghtsrt_2' })).rejects.toThrow('(edghtsrt_2) no longer exists');
  });

  test('nothing is created in what is gone', async () => {
    const step = { ...addrStep('create'), kind: 'https_edge_route', address: 'https_edges.a.routes.r' };
    const run = { ...runOf(step, service({})), parentId: 'edghts_1' };
    await expect(readBeforeWrite(run, () => Promise.resolve(undefined))).rejects.toThrow(
      'edghts_1, the parent of https_edges.a.routes.r, no longer exists; nothing was changed',
    );
  });

  test('a service that cannot say so leaves it open', async () => {
    const client = service({ get: [apiError('failed', { type: 'read', status: 500 })] });
    const run = runOf(addrStep('delete'), client);
    await expect(readBeforeWrite(run, client.get)).rejects.toMatchObject({ type: 'read' });
    expect(run.history.deleted.size).toBe(0);
  });
});
