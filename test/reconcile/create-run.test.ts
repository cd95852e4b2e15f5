// A run as a program makes it: what follows from its options, and what is refused before anything is asked of the service.

import { beforeEach, describe, expect, test } from 'vitest';
import type { NewRun, RunInput, RunOptions } from '../../src/index.ts';
import { applyManifest, createRun, detectDrift, Failure, makePlan } from '../../src/index.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { memoryDisk } from '../journal/sample.ts';
import { KEY, reply } from '../support/fake-exchange.ts';
import { load } from '../support/world.ts';

const manifest = load('version: 1\nstack: shop\nfailover_backends: { main: {}, other: {} }\n');
let asked: URL[];
beforeEach(() => {
  asked = [];
});

function runOf(options: Partial<RunOptions> = {}, more: Partial<NewRun> = {}): RunInput {
  const platform = platformOf({
    files: memoryDisk().files,
    exchange: ({ url }) => {
      asked.push(url);
      return Promise.resolve(reply(500, {}));
    },
  });
  return createRun({
    manifest,
    baseUrl: 'https://api.example.com',
    apiKey: KEY,
    platform,
    options: { journal: '/j', ...options },
    ...more,
  });
}

async function failureOf(work: () => unknown): Promise<Failure> {
  const error: unknown = await Promise.resolve()
    .then(work)
    .catch((reason: unknown) => reason);
  if (!(error instanceof Failure)) throw new Error('it did not fail');
  return error;
}

describe('the connection of a run', () => {
  const without = (name: string) => new Set(CAPABILITIES.filter((one) => one !== name));

  test.each([
    { options: {}, given: { pageSize: 5 }, expected: { pageSize: 5, concurrency: 32 } },
    { options: { concurrency: 1 }, given: {}, expected: { concurrency: 1 } },
    { options: { concurrency: 4 }, given: { concurrency: 2 }, expected: { concurrency: 2 } },
  ])('with $options and $given is $expected', ({ options, given, expected }) => {
    expect(runOf(options, { connection: given }).connection).toMatchObject(expected);
  });

  test('has no page size where the service takes none', () => {
    const { connection } = runOf({ capabilities: without('paging-limit') }, { connection: { pageSize: 5 } });
    expect(connection).not.toHaveProperty('pageSize');
  });

  test.each<{ readonly more: Partial<NewRun>; readonly says: string }>([
    { more: { apiKey: undefined }, says: 'apiKey is empty' },
    { more: { baseUrl: undefined }, says: 'baseUrl is not a URL' },
  ])('that is not known is told: $says', async ({ more, says }) => {
    const { outcome, message } = await failureOf(() => runOf({}, more));
    expect([outcome, message]).toEqual(['invalid', expect.stringContaining(says)]);
  });
});

describe('options that cannot be meant end a run before anything is asked', () => {
  const calls: Readonly<Record<string, (run: RunInput) => Promise<unknown>>> = {
    makePlan,
    detectDrift,
    applyManifest: (run) => applyManifest({ ...run, approve: () => Promise.resolve() }),
  };
  const ADDRESS = 'failover_backends.main';

  test.each<{ readonly options: Partial<RunOptions>; readonly says: string; readonly fix: string }>([
    { options: { targets: ['failover_backends.mian'] }, says: 'targets failover_backends.mian', fix: ADDRESS },
    { options: { allowLoss: ['x'] }, says: 'allowLoss x', fix: 'address of a resource' },
    { options: { resolutions: [{ address: '../x', as: 'absent' }] }, says: 'resolutions ../x', fix: 'address' },
    {
      options: { resolutions: [{ address: ADDRESS, as: { id: 'no' } }] },
      says: 'not an id of the resource',
      fix: 'starts with',
    },
    { options: { concurrency: 0 }, says: 'concurrency', fix: 'at least 1' },
    { options: { concurrency: Number.NaN }, says: 'concurrency', fix: 'at least 1' },
    { options: { allowDeletes: Number.NaN }, says: 'allowDeletes', fix: 'at least 0' },
    { options: { settleMs: Number.NaN }, says: 'settleMs', fix: 'at least 0' },
    { options: { deadlineMs: -1 }, says: 'deadlineMs', fix: 'at least 0' },
  ])('$says', async ({ options, says, fix }) => {
    for (const call of Object.values(calls)) {
      const { outcome, diagnostics } = await failureOf(() => call(runOf(options)));
      expect(outcome).toBe('usage');
      expect(diagnostics[0]).toMatchObject({ code: 'bad-usage', message: expect.stringContaining(says) });
      expect(diagnostics[0]?.fix).toContain(fix);
    }
    expect(asked).toEqual([]);
  });

  test('and every one of them is told', async () => {
    const wrong = runOf({ targets: ['a', 'b'], settleMs: -1 });
    expect((await failureOf(() => makePlan(wrong))).diagnostics).toHaveLength(3);
  });
});
