// How long a creation whose answer was lost is looked for.

import { expect, test } from 'vitest';
import type { WriteClient } from '../../src/service/transport.ts';
import { ApiError } from '../../src/service/transport.ts';
import { applyPlan } from '../../src/apply/apply.ts';
import { CAPABILITIES } from '../../src/catalog/kind.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { APPLY_DEFAULTS } from '../support/applying.ts';
import { load } from '../support/world.ts';

const plan = buildPlan({
  manifest: load({ version: 1, stack: 'shop', reserved_addrs: { db: {} } }),
  snapshot: { resources: [], unread: [], requests: 0, shifted: [] },
  service: 'http://127.0.0.1/',
  options: {
    destroy: false,
    allowDeletes: undefined,
    allowReplace: [],
    targets: [],
    capabilities: new Set(CAPABILITIES),
  },
});

/** Applies a plan with one creation whose answer is lost, while no look at the lists succeeds; gives the looks. */
async function lookInVain(code: string) {
  let looks = 0;
  const refused = () => {
    looks += 1;
    return Promise.reject(new ApiError({ code, message: 'no', failure: 'unusable' }));
  };
  const lost = () => Promise.reject(new ApiError({ code: 'api-timeout', message: 'no answer', failure: 'unknown' }));
  const client: WriteClient = { list: refused, get: refused, write: lost };
  const given = { plan, client, secrets: () => undefined, known: new Map(), concurrency: 1 };
  const results = await applyPlan({ ...APPLY_DEFAULTS, ...given });
  return { looks, statuses: results.map(({ status }) => status) };
}

test('a look that fails is repeated for the whole settle time', async () => {
  const { looks, statuses } = await lookInVain('api-unreachable');
  expect(looks).toBeGreaterThan(2);
  expect(statuses).toEqual(['unknown']);
});

test.each(['deadline-reached', 'service-throttled'])(
  'a look for which the run has no time left is the last: %s',
  async (code) => {
    expect(await lookInVain(code)).toEqual({ looks: 1, statuses: ['unknown'] });
  },
);
