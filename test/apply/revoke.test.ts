// Deletions by id alone: one result for each, and a lost answer is looked up.

import { describe, expect, test } from 'vitest';
import type { RevokeResult } from '../../src/apply/revoke.ts';
import { revokeAll } from '../../src/apply/revoke.ts';
import { kindByName } from '../../src/catalog/lookup.ts';
import type { WriteClient } from '../../src/service/transport.ts';
import type { Answer } from './sample.ts';
import { apiError, LOST, service } from './sample.ts';

const KIND = kindByName('application_session');

async function revoke(
  client: WriteClient,
  ids: readonly string[],
  signals: { stop?: AbortSignal; hard?: AbortSignal } = {},
) {
  const told: RevokeResult[] = [];
  const { stop = new AbortController().signal, hard = new AbortController().signal } = signals;
  const results = await revokeAll({
    client,
    kind: KIND,
    ids,
    signal: stop,
    hardCancel: hard,
    onResult: (one) => told.push(one),
  });
  expect(told).toEqual(results);
  return results;
}

interface Row {
  readonly name: string;
  readonly write: Answer;
  /** The look afterwards. */
  readonly get?: Answer;
  readonly expect: RevokeResult['status'];
  readonly says?: string;
}

const MISSING = apiError('rejected', { status: 404 });
const THERE = { id: 'as_1' };

describe('revokeAll', () => {
  test.each<Row>([
    { name: 'an answer', write: null, expect: 'done' },
    { name: 'a refusal', write: apiError('rejected', { status: 403 }), expect: 'failed', says: 'no' },
    { name: 'a lost answer, and it is gone', write: LOST, get: undefined, expect: 'done' },
    { name: 'a lost answer, and it is there', write: LOST, get: THERE, expect: 'failed', says: 'still exists' },
    {
      name: 'a lost answer, and nobody can say',
      write: LOST,
      get: apiError('unusable'),
      expect: 'unknown',
      says: 'could not be read',
    },
    {
      name: 'a stop before it was sent',
      write: apiError('rejected', { code: 'interrupted', reach: 'unsent', message: 'stopped' }),
      expect: 'not_attempted',
      says: 'stopped',
    },
    {
      name: 'no time left for a pause',
      write: apiError('rejected', { code: 'service-throttled', reach: 'throttled', message: '429', status: 429 }),
      expect: 'not_attempted',
      says: '429',
    },
    { name: 'it is not there, and that is so', write: MISSING, get: undefined, expect: 'gone' },
    { name: 'it is not there, but it is shown', write: MISSING, get: THERE, expect: 'failed', says: 'still exists' },
    {
      name: 'no such operation, and it is shown',
      write: apiError('rejected', { status: 501 }),
      get: THERE,
      expect: 'failed',
    },
  ])('$name', async ({ write, get, expect: expected, says }) => {
    const [found] = await revoke(service({ write: [write], get: [get] }), ['as_1']);
    expect(found).toMatchObject({ id: 'as_1', status: expected });
    if (says === undefined) expect(expected === 'failed' || found?.error === null).toBe(true);
    else expect(found?.error).toContain(says);
  });

  test('one after the other, in the order given, and a failure stops nothing', async () => {
    const client = service({ write: [null, apiError('rejected', { status: 403 }), null] });
    const results = await revoke(client, ['as_2', 'as_1', 'as_3']);
    expect(results.map(({ id, status }) => [id, status])).toEqual([
      ['as_2', 'done'],
      ['as_1', 'failed'],
      ['as_3', 'done'],
    ]);
    expect(client.written.map(({ method, path }) => `${method} ${path.split('/').at(-1) ?? ''}`)).toEqual([
      'DELETE as_2',
      'DELETE as_1',
      'DELETE as_3',
    ]);
  });

  test('once stopped, nothing is sent any more', async () => {
    const stop = new AbortController();
    const client = service({});
    const write: WriteClient['write'] = (request) => {
      stop.abort();
      return client.write(request);
    };
    const results = await revoke({ ...client, write }, ['as_1', 'as_2'], { stop: stop.signal });
    expect(results.map(({ status }) => status)).toEqual(['done', 'not_attempted']);
    expect(client.written).toHaveLength(1);
  });

  test('an answer that is not waited for any more is unknown', async () => {
    const [stop, hard] = [new AbortController(), new AbortController()];
    const write: WriteClient['write'] = ({ onSend }) => {
      onSend?.(true);
      stop.abort();
      hard.abort();
      return new Promise(() => undefined);
    };
    const results = await revoke({ ...service({}), write }, ['as_1', 'as_2'], { stop: stop.signal, hard: hard.signal });
    expect(results.map(({ status }) => status)).toEqual(['unknown', 'not_attempted']);
  });

  test('what has not left when the run is given up is what its client says of it', async () => {
    const [stop, hard] = [new AbortController(), new AbortController()];
    const write: WriteClient['write'] = async () => {
      stop.abort();
      hard.abort();
      await Promise.resolve();
      throw apiError('rejected', { code: 'interrupted', reach: 'unsent' });
    };
    const results = await revoke({ ...service({}), write }, ['as_1'], { stop: stop.signal, hard: hard.signal });
    expect(results.map(({ status }) => status)).toEqual(['not_attempted']);
  });
});
