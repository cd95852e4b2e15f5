// One step: its requests one after the other, what is recorded of each, and how it ends.

import { describe, expect, test } from 'vitest';
import { GateViolation } from '../../src/apply/gate/gate.ts';
import { shareReads } from '../../src/apply/refresh-object.ts';
import { runStep } from '../../src/apply/run-step.ts';
import type { ApplyInput } from '../../src/apply/step-run.ts';
import type { StepResult } from '../../src/apply/event.ts';
import type { JsonObject } from '../../src/core/json.ts';
import type { Step } from '../../src/plan/plan.ts';
import type { Answer } from './sample.ts';
import { addrBody, addrStep, apiError, LOST, markerText, runOf, service } from './sample.ts';

const POST = {
  method: 'POST',
  path: '/reserved_addrs',
  body: { region: 'eu', metadata: markerText('reserved_addrs.a') },
} as const;
const AFTER = {
  method: 'PATCH',
  path: '/reserved_addrs/${reserved_addrs.a.id}',
  body: { description: 'new' },
} as const;
const PATCH = { method: 'PATCH', path: '/reserved_addrs/ra_1', body: { description: 'new' } } as const;
const DELETE = { method: 'DELETE', path: '/reserved_addrs/ra_1' } as const;

const OLD = addrBody('ra_1');
const NEW = addrBody('ra_1', { description: 'new' });
const OTHER = addrBody('ra_1', { description: 'somebody' });
const CREATE = addrStep('create', [POST]);
const UPDATE = addrStep('update', [PATCH], OLD);
const REMOVE = addrStep('delete', [DELETE], OLD);
const REFUSED = apiError('refused', { status: 422 });
const STOPPED = apiError('unsent', { code: 'interrupted' });
/** A look for which the run has no retries left. */
const SPENT = apiError('failed', { code: 'service-unhealthy', type: 'read' });

interface Row {
  readonly name: string;
  readonly step: Step;
  readonly get?: readonly Answer[];
  readonly list?: readonly JsonObject[];
  readonly write?: readonly Answer[];
  readonly input?: Partial<ApplyInput>;
  readonly expect: Partial<StepResult>;
  readonly record: readonly string[];
  /** How many of the recorded writes were sent; all when missing. */
  readonly sends?: number;
  readonly says?: string;
  /** False for a service whose client lets nothing be sent again. */
  readonly mayRepeat?: boolean;
}

const aborted = () => {
  const controller = new AbortController();
  controller.abort();
  return controller.signal;
};

describe('runStep', () => {
  test.each<Row>([
    {
      name: 'a creation has the id of its answer',
      step: CREATE,
      write: [OLD],
      expect: { status: 'done', live_id: 'ra_1', requests_done: 1, error: null },
      record: ['intent POST', 'done'],
    },
    {
      name: 'a request about the new object',
      step: addrStep('create', [POST, AFTER]),
      get: [OLD],
      write: [OLD, NEW],
      expect: { status: 'done', requests_done: 2 },
      record: ['intent POST', 'done', 'intent PATCH', 'done'],
    },
    {
      name: 'an update',
      step: UPDATE,
      get: [OLD],
      write: [NEW],
      expect: { status: 'done', live_id: 'ra_1' },
      record: ['intent PATCH', 'done'],
    },
    {
      name: 'an update of what is gone sends nothing',
      step: UPDATE,
      get: [undefined],
      expect: { status: 'failed', requests_done: 0 },
      record: ['intent PATCH', 'rejected'],
      sends: 0,
      says: 'ra_1',
    },
    {
      name: 'a deletion of what is gone is done',
      step: REMOVE,
      get: [undefined],
      expect: { status: 'done', error: null },
      record: ['intent DELETE', 'done'],
      sends: 0,
    },
    ...(['refused', 'throttled', 'unreachable'] as const).map((known): Row => ({
      name: `what is ${known}`,
      step: UPDATE,
      get: [OLD],
      write: [apiError(known)],
      expect: { status: 'failed', requests_done: 0 },
      record: ['intent PATCH', 'rejected'],
      says: 'no',
    })),
    {
      name: 'a refusal after a request that was done',
      step: addrStep('create', [POST, AFTER]),
      get: [OLD],
      write: [OLD, REFUSED],
      expect: { status: 'failed', live_id: 'ra_1', requests_done: 1 },
      record: ['intent POST', 'done', 'intent PATCH', 'rejected'],
    },
    {
      name: 'a lost update that was carried out',
      step: UPDATE,
      get: [OLD, NEW],
      write: [LOST],
      expect: { status: 'done', requests_done: 1 },
      record: ['intent PATCH', 'unknown', 'done'],
    },
    {
      name: 'a lost update that was not is sent again',
      step: UPDATE,
      get: [OLD],
      write: [LOST, NEW],
      expect: { status: 'done' },
      record: ['intent PATCH', 'unknown', 'unknown', 'intent PATCH', 'done'],
    },
    {
      name: 'a lost update of what somebody changed meanwhile',
      step: UPDATE,
      get: [OLD, OTHER],
      write: [LOST],
      expect: { status: 'unknown' },
      record: ['intent PATCH', 'unknown'],
      says: 'another client',
    },
    {
      name: 'an update that is lost each time is sent five times',
      step: UPDATE,
      get: [OLD],
      write: [LOST],
      expect: { status: 'unknown', requests_done: 0 },
      record: [1, 2, 3, 4, 5].flatMap(() => ['intent PATCH', 'unknown', 'unknown']),
      says: 'sent 5 times',
    },
    {
      name: 'a lost update that there is no time to repeat, and that was carried out',
      step: UPDATE,
      get: [OLD, NEW],
      write: [LOST],
      mayRepeat: false,
      expect: { status: 'done' },
      record: ['intent PATCH', 'unknown', 'done'],
    },
    {
      name: 'a lost deletion that the end of the run does not let repeat',
      step: REMOVE,
      get: [OLD],
      write: [LOST],
      mayRepeat: false,
      expect: { status: 'unknown', requests_done: 0 },
      record: ['intent DELETE', 'unknown'],
      says: 'no answer; not sent again: the run was stopped',
    },
    {
      name: 'a lost update that there is no time to repeat, and that takes effect later',
      step: UPDATE,
      get: [OLD, OLD, OLD, NEW],
      write: [LOST],
      mayRepeat: false,
      expect: { status: 'done', requests_done: 1 },
      record: ['intent PATCH', 'unknown', 'done'],
    },
    {
      name: 'a lost creation that there is no time to repeat',
      step: CREATE,
      write: [LOST],
      mayRepeat: false,
      expect: { status: 'unknown', live_id: null },
      record: ['intent POST', 'unknown'],
      says: 'was created (no answer; not sent again: the run was stopped); the next run checks again',
    },
    {
      name: 'a lost creation whose repeat the run has no time left for',
      step: CREATE,
      write: [LOST, STOPPED],
      expect: { status: 'unknown', live_id: null },
      record: ['intent POST', 'unknown', 'rejected', 'intent POST', 'unknown'],
      says: 'there was no answer to it, and then no',
    },
    {
      name: 'an update whose repeat is refused, while the first one takes effect',
      step: UPDATE,
      get: [OLD, OLD, OLD, OLD, NEW],
      write: [LOST, REFUSED],
      expect: { status: 'done', requests_done: 1 },
      record: ['intent PATCH', 'unknown', 'unknown', 'intent PATCH', 'done'],
    },
    {
      name: 'an update whose repeat is refused, and that is never seen',
      step: UPDATE,
      get: [OLD],
      write: [LOST, REFUSED],
      expect: { status: 'unknown', requests_done: 0 },
      record: ['intent PATCH', 'unknown', 'unknown', 'intent PATCH', 'unknown'],
      says: 'no answer',
    },
    {
      name: 'an update that takes effect before the look of its repeat',
      step: UPDATE,
      get: [OLD, OLD, apiError('unusable', { type: 'read' }), NEW],
      write: [LOST],
      expect: { status: 'done' },
      record: ['intent PATCH', 'unknown', 'unknown', 'intent PATCH', 'done'],
      sends: 1,
    },
    {
      name: 'an update whose repeat is not sent, because the run was stopped',
      step: UPDATE,
      get: [OLD],
      write: [LOST, STOPPED],
      input: { signal: aborted() },
      expect: { status: 'unknown' },
      record: ['intent PATCH', 'unknown', 'unknown', 'intent PATCH', 'unknown'],
    },
    {
      name: 'a deletion whose repeat is refused, while the first one takes effect',
      step: REMOVE,
      get: [OLD, OLD, OLD, OLD, undefined],
      write: [LOST, REFUSED],
      expect: { status: 'done' },
      record: ['intent DELETE', 'unknown', 'unknown', 'intent DELETE', 'done'],
    },
    {
      name: 'a deletion that takes effect before the look of its repeat, which is no request that was accepted',
      step: REMOVE,
      get: [OLD, OLD, undefined],
      write: [LOST],
      expect: { status: 'done', requests_done: 0, error: null },
      record: ['intent DELETE', 'unknown', 'unknown', 'intent DELETE', 'done'],
      sends: 1,
    },
    {
      name: 'an update that cannot be looked at, because the retries of the run are spent',
      step: UPDATE,
      get: [SPENT],
      expect: { status: 'failed', requests_done: 0 },
      record: ['intent PATCH', 'rejected'],
      sends: 0,
    },
    {
      name: 'an update whose repeat cannot be looked at for that reason is looked for, and not sent a third time',
      step: UPDATE,
      get: [OLD, OLD, SPENT, NEW],
      write: [LOST],
      expect: { status: 'done' },
      record: ['intent PATCH', 'unknown', 'unknown', 'intent PATCH', 'done'],
      sends: 1,
    },
    {
      name: 'a deletion whose repeat is said to be about nothing, and that is never seen',
      step: REMOVE,
      get: [OLD],
      write: [LOST, apiError('refused', { status: 404 })],
      expect: { status: 'unknown' },
      record: ['intent DELETE', 'unknown', 'unknown', 'intent DELETE', 'unknown'],
    },
    {
      name: 'a lost creation that is found',
      step: CREATE,
      list: [OLD],
      write: [LOST],
      expect: { status: 'done', live_id: 'ra_1' },
      record: ['intent POST', 'unknown', 'done'],
    },
    {
      name: 'a lost creation that is not there is sent once more',
      step: CREATE,
      write: [LOST, OLD],
      expect: { status: 'done', live_id: 'ra_1' },
      record: ['intent POST', 'unknown', 'rejected', 'intent POST', 'done'],
    },
    ...(['unusable', 'failed', 'lost'] as const).flatMap((known): Row[] => [
      {
        name: `a creation whose answer is ${known}, and that is not there, is sent once more`,
        step: CREATE,
        write: [apiError(known, { type: 'creation' }), OLD],
        expect: { status: 'done', live_id: 'ra_1' },
        record: ['intent POST', 'unknown', 'rejected', 'intent POST', 'done'],
      },
      {
        name: `a creation whose answer is ${known}, and that is there, is done`,
        step: CREATE,
        list: [OLD],
        write: [apiError(known, { type: 'creation' })],
        expect: { status: 'done', live_id: 'ra_1' },
        record: ['intent POST', 'unknown', 'done'],
      },
    ]),
    {
      name: 'and never a third time',
      step: CREATE,
      write: [LOST],
      expect: { status: 'unknown', live_id: null },
      record: [1, 2].flatMap(() => ['intent POST', 'unknown', 'rejected']),
      says: 'sent 2 times',
    },
    {
      name: 'a lost deletion',
      step: REMOVE,
      get: [OLD, undefined],
      write: [LOST],
      expect: { status: 'done' },
      record: ['intent DELETE', 'unknown', 'done'],
    },
    {
      name: 'a deletion of what is said to be missing and is there',
      step: REMOVE,
      get: [OLD],
      write: [apiError('refused', { status: 404 })],
      expect: { status: 'failed' },
      record: ['intent DELETE', 'unknown', 'rejected'],
      says: 'still exists',
    },
    {
      name: 'a run that is stopped before the first request',
      step: UPDATE,
      get: [OLD],
      write: [STOPPED],
      expect: { status: 'not_attempted' },
      record: ['intent PATCH', 'rejected'],
    },
    {
      name: 'a run that is stopped between two',
      step: addrStep('create', [POST, AFTER]),
      get: [OLD],
      write: [OLD, STOPPED],
      expect: { status: 'failed', requests_done: 1 },
      record: ['intent POST', 'done', 'intent PATCH', 'rejected'],
    },
    {
      name: 'a run that is ended sends nothing more',
      step: UPDATE,
      get: [OLD],
      input: { hardCancel: aborted() },
      expect: { status: 'not_attempted' },
      record: [],
      says: 'stopped before PATCH',
    },
    {
      name: 'a value that cannot be stored',
      step: CREATE,
      write: [OLD],
      input: { onCreated: () => Promise.reject(new Error('the disk is full')) },
      expect: { status: 'failed', live_id: 'ra_1', requests_done: 1 },
      record: ['intent POST', 'done'],
      says: 'was created as ra_1',
    },
    {
      name: 'a placeholder of an object that is not known',
      step: addrStep('update', [{ ...PATCH, body: { description: '${tls_edges.b.id}' } }]),
      get: [OLD],
      expect: { status: 'failed' },
      record: [],
      says: 'tls_edges.b.id',
    },
  ])('$name', async ({ step, get, list, write, input, expect: expected, record, sends, says, mayRepeat = true }) => {
    const client = service({ ...(get && { get }), ...(list && { list }), ...(write && { write }), mayRepeat });
    const run = runOf(step, client, input);
    const result = await runStep(run);
    expect(result).toMatchObject(expected);
    expect(run.outcomes).toEqual(record);
    if (says !== undefined) expect(result.error).toContain(says);
    expect(client.written).toHaveLength(sends ?? record.filter((one) => one.startsWith('intent')).length);
  });
});

test.each([
  { name: 'sending', more: () => Promise.reject(new TypeError('trace broke')), record: ['intent POST'] },
  { name: 'looking for it', list: new TypeError('list broke'), record: ['intent POST', 'unknown'] },
])(
  'an unexpected error once a write may have been sent, while $name, leaves it unknown',
  async ({ more, list, record }) => {
    const client = service({ write: [LOST] });
    const run = runOf(CREATE, {
      ...client,
      ...(more && { write: more }),
      ...(list && { list: () => Promise.reject(list) }),
    });
    expect(await runStep(run)).toMatchObject({ status: 'unknown', live_id: null, requests_done: 0 });
    expect(run.outcomes).toEqual(record);
  },
);

test.each([
  { step: UPDATE, now: NEW, sent: 'PATCH' },
  { step: REMOVE, now: undefined, sent: 'DELETE' },
])('a lost $sent is waited for before it is looked for', async ({ step, now, sent }) => {
  const client = service({ write: [LOST] });
  const seen: string[] = [];
  const get = () => Promise.resolve(seen.push('look') > 2 ? now : OLD);
  const backOff: typeof client.backOff = ({ method }, error, sends) => {
    seen.push(`wait after ${sends} ${method}: ${error.message}`);
    return Promise.resolve(undefined);
  };
  const write: typeof client.write = async (request) => {
    await request.check?.({ ...client, get });
    request.onSend?.(true);
    return client.write({ ...request, check: () => Promise.resolve() });
  };
  const run = runOf(step, { ...client, get, write, backOff });
  expect(await runStep(run)).toMatchObject({ status: 'done' });
  expect(run.isOut).toBe(false);
  expect(seen).toEqual(['look', `wait after 1 ${sent}: no answer`, 'look']);
});

test('a repeat that was held back, because the service is given a rest, is tried again after a wait', async () => {
  const rest = apiError('unsent', { code: 'service-unhealthy', message: 'left alone' });
  const client = service({ get: [OLD], write: [LOST, rest, rest, NEW] });
  const waits: string[] = [];
  const backOff: typeof client.backOff = (_, { message }, sends) => {
    waits.push(`${message} ${sends}`);
    return Promise.resolve(undefined);
  };
  const run = runOf(UPDATE, { ...client, backOff });
  expect(await runStep(run)).toMatchObject({ status: 'done' });
  expect(waits).toEqual(['no answer 1', 'left alone 2', 'left alone 3']);
  const tries = ['unknown', 'unknown', 'rejected', 'rejected', 'done'];
  expect(run.outcomes.filter((one) => !one.startsWith('intent'))).toEqual(tries);
});

test('a lost creation is looked for after the wait, for the settle time', async () => {
  const seen: string[] = [];
  const client = service({ write: [LOST, OLD] });
  const run = runOf(CREATE, {
    ...client,
    list: () => (seen.push('look'), client.list('', '')),
    backOff: () => (seen.push('wait'), Promise.resolve(undefined)),
  });
  expect(await runStep({ ...run, sharedReads: shareReads(run.input.client) })).toMatchObject({ status: 'done' });
  expect(seen.slice(0, 3)).toEqual(['wait', 'look', 'look']);
  expect(seen.filter((one) => one === 'wait')).toHaveLength(1);
});

test('repeats that are held back do not count as sent', async () => {
  const rest = apiError('unsent', { code: 'service-unhealthy', message: 'left alone' });
  const held = Array.from({ length: 5 }, () => rest);
  const client = service({ get: [OLD], write: [LOST, ...held, LOST, LOST, LOST, NEW] });
  expect(await runStep(runOf(UPDATE, client))).toMatchObject({ status: 'done' });
  const endless = service({ get: [OLD], write: [LOST, rest] });
  const { status, error } = await runStep(runOf(UPDATE, endless));
  expect([status, error, endless.written.length]).toEqual(['unknown', expect.stringContaining('left alone'), 7]);
});

test('a creation whose repeat was held back is tried again, too, but sent only twice', async () => {
  const rest = apiError('unsent', { code: 'service-unhealthy', message: 'left alone' });
  const held = Array.from({ length: 5 }, () => rest);
  const endOf = async (write: readonly Answer[], isLate = false) => {
    const client = service({ write });
    const list = () =>
      Promise.resolve({ items: isLate && client.written.length > 6 ? [OLD] : [], requests: 1, shifted: false });
    const run = runOf(CREATE, { ...client, list });
    const { status, error } = await runStep(run);
    return { status, error, asked: client.written.length, last: run.outcomes.at(-1) };
  };
  expect(await endOf([LOST, ...held, OLD])).toEqual({ status: 'done', error: null, asked: 7, last: 'done' });
  expect(await endOf([LOST, ...held, LOST])).toMatchObject({ status: 'unknown', asked: 7 });
  expect(await endOf([LOST, rest], true)).toMatchObject({ status: 'done', asked: 7, last: 'done' });
  const error = expect.stringMatching(/whether \S+ was created \(.* left alone\)/);
  expect(await endOf([LOST, rest])).toEqual({ status: 'unknown', error, asked: 7, last: 'unknown' });
});

test.each([
  { step: UPDATE, get: [OLD, OLD, NEW], expected: { status: 'done', error: null } },
  { step: UPDATE, get: [OLD], expected: { status: 'unknown', error: expect.stringContaining('the disk is full') } },
  { step: CREATE, get: [], expected: { status: 'failed', error: 'the disk is full' } },
])('a repeat of $step.action that cannot be recorded is not sent, and what was lost stays so', async (given) => {
  const client = service({ get: given.get, write: [LOST] });
  const run = runOf(given.step, client);
  let intents = 0;
  const intent: typeof run.record.intent = (write) =>
    ++intents === 1 ? run.record.intent(write) : Promise.reject(new Error('the disk is full'));
  expect(await runStep({ ...run, record: { ...run.record, intent } })).toMatchObject(given.expected);
  expect(client.written).toHaveLength(1);
});

test('where an answer was lost, it is not said that nothing was changed', async () => {
  const client = service({ get: [OLD, OLD, OLD], write: [LOST] });
  const run = runOf(UPDATE, client);
  let sends = 0;
  const gate = {
    send: (...given: Parameters<typeof run.gate.send>) =>
      ++sends === 1 ? run.gate.send(...given) : Promise.reject(new GateViolation('ours', 'it is not ours')),
  };
  const { status, error } = await runStep({ ...run, gate });
  expect([status, error]).toEqual([
    'unknown',
    expect.stringMatching(/there was no answer to it, and then it is not ours$/),
  ]);
});

test('the id of a new object is filled into the requests after it', async () => {
  const client = service({ get: [OLD], write: [OLD, NEW] });
  await runStep(runOf(addrStep('create', [POST, AFTER]), client));
  expect(client.written.map(({ path, finishes }) => [path, finishes])).toEqual([
    ['/reserved_addrs', undefined],
    ['/reserved_addrs/ra_1', true],
  ]);
});

test('what the gate forbids is recorded as not done, and not sent', async () => {
  const client = service({ get: [OLD] });
  const run = runOf(UPDATE, client);
  const gate = { send: () => Promise.reject(new GateViolation('ours', 'not ours')) };
  expect(await runStep({ ...run, gate })).toMatchObject({ status: 'failed', error: 'not ours; nothing was changed' });
  expect([client.written, run.outcomes]).toEqual([[], ['intent PATCH', 'rejected']]);
});

test('each request has a look of its own, and what was written before is noted for it', async () => {
  const remove = { method: 'DELETE', path: '/reserved_addrs/ra_1/description' } as const;
  const client = service({ get: [OLD, addrBody('ra_1', { description: '' }), NEW], write: [null, NEW] });
  const run = runOf(addrStep('update', [remove, PATCH], OLD), client);
  const left: unknown[] = [];
  const gate = {
    send: async (write: Parameters<typeof run.gate.send>[0], observe?: Parameters<typeof run.gate.send>[1]) => {
      const { fields, left: states } = run.history.written.get('ra_1') ?? { fields: [], left: [] };
      left.push([[...fields], states.map((live) => live?.spec['description'])]);
      return run.gate.send(write, observe);
    },
  };
  expect(await runStep({ ...run, gate })).toMatchObject({ status: 'done' });
  expect(run.admitted.map(({ request, observed }) => [request.method, observed?.live.spec['description']])).toEqual([
    ['DELETE', 'old'],
    ['PATCH', ''],
  ]);
  expect(left).toEqual([
    [[], []],
    [['description'], [undefined]],
  ]);
  expect(run.history.written.get('ra_1')?.left.map((live) => live?.spec['description'])).toEqual([undefined, 'new']);
});

test('what was written, created, released and deleted is noted', async () => {
  const noted = async (step: Step, write: Answer) => {
    const run = runOf(step, service({ get: [OLD], write: [write] }));
    await runStep(run);
    const { written, created, released, deleted } = run.history;
    return [written.size, created.size, released.size, deleted.size];
  };
  expect(await noted(CREATE, OLD)).toEqual([1, 1, 0, 0]);
  expect(await noted(UPDATE, NEW)).toEqual([1, 0, 0, 0]);
  expect(await noted(addrStep('release', [PATCH], OLD), NEW)).toEqual([1, 0, 1, 0]);
  expect(await noted(REMOVE, null)).toEqual([1, 0, 0, 1]);
  expect(await noted(UPDATE, REFUSED)).toEqual([0, 0, 0, 0]);
});

test('a refusal of the second creation may be by the first one, which came late', async () => {
  const client = service({ write: [LOST, REFUSED] });
  const list = () => Promise.resolve({ items: client.written.length > 1 ? [OLD] : [], requests: 1, shifted: false });
  const run = runOf(CREATE, { ...client, list });
  expect(await runStep(run)).toMatchObject({ status: 'done', live_id: 'ra_1' });
  expect(run.outcomes).toEqual(['intent POST', 'unknown', 'rejected', 'intent POST', 'unknown', 'done']);
});
