// A catalogued secret under `ignore_changes`: a difference of it alone is nothing to do, and when its module is sent for another
// reason, the manifest's value goes with it, and the plan says so.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { changesIn } from '../support/answers.ts';
import { applyOn, createDirect, driftOn, planOn, type Direct, type DirectOptions } from '../support/in-process.ts';
import { loadTexts } from '../support/loading.ts';
import { MASKS } from '../support/masking.ts';

const ROUTE = { match_type: 'path_prefix', match: '/' };
const KIND = 'https_edge_route';

interface Variant {
  readonly module: JsonObject;
  readonly ignore: readonly string[];
  readonly secret?: string;
  readonly protect?: boolean;
}

const loaded = new Map<string, Manifest>();

/** The manifest of a variant, which is loaded once for all services. */
function manifest(variant: Variant): Manifest {
  const key = JSON.stringify(variant);
  const value = loaded.get(key) ?? load(variant);
  loaded.set(key, value);
  return value;
}

function load({ module, ignore, secret = 'hush-hush-1', protect = false }: Variant): Manifest {
  const lifecycle = { ignore_changes: [...ignore], prevent_destroy: protect };
  const routes = { r: { ...ROUTE, ...module, lifecycle } };
  const text = JSON.stringify({
    version: 1,
    stack: 'shop',
    variables: { s: { sensitive: true } },
    https_edges: { e: { routes } },
  });
  const { value, diagnostics } = loadTexts(text, { variables: { s: secret } });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return value;
}

/** Each module with a secret, in two versions that differ in something else, and the paths that cover the secret. */
const MODULES: readonly {
  readonly name: string;
  readonly of: (other: string) => JsonObject;
  readonly path: string;
  readonly covers: readonly string[];
}[] = [
  {
    name: 'webhook_verification',
    of: (provider) => ({ webhook_verification: { provider, secret: '${var.s}' } }),
    path: 'webhook_verification.secret',
    covers: ['webhook_verification.secret'],
  },
  {
    name: 'oidc',
    of: (issuer) => ({ oidc: { issuer, client_id: 'a', client_secret: '${var.s}' } }),
    path: 'oidc.client_secret',
    covers: ['oidc.client_secret'],
  },
  {
    name: 'oauth',
    of: (prefix) => ({
      oauth: { provider: { github: { client_id: 'app', client_secret: '${var.s}' } }, cookie_prefix: prefix },
    }),
    path: 'oauth.provider.github.client_secret',
    covers: ['oauth.provider.github.client_secret', 'oauth.provider.github', 'oauth.provider'],
  },
];
const CASES = MODULES.flatMap((one) => one.covers.map((cover) => [cover, { ...one, cover }] as const));

function stored(direct: Direct, path: string): Json | undefined {
  const [object] = direct.store.all().filter((one) => one.kind === KIND);
  return path.split('.').reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), object?.spec);
}

function withAt(value: Json | undefined, [head = '', ...rest]: readonly string[], leaf: Json): JsonObject {
  const inner = isObject(value) ? value : {};
  return { ...inner, [head]: rest.length === 0 ? leaf : withAt(inner[head], rest, leaf) };
}

/** Somebody else changes the secret, or another value of the route. */
function outside(direct: Direct, path: string, leaf: Json): void {
  const [object] = direct.store.all().filter((one) => one.kind === KIND);
  if (object === undefined) throw new Error('there is no route');
  direct.store.put({ ...object, spec: { ...object.spec, ...withAt(object.spec, path.split('.'), leaf) } });
}

async function settled(direct: Direct, wanted: Manifest) {
  const planned = await planOn(direct, wanted);
  const results = await applyOn(direct, planned);
  expect(results.filter(({ status }) => status !== 'done')).toEqual([]);
  expect(changesIn((await planOn(direct, wanted)).plan)).toEqual([]);
  return planned.plan;
}

const marks: readonly (readonly [string, DirectOptions])[] = [
  ['is shown', {}],
  ...MASKS.map((mask) => [`comes back as "${mask}"`, { mask }] as const),
];

describe.each(CASES)('ignore_changes: [%s]', (_, { of, path, cover }) => {
  const ignore = [cover];

  test('a secret that was changed by hand is no change and no drift, and stays', async () => {
    const direct = createDirect();
    const wanted = manifest({ module: of('one'), ignore });
    await settled(direct, wanted);
    outside(direct, path, 'by-hand-1');
    expect(changesIn((await planOn(direct, wanted)).plan)).toEqual([]);
    expect(await driftOn(direct, wanted)).toMatchObject({ drifted: false, findings: [], pending: [] });
    expect(stored(direct, path)).toBe('by-hand-1');
  });

  test.each(marks)(
    'a secret that %s, and is another one in the manifest now, is no change either',
    async (_how, how) => {
      const direct = createDirect(how);
      await settled(direct, manifest({ module: of('one'), ignore }));
      const next = manifest({ module: of('one'), ignore, secret: 'hush-hush-2' });
      expect(changesIn((await planOn(direct, next)).plan)).toEqual([]);
      expect((await driftOn(direct, next)).drifted).toBe(false);
      expect(stored(direct, path)).toBe('hush-hush-1');
    },
  );

  test.each(marks)('a secret that %s goes along when its module is sent, and the plan says so', async (_how, how) => {
    const direct = createDirect(how);
    await settled(direct, manifest({ module: of('one'), ignore }));
    const plan = await settled(direct, manifest({ module: of('two'), ignore, secret: 'hush-hush-2' }));
    const notes = plan.steps.flatMap(({ changes }) => changes.flatMap(({ note }) => note ?? []));
    expect(notes.join()).toContain(
      `sent with the secret of the manifest, although \`ignore_changes\` names it: ${path}`,
    );
    expect(stored(direct, path)).toBe('hush-hush-2');
  });

  test.each(marks)('a secret that %s and is the same is not named when its module is sent', async (_how, how) => {
    const direct = createDirect(how);
    await settled(direct, manifest({ module: of('one'), ignore }));
    const plan = await settled(direct, manifest({ module: of('two'), ignore }));
    expect(JSON.stringify(plan.steps)).not.toContain('sent with the secret');
    expect(stored(direct, path)).toBe('hush-hush-1');
  });

  test.each(marks)(
    'what the manifest asked for while a secret that %s was ignored is sent later',
    async (_how, how) => {
      const direct = createDirect(how);
      await settled(direct, manifest({ module: of('one'), ignore }));
      // The marker is written for another reason, and does not say that the secret was applied.
      await settled(direct, manifest({ module: of('one'), ignore, secret: 'hush-hush-2', protect: true }));
      expect(stored(direct, path)).toBe('hush-hush-1');
      await settled(direct, manifest({ module: of('one'), ignore: [], secret: 'hush-hush-2', protect: true }));
      expect(stored(direct, path)).toBe('hush-hush-2');
    },
  );

  test('another value of its module that was changed by hand is drift as ever', async () => {
    const direct = createDirect();
    const wanted = manifest({ module: of('one'), ignore: [path] });
    await settled(direct, wanted);
    outside(direct, path, 'by-hand-1');
    const [name = ''] = path.split('.');
    const other = { webhook_verification: 'provider', oidc: 'issuer', oauth: 'cookie_prefix' }[name] ?? '';
    outside(direct, `${name}.${other}`, 'by hand');
    const { findings } = await driftOn(direct, wanted);
    expect(findings).toMatchObject([{ type: 'changed', cause: 'drift', changes: [{ path: `${name}.${other}` }] }]);
    await settled(direct, wanted);
    expect(stored(direct, path)).toBe('hush-hush-1');
  });
});

test.each(marks)('a live secret that %s, and that the manifest does not have, is never lost', async (_how, how) => {
  const direct = createDirect(how);
  const module = (prefix: string) => ({
    oauth: { provider: { github: { client_id: 'app', client_secret: '${var.s}' } }, cookie_prefix: prefix },
  });
  const ignore = ['oauth.provider'];
  await settled(direct, manifest({ module: module('one'), ignore }));
  const chosen = { google: { client_id: 'other', client_secret: 'by-hand-1' } };
  outside(direct, 'oauth.provider', chosen);
  expect(changesIn((await planOn(direct, manifest({ module: module('one'), ignore }))).plan)).toEqual([]);

  const { plan } = await planOn(direct, manifest({ module: module('two'), ignore }));
  expect([plan.steps, plan.blocked]).toMatchObject([
    [],
    [
      {
        path: 'oauth.provider.google.client_secret',
        code: 'secret-needed',
        message: 'oauth is sent whole, always with the secrets of the manifest, which has none here',
        fix: 'give it there, or list oauth under ignore_changes',
      },
    ],
  ]);
  // Both ways out.
  await settled(direct, manifest({ module: module('two'), ignore: ['oauth'] }));
  expect(stored(direct, 'oauth.provider')).toEqual(chosen);
  const given = { google: { client_id: 'other', client_secret: '${var.s}' } };
  const whole = { oauth: { provider: given, cookie_prefix: 'two' } };
  await settled(direct, manifest({ module: whole, ignore }));
  expect(stored(direct, 'oauth.provider.google.client_secret')).toBe('hush-hush-1');
});
