// Modules with a secret that the service keeps to itself: taking one out of the manifest is the manifest's change, and
// where a module cannot be removed, nothing is sent that would be refused, would lose the secret, or repeats a live one.

import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Capability } from '../../src/catalog/kind.ts';
import { applyOn, createDirect, driftOn, planOn } from '../support/in-process.ts';
import { load } from '../support/world.ts';

const ADDRESS = 'https_edges.e.routes.r';
const oidc = { issuer: 'https://id.test', client_id: 'shop', client_secret: 'hush-hush' };
const MODULES: readonly (readonly [string, JsonObject])[] = [
  ['oidc', oidc],
  ['oidc', { ...oidc, cookie_prefix: 'shop.', scopes: ['openid'] }],
  ['webhook_verification', { provider: 'sns', secret: 'hush-hush' }],
  ['oauth', { provider: { github: { client_id: 'shop', client_secret: 'hush-hush' } } }],
];

/** A module whose secret may be left out, so that an empty text says that there is none. */
const OPTIONAL = 'webhook_verification';

const manifest = (modules: JsonObject) =>
  load({
    version: 1,
    stack: 'shop',
    https_edges: { e: { routes: { r: { match_type: 'path_prefix', match: '/', ...modules } } } },
  });

async function appliedWith(modules: JsonObject, mask: string | undefined, disabled: readonly Capability[] = []) {
  const direct = createDirect({ mask, disabled });
  const wanted = manifest(modules);
  const results = await applyOn(direct, await planOn(direct, wanted));
  expect(results.map(({ status }) => status)).toEqual(['done', 'done']);
  return direct;
}

describe.each(['***', ''])('a service that answers %j in place of secrets', (mask) => {
  const hidden = MODULES.filter(([name]) => mask !== '' || name !== OPTIONAL);
  test.each(hidden)('%s taken out of the manifest is pending, no drift', async (name, module) => {
    const direct = await appliedWith({ [name]: module }, mask);
    const planned = await planOn(direct, manifest({}));
    expect(planned.plan.steps).toMatchObject([
      { address: ADDRESS, changes: [{ path: name, cause: 'config' }], requests: [{ method: 'DELETE' }, {}] },
    ]);
    const drift = await driftOn(direct, manifest({}));
    expect([drift.drifted, drift.pending.map(({ address }) => address)]).toEqual([false, [ADDRESS]]);
  });
});

describe.each(['***', '', undefined])(
  'where modules cannot be removed, and the service answers %j in place of secrets',
  (mask) => {
    test.each(MODULES)('%s is blocked, and the way out is one', async (name, module) => {
      const direct = await appliedWith({ [name]: module }, mask, ['module-delete']);
      const { plan } = await planOn(direct, manifest({}));
      expect([plan.steps, plan.blocked.map(({ address }) => address)]).toEqual([[], [ADDRESS]]);
      expect(plan.blocked[0]?.path).toMatch(/secret$/);
      expect(plan.blocked[0]?.fix).toContain(`keep ${name} in the manifest with \`enabled: false\` and its secret`);
      const off = manifest({ [name]: { ...module, enabled: false } });
      const results = await applyOn(direct, await planOn(direct, off));
      expect(results.map(({ status }) => status)).toEqual(['done']);
      const after = (await planOn(direct, manifest({}))).plan;
      expect([after.blocked, after.steps.flatMap((step) => step.changes)]).toEqual([[], []]);
    });

    test.each(['oauth', OPTIONAL])(
      '%s without a secret is blocked as well: nothing says that it has none',
      async (name) => {
        const module = name === OPTIONAL ? { provider: 'sns' } : { provider: { github: {} } };
        const direct = await appliedWith({ [name]: module }, mask, ['module-delete']);
        expect((await planOn(direct, manifest({}))).plan.blocked).toHaveLength(1);
        const off = manifest({ [name]: { ...module, enabled: false } });
        expect((await applyOn(direct, await planOn(direct, off))).map(({ status }) => status)).toEqual(['done']);
        expect((await planOn(direct, manifest({}))).plan.blocked).toEqual([]);
      },
    );
  },
);

test('one whose secret may be missing, and of which nothing says that it is there, may have been changed by somebody', async () => {
  const direct = await appliedWith({ [OPTIONAL]: { provider: 'sns', secret: 'hush-hush' } }, '');
  const { drifted, findings } = await driftOn(direct, manifest({}));
  expect([drifted, findings.map(({ cause }) => cause)]).toEqual([true, ['both']]);
});
