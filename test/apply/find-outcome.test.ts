// What became of a write whose answer was lost, and how long a creation is looked for.

import { describe, expect, test } from 'vitest';
import type { Code } from '../../src/core/codes.ts';
import type { WriteClient } from '../../src/service/transport.ts';
import { ApiError } from '../../src/service/transport.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { APPLY_DEFAULTS } from '../support/applying.ts';
import { load } from '../support/world.ts';
import type { ValueObject } from '../../src/core/value.ts';
import { findOutcome } from '../../src/apply/find-outcome.ts';
import { without } from '../plan/sample.ts';
import { stepOf } from '../render/sample.ts';
import type { Answer } from './sample.ts';
import { addrBody, addrStep, apiError, runOf, service } from './sample.ts';

const plan = buildPlan({
  manifest: load({ version: 1, stack: 'shop', reserved_addrs: { db: {} } }),
  snapshot: { resources: [], unread: [], requests: 0 },
  service: 'http://127.0.0.1/',
  options: { destroy: false, allowDeletes: undefined, allowLoss: [], targets: [], capabilities: new Set(CAPABILITIES) },
});

/** Applies a plan with one creation whose answer is lost, while no look at the lists succeeds; gives the looks. */
async function lookInVain(code: Code) {
  let looks = 0;
  const refused = () => {
    looks += 1;
    return Promise.reject(new ApiError({ code, message: 'no', known: 'lost', type: 'read' }));
  };
  const lost = () =>
    Promise.reject(new ApiError({ code: 'api-timeout', message: 'no answer', known: 'lost', type: 'creation' }));
  const client: WriteClient = { list: refused, get: refused, write: lost, backOff: () => Promise.resolve(undefined) };
  const given = { plan, client, secrets: () => undefined, known: new Map(), concurrency: 1 };
  const results = await applyPlan({ ...APPLY_DEFAULTS, ...given });
  return { looks, statuses: results.map(({ status }) => status) };
}

test('a look that fails is repeated for the whole settle time', async () => {
  const { looks, statuses } = await lookInVain('api-unreachable');
  expect(looks).toBeGreaterThan(2);
  expect(statuses).toEqual(['unknown']);
});

test.each(['deadline-reached', 'service-throttled'] as const)(
  'a look for which the run has no time left is the last: %s',
  async (code) => {
    expect(await lookInVain(code)).toEqual({ looks: 1, statuses: ['unknown'] });
  },
);

const OLD = addrBody('ra_1');
const [NEW, OTHER] = ['new', 'somebody'].map((description) => addrBody('ra_1', { description }));
const UNREADABLE = apiError('unusable', { type: 'read' });
const UPDATE = addrStep('update', [], OLD);

const NO_WAIT = () => Promise.resolve(undefined);
const request = (method: 'POST' | 'PATCH' | 'DELETE', more: { values?: ValueObject; field?: string } = {}) => ({
  method,
  values: more.values,
  field: more.field,
});
const outcomeOf = async (...given: Parameters<typeof findOutcome>) => (await findOutcome(...given)).outcome;

describe('an update', () => {
  interface Row {
    readonly name: string;
    readonly get: Answer;
    readonly sent?: ValueObject;
    readonly isWritten?: true;
    readonly expect: string;
  }
  test.each<Row>([
    { name: 'has all that was sent', get: NEW, expect: 'done' },
    { name: 'is as it was before', get: OLD, expect: 'rejected' },
    { name: 'is neither', get: OTHER, expect: 'unknown' },
    { name: 'is neither, and this run wrote to it before', get: OTHER, isWritten: true, expect: 'rejected' },
    {
      name: 'has the values, but not the marker',
      get: NEW,
      sent: { description: 'new', metadata: 'x' },
      expect: 'unknown',
    },
    { name: 'is gone', get: undefined, expect: 'unknown' },
    { name: 'cannot be read', get: UNREADABLE, expect: 'unknown' },
  ])('$name: $expect', async ({ get, sent = { description: 'new' }, isWritten, expect: expected }) => {
    const run = runOf(UPDATE, service({ get: [get] }));
    if (isWritten) run.history.written.set('ra_1', { fields: new Set(), left: [] });
    expect(await outcomeOf(run, request('PATCH', { values: sent }), NO_WAIT)).toBe(expected);
  });
});

test.each<readonly [string, Answer, string]>([
  ['is gone', undefined, 'done'],
  ['is there', OLD, 'rejected'],
  ['cannot be read', UNREADABLE, 'unknown'],
])('a deletion of what %s', async (_, get, expected) => {
  const run = runOf(addrStep('delete'), service({ get: [get] }));
  expect(await outcomeOf(run, request('DELETE'), NO_WAIT)).toBe(expected);
});

test.each<readonly [string, Answer, string]>([
  ['is not there any more', { id: 'ra_1' }, 'done'],
  ['went with its object', undefined, 'done'],
  ['is there', OLD, 'rejected'],
])('the removal of a field that %s', async (_, get, expected) => {
  const run = runOf(addrStep('update'), service({ get: [get] }));
  expect(await outcomeOf(run, request('DELETE', { field: 'region' }), NO_WAIT)).toBe(expected);
});

describe('a creation', () => {
  const looked = (given: Parameters<typeof service>[0], input: Parameters<typeof runOf>[2] = {}) =>
    findOutcome(runOf(addrStep('create'), service(given), input), request('POST'), NO_WAIT);

  test('is found, or absent for the whole settle time', async () => {
    expect(await looked({ list: [OLD] })).toEqual({ outcome: 'done', body: OLD });
    expect(await looked({})).toEqual({ outcome: 'rejected' });
  });

  test('absence is not believed of a run that is stopped, nor of a list that cannot be read', async () => {
    expect((await looked({}, { signal: AbortSignal.abort() })).outcome).toBe('unknown');
    expect((await looked({ list: UNREADABLE })).outcome).toBe('unknown');
  });

  test('of a kind that cannot be listed is for a person to look up', async () => {
    const step = stepOf({ id: 's1', action: 'create', address: 'https_edges.e', kind: 'https_edge' });
    const run = runOf(step, service({}), { capabilities: without('https-edge-list') });
    expect(await findOutcome(run, request('POST'), NO_WAIT)).toMatchObject({
      outcome: 'unknown',
      why: expect.stringContaining('--resolve https_edges.e=ID') as string,
    });
  });
});
