// The end of an object that this run created twice over: both are read before, and what comes of it is recorded.

import { describe, expect, test } from 'vitest';
import { rollBack } from '../../../src/apply/duplicates/roll-back.ts';
import { GateViolation } from '../../../src/apply/gate/gate.ts';
import { live } from '../../plan/sample.ts';
import type { Answer } from '../sample.ts';
import { addrBody, addrStep, apiError, LOST, runOf, service } from '../sample.ts';

const OURS = live('ra_1', 'shop:reserved_addrs.a');
const KEEP = live('ra_2', 'shop:reserved_addrs.a');
const [FIRST, SECOND] = [addrBody('ra_1'), addrBody('ra_2')];
const MISSING = apiError('rejected', { status: 404 });

interface Row {
  readonly name: string;
  /** Looks: at ours, at the one that stays, and at ours again. */
  readonly get: readonly Answer[];
  readonly write?: readonly Answer[];
  /** A word of why it is still there; undefined when it is gone. */
  readonly expect: string | undefined;
  readonly record: readonly string[];
}

function setting({ get, write }: Pick<Row, 'get' | 'write'>) {
  const client = service({ get, ...(write && { write }) });
  const run = runOf(addrStep('create'), client);
  return { run, client, input: { client, gate: run.gate, history: run.history, record: run.record } };
}

const DOUBLE = { ours: OURS, keep: KEEP, referrers: ['tls_edges.b'] };

describe('rollBack', () => {
  test.each<Row>([
    { name: 'is deleted', get: [FIRST, SECOND], expect: undefined, record: ['intent DELETE', 'done'] },
    { name: 'is gone already', get: [undefined], expect: undefined, record: ['intent DELETE', 'done'] },
    {
      name: 'is refused',
      get: [FIRST, SECOND],
      write: [apiError('rejected', { status: 409 })],
      expect: 'no',
      record: ['intent DELETE', 'rejected'],
    },
    {
      name: 'an answer is lost',
      get: [FIRST, SECOND],
      write: [LOST],
      expect: 'no answer',
      record: ['intent DELETE', 'unknown'],
    },
    {
      name: 'is said to be missing, and is',
      get: [FIRST, SECOND, undefined],
      write: [MISSING],
      expect: undefined,
      record: ['intent DELETE', 'done'],
    },
    {
      name: 'is said to be missing, and is shown',
      get: [FIRST, SECOND, FIRST],
      write: [MISSING],
      expect: 'no',
      record: ['intent DELETE', 'rejected'],
    },
    { name: 'cannot be read', get: [apiError('unusable')], expect: 'no', record: ['intent DELETE', 'rejected'] },
    {
      name: 'the other cannot be read',
      get: [FIRST, apiError('unusable')],
      expect: 'no',
      record: ['intent DELETE', 'rejected'],
    },
  ])('$name', async ({ get, write, expect: expected, record }) => {
    const { run, input } = setting({ get, ...(write && { write }) });
    const found = await rollBack(input, 'reserved_addrs.a', DOUBLE);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(expected);
    expect(run.outcomes).toEqual(record);
    expect(run.history.deleted.has('ra_1')).toBe(expected === undefined);
  });

  test('the gate sees both as they are now, and what refers to ours', async () => {
    const { run, input } = setting({ get: [FIRST, SECOND] });
    await rollBack(input, 'reserved_addrs.a', DOUBLE);
    expect(
      run.admitted.map((one) => [one.purpose, one.observed?.live.id, one.survivor?.live.id, one.referrers]),
    ).toEqual([['roll-back', 'ra_1', 'ra_2', ['tls_edges.b']]]);
  });

  test('what the gate forbids is not sent', async () => {
    const { run, client, input } = setting({ get: [FIRST, SECOND] });
    const gate = {
      send: () => Promise.reject(new GateViolation('not-pinned', 'it is pinned')),
    };
    expect(await rollBack({ ...input, gate }, 'reserved_addrs.a', DOUBLE)).toBe('it is pinned; nothing was changed');
    expect([client.written, run.outcomes, run.history.deleted.size]).toEqual([[], ['intent DELETE', 'rejected'], 0]);
  });
});
