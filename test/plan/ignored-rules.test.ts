// What `ignore_changes` leaves alone stays beside what the manifest changes: where a rule of the kind excludes the two, the service
// would refuse the request, and the plan says so instead.

import { describe, expect, test } from 'vitest';
import { applyOn, createDirect, planOn, type Direct } from '../support/in-process.ts';
import { loadTexts } from '../support/loading.ts';

const SAML = (more = '') => `saml: { idp_metadata: "<xml/>"${more} }`;
const OAUTH = 'oauth: { provider: { twitch: { email_domains: [example.com] } } }';

function manifest(modules: readonly string[], ignored: readonly string[] = []) {
  const lifecycle = ignored.length === 0 ? '' : `lifecycle: { ignore_changes: [${ignored.join(', ')}] }`;
  const block = ['match_type: path_prefix', 'match: /', ...modules, lifecycle].filter((part) => part !== '').join(', ');
  const text = `{ version: 1, stack: shop, https_edges: { e: { routes: { r: { ${block} } } } } }`;
  const { value, diagnostics } = loadTexts(text);
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return value;
}

/** A route whose sign-in was switched off by the manifest, and on by somebody. */
async function switchedOn(): Promise<Direct> {
  const direct = createDirect();
  await applyOn(direct, await planOn(direct, manifest([SAML(', enabled: false')])));
  const [route] = direct.store.all().filter(({ parentId }) => parentId !== undefined);
  const path = `/edges/https/${route?.parentId ?? ''}/routes/${route?.id ?? ''}`;
  expect(direct.ask('PATCH', path, { saml: { idp_metadata: '<xml/>', enabled: true } }).status).toBe(200);
  return direct;
}

describe('what is left alone and what the manifest adds exclude each other', () => {
  test('the addition is blocked in words, and the rest is done', async () => {
    const direct = await switchedOn();
    const second = manifest([SAML(', enabled: false'), OAUTH, 'compression: {}'], ['saml.enabled']);
    const planned = await planOn(direct, second);
    expect(planned.plan.blocked).toEqual([
      expect.objectContaining({
        address: 'https_edges.e.routes.r',
        code: 'ignored-conflict',
        path: 'oauth',
        message: expect.stringMatching(/a route can sign users in only one way.*, because saml\.enabled is left alone/),
        fix: 'take saml.enabled out of lifecycle.ignore_changes, or leave oauth out',
      }),
    ]);
    expect(planned.plan.steps.map(({ address }) => address)).toEqual(['https_edges.e.routes.r']);
    await applyOn(direct, planned);
    expect(direct.sent.filter(({ status }) => status >= 400)).toEqual([]);
    expect((await planOn(direct, second)).plan.steps).toEqual([]);
  });

  test('nothing is blocked where the two go together', async () => {
    const direct = await switchedOn();
    const second = manifest([SAML(', enabled: false'), 'compression: {}'], ['saml.enabled']);
    const { plan } = await planOn(direct, second);
    expect(plan.blocked).toEqual([]);
    expect(plan.steps).toHaveLength(1);
  });

  test('nothing is blocked where nothing is left alone', async () => {
    const direct = await switchedOn();
    const planned = await planOn(direct, manifest([SAML(', enabled: false'), OAUTH]));
    expect(planned.plan.blocked).toEqual([]);
    await applyOn(direct, planned);
    expect(direct.sent.filter(({ status }) => status >= 400)).toEqual([]);
  });
});
