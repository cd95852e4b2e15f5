// Secrets in plans: equal by content, masked on both sides, never lost, and never the same twice for those who look on.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import { exportManifest } from '../../src/export/export.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { findDrift } from '../../src/drift/drift.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { changesIn } from '../support/answers.ts';
import type { Direct, Planned } from '../support/in-process.ts';
import { applyOn, createDirect, planOn, snapshotOf } from '../support/in-process.ts';
import { loadTexts } from '../support/loading.ts';
import { MASKS, masked } from '../support/masking.ts';

const ROUTE = { match_type: 'path_prefix', match: '/' };

function load(content: JsonObject, values: Readonly<Record<string, string>> = {}): Manifest {
  const variables = Object.fromEntries(Object.keys(values).map((name) => [name, { sensitive: true }]));
  const text = JSON.stringify({ version: 1, stack: 'shop', variables, ...content });
  const { value, diagnostics } = loadTexts(text, { variables: values });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return value;
}

/** A manifest with one route. */
function route(block: JsonObject, values: Readonly<Record<string, string>> = {}): Manifest {
  return load({ https_edges: { e: { routes: { r: { ...ROUTE, ...block } } } } }, values);
}

/** The same service, as it looks when it keeps secrets to itself. */
function masking(direct: Direct, mask = '***'): Direct {
  return { ...direct, client: masked(direct.client, mask) };
}

async function applied(direct: Direct, manifest: Manifest): Promise<Planned> {
  const planned = await planOn(direct, manifest);
  const results = await applyOn(direct, planned);
  expect(results.filter((result) => result.status !== 'done')).toEqual([]);
  return planned;
}

/** Applied, and nothing is left to do. */
async function settled(direct: Direct, manifest: Manifest): Promise<Planned> {
  const planned = await applied(direct, manifest);
  expect(changesIn((await planOn(direct, manifest)).plan)).toEqual([]);
  return planned;
}

/** The field of the only object of its kind, as the service has it. */
function stored(direct: Direct, kind: string, path: string): Json | undefined {
  const [object] = direct.store.all().filter((one) => one.kind === kind);
  return path.split('.').reduce<Json | undefined>((at, key) => (isObject(at) ? at[key] : undefined), object?.spec);
}

/** Somebody else changes one field of the only object of its kind. */
function outside(direct: Direct, kind: string, change: (spec: JsonObject) => JsonObject): void {
  const [object] = direct.store.all().filter((one) => one.kind === kind);
  direct.store.put({ ...object!, spec: { ...object!.spec, ...change(object!.spec) } });
}

const headers = (add: JsonObject) => ({ request_headers: { add } });
const onRoute = (direct: Direct, add: JsonObject) => {
  outside(direct, 'https_edge_route', () => headers(add));
};
const changes = (plan: Plan) => plan.steps.flatMap((step) => step.changes);

describe('a sensitive variable in a field that the service shows', () => {
  test('is equal to the same text, however it came there', async () => {
    const direct = createDirect();
    await settled(direct, route({ description: 'hush-hush-1', ...headers({ 'x-key': 'hush-hush-1' }) }));
    const secret = route({ description: '${var.s}', ...headers({ 'X-Key': '${var.s}' }) }, { s: 'hush-hush-1' });
    expect(changes((await planOn(direct, secret)).plan)).toEqual([]);
    const again = route({ description: 'hush-hush-1', ...headers({ 'x-key': 'hush-hush-1' }) });
    expect(changes((await planOn(direct, again)).plan)).toEqual([]);
  });

  test('masks both sides, and says inside maps and lists which value is another', async () => {
    const direct = createDirect();
    const spec = (more: JsonObject) => ({
      ...headers({ 'x-key': '${var.s}', 'x-same': '${var.same}', 'x-plain': 'plain', ...more }),
      response_headers: { remove: ['${var.s}', '${var.same}', 'plain'] },
    });
    const values = { s: 'hush-hush-1', same: 'hush-hush-same' };
    await settled(direct, route(spec({}), values));
    const next = route(spec({ 'x-plain': 'other' }), { ...values, s: 'hush-hush-2' });
    const { plan } = await planOn(direct, next);
    const mask = { sensitive: true };
    expect(changes(plan)).toMatchObject([
      {
        path: 'request_headers.add',
        before: { 'x-key': mask, 'x-same': mask, 'x-plain': 'plain' },
        after: { 'x-key': { ...mask, changed: true }, 'x-same': mask, 'x-plain': 'other' },
      },
      {
        path: 'response_headers.remove',
        before: [mask, mask, mask],
        // Where order does not matter, masks stand last, and what comes stands behind what stays.
        after: ['plain', mask, { ...mask, changed: true }],
        items: { removed: [2], added: [2] },
      },
    ]);
    expect(JSON.stringify(plan)).not.toMatch(/hush-hush-[12s]/);
  });

  test('is masked as the old value, too, when the manifest has none any more', async () => {
    const direct = createDirect();
    const secret = { ...headers({ 'x-key': '${var.s}' }), description: '${var.s}' };
    await settled(direct, route(secret, { s: 'hush-hush-1' }));
    // The variable is gone, so that only the marker knows.
    const { plan } = await planOn(direct, route({ ...headers({ 'x-key': 'public' }), description: 'public' }));
    expect(changes(plan).map(({ path, cause, sensitive }) => ({ path, cause, sensitive }))).toEqual([
      { path: 'description', cause: 'config', sensitive: true },
      { path: 'request_headers.add', cause: 'config', sensitive: true },
    ]);
    expect(JSON.stringify(plan)).not.toContain('hush-hush');
  });

  test('is masked wherever else an object that is adopted repeats it', async () => {
    const direct = createDirect();
    await applied(direct, load({ tls_edges: { e: { description: 'once hush-hush-1' } } }));
    const [edge] = direct.store.all();
    direct.store.put({ ...edge!, spec: { description: 'once hush-hush-1' } });
    const adopting = { lifecycle: { adopt: edge!.id }, description: 'plain' };
    const { plan } = await planOn(direct, load({ tls_edges: { e: adopting } }, { s: 'hush-hush-1' }));
    expect(changes(plan)).toMatchObject([{ path: 'description', before: { sensitive: true } }]);
  });

  test.each([
    ['config', 'hush-hush-1', 'hush-hush-2'],
    ['drift', 'hush-hush-3', 'hush-hush-1'],
    ['both', 'hush-hush-3', 'hush-hush-2'],
  ])('is attributed by content: %s', async (cause, live, wanted) => {
    const direct = createDirect();
    const manifest = (s: string) => route(headers({ 'x-key': 'v ${var.s}' }), { s });
    await settled(direct, manifest('hush-hush-1'));
    onRoute(direct, { 'x-key': `v ${live}` });
    expect(changes((await planOn(direct, manifest(wanted))).plan).map((change) => change.cause)).toEqual([cause]);
  });

  test('is attributed by content when it was none before', async () => {
    const direct = createDirect();
    await settled(direct, route(headers({ 'x-key': 'hush-hush-1' })));
    onRoute(direct, { 'x-key': 'hush-hush-3' });
    const { plan } = await planOn(direct, route(headers({ 'x-key': '${var.s}' }), { s: 'hush-hush-1' }));
    expect(changes(plan).map((change) => change.cause)).toEqual(['drift']);
  });

  test('has digests that differ for the same text on two objects, in markers and in plans', async () => {
    const direct = createDirect();
    const both = (s: string) =>
      load({ tls_edges: { a: { description: '${var.s}' }, b: { description: '${var.s}' } } }, { s });
    await settled(direct, both('hush-hush-1'));
    const { plan } = await planOn(direct, both('hush-hush-2'));
    const seen = plan.steps.map((step) => step.seen?.['description']);
    const marked = direct.store.all().map(({ spec }) => /"description":"([\w-]+):/.exec(String(spec['metadata']))?.[1]);
    for (const pair of [seen, marked]) {
      expect(pair.map((digest) => digest?.length)).toEqual([20, 20]);
      expect(new Set(pair).size).toBe(2);
    }
  });

  test('beside a reference is filled in when it is known', async () => {
    const direct = createDirect();
    const manifest = (s: string) =>
      load(
        {
          failover_backends: { app: { backends: ['bkdhr_1'] } },
          https_edges: {
            e: { routes: { r: { ...ROUTE, ...headers({ 'x.key': '${var.s} of ${failover_backends.app.id}' }) } } },
          },
        },
        { s },
      );
    const { plan } = await settled(direct, manifest('hush-hush-1'));
    expect(JSON.stringify(plan)).toContain(
      '{"sensitive":true,"from":"https_edges.e.routes.r#request_headers.add.x~1key"}',
    );
    expect(stored(direct, 'https_edge_route', 'request_headers')).toMatchObject({
      add: { 'x.key': `hush-hush-1 of ${direct.store.all().find((one) => one.kind === 'failover_backend')!.id}` },
    });
    await settled(direct, manifest('hush-hush-2'));
  });
});

describe('a value that becomes secret', () => {
  const secret = (description: string, ignore: string[] = []) => ({
    ...headers({ 'x-key': '${var.s}' }),
    description,
    lifecycle: { ignore_changes: ignore },
  });
  const plain = { ...headers({ 'x-key': 'hush-hush-1' }), description: 'hush-hush-1' };
  const marked = (direct: Direct) => {
    const text = String(stored(direct, 'https_edge_route', 'metadata'));
    return Object.values((JSON.parse(text) as { edgeform: { applied: Record<string, string> } }).edgeform.applied);
  };

  test.each([[[]], [['description', 'request_headers']]])(
    'has the marker of one that always was, ignoring %j',
    async (ignore) => {
      const [direct, always] = [createDirect(), createDirect()];
      await settled(direct, route(plain));
      const { plan } = await settled(direct, route(secret('${var.s}', ignore), { s: 'hush-hush-1' }));
      expect(changes(plan)).toEqual([]);
      await settled(always, route(secret('${var.s}'), { s: 'hush-hush-1' }));
      expect(marked(direct)).toEqual(marked(always));
      // Nobody else sees it.
      expect(JSON.stringify((await planOn(direct, route({}))).plan)).not.toContain('hush-hush');
    },
  );

  test('is hidden in places where it was not before, and shown where it is none any more', async () => {
    const [direct, always] = [createDirect(), createDirect()];
    const both = { ...headers({ 'x-key': 'hush-hush-1', 'x-id': '${var.s}' }) };
    await settled(direct, route(both, { s: 'hush-hush-1' }));
    const other = { ...headers({ 'x-key': '${var.s}', 'x-id': 'hush-hush-1' }) };
    await settled(direct, route(other, { s: 'hush-hush-1' }));
    await settled(always, route(other, { s: 'hush-hush-1' }));
    expect(marked(direct)).toEqual(marked(always));
    await settled(direct, route(plain));
    expect(marked(direct).map((digest) => digest.length)).toContain(12);
  });
});

test('a secret beside a reference to a renamed object is filled in before the marker says so', async () => {
  const direct = createDirect();
  const manifest = (name: string, s: string, moved: JsonObject[] = []) =>
    load(
      {
        ssh_credentials: { a: { public_key: 'k', description: `\${var.s} \${tls_edges.${name}.id}` } },
        tls_edges: { [name]: {} },
        moved,
      },
      { s },
    );
  await settled(direct, manifest('old', 'hush-hush-1'));
  await settled(direct, manifest('new', 'hush-hush-2', [{ from: 'tls_edges.old', to: 'tls_edges.new' }]));
  expect(stored(direct, 'ssh_credential', 'description')).toMatch(/^hush-hush-2 edgtls_/);
});

describe('a value that only one object may hold', () => {
  test('is named by its holder when it is secret', async () => {
    const direct = createDirect();
    const made = direct.ask('POST', '/edges/tls', { hostports: ['db.hush.example.com:443'] });
    const id = isObject(made.body) ? String(made.body['id']) : '';
    const manifest = load({ tls_edges: { e: { hostports: ['${var.s}'] } } }, { s: 'DB.hush.example.com:443' });
    const { plan } = await planOn(direct, manifest);
    expect(plan.refusals.flatMap(({ rule, message, fix }) => [`${rule}: ${message}`, fix])).toEqual([
      `foreign-object: tls_edges.e claims the sensitive value of its hostports, but ${id} holds it, which no stack owns`,
      `to adopt it, add \`lifecycle: { adopt: ${id} }\` to tls_edges.e, or use another value`,
    ]);
    expect(JSON.stringify(plan)).not.toContain('hush');
  });

  test('is handed over between secret and plain holders, in a cycle, too', async () => {
    const direct = createDirect();
    const edges = (a: string, b: string, s: string) =>
      load({ tls_edges: { a: { hostports: [a, 'kept.example.com:443'] }, b: { hostports: [b] } } }, { s });
    await settled(direct, edges('${var.s}', 'two.example.com:443', 'one.hush.example.com:443'));
    const { plan } = await settled(direct, edges('two.example.com:443', '${var.s}', 'one.hush.example.com:443'));
    expect(plan.steps.map((step) => step.phase)).toContain('detach');
    expect(JSON.stringify(plan)).not.toContain('hush');
  });
});

const OAUTH = { github: { client_id: 'app', client_secret: '${var.s}' } };
const CREDS = { auth: { creds: { aws_access_key_id: 'AK', aws_secret_access_key: '${var.s}' } }, stream_arn: 'arn:a' };
const destination = (kinesis: JsonObject, ignore: string[], s: string) =>
  load({ event_destinations: { d: { target: { kinesis }, lifecycle: { ignore_changes: ignore } } } }, { s });

/** Modules with a secret: two manifests that differ beside it, what is ignored, and where the secret is. */
const MODULES: readonly {
  readonly name: string;
  readonly manifest: (variant: string, ignore: string[], s: string) => Manifest;
  readonly ignore: string;
  readonly kind: string;
  readonly secret: string;
}[] = [
  {
    name: 'OAuth',
    manifest: (cookie, ignore, s) =>
      route({ oauth: { provider: OAUTH, cookie_prefix: cookie }, lifecycle: { ignore_changes: ignore } }, { s }),
    ignore: 'oauth.provider',
    kind: 'https_edge_route',
    secret: 'oauth.provider.github.client_secret',
  },
  {
    name: 'OpenID Connect',
    manifest: (issuer, ignore, s) =>
      route(
        { oidc: { issuer, client_id: 'a', client_secret: '${var.s}' }, lifecycle: { ignore_changes: ignore } },
        { s },
      ),
    ignore: 'oidc.client_secret',
    kind: 'https_edge_route',
    secret: 'oidc.client_secret',
  },
  {
    name: 'webhooks',
    manifest: (provider, ignore, s) =>
      route({ webhook_verification: { provider, secret: '${var.s}' }, lifecycle: { ignore_changes: ignore } }, { s }),
    ignore: 'webhook_verification.secret',
    kind: 'https_edge_route',
    secret: 'webhook_verification.secret',
  },
  {
    name: 'access keys',
    manifest: (arn, ignore, s) => destination({ ...CREDS, stream_arn: arn }, ignore, s),
    ignore: 'target.kinesis.auth',
    kind: 'event_destination',
    secret: 'target.kinesis.auth.creds.aws_secret_access_key',
  },
];

describe.each(MODULES)('$name beside `ignore_changes`', ({ manifest, ignore, kind, secret }) => {
  test.each(MASKS)('takes a secret that comes back as "%s" from the manifest', async (mask) => {
    const direct = createDirect();
    const service = masking(direct, mask);
    await settled(service, manifest('one', [], 'hush-hush-1'));
    const { plan } = await settled(service, manifest('two', [ignore], 'hush-hush-1'));
    expect(plan.blocked).toEqual([]);
    expect(stored(direct, kind, secret)).toBe('hush-hush-1');
  });

  test('is always the manifest’s when its module is sent', async () => {
    const direct = createDirect();
    if (kind === 'event_destination') return;
    await settled(direct, manifest('one', [], 'hush-hush-1'));
    await settled(direct, manifest('two', [ignore], 'hush-hush-2'));
    expect(stored(direct, kind, secret)).toBe('hush-hush-2');
  });
});

describe.each(MODULES)('$name whose secret is not shown, sent for another difference', ({ manifest, kind, secret }) => {
  const named = ({ plan }: Planned) =>
    changes(plan).flatMap(({ path, before, after }) => (path === secret ? [{ before, after }] : []));
  const mask = { sensitive: true };

  test('is named when it is another one', async () => {
    const direct = createDirect();
    const service = masking(direct);
    await settled(service, manifest('one', [], 'hush-hush-1'));
    expect(named(await settled(service, manifest('two', [], 'hush-hush-2')))).toEqual([{ before: mask, after: mask }]);
    expect(stored(direct, kind, secret)).toBe('hush-hush-2');
  });

  test('is not named when it is the one that was applied, whoever made the difference', async () => {
    const direct = createDirect();
    const service = masking(direct);
    await settled(service, manifest('one', [], 'hush-hush-1'));
    expect(named(await settled(service, manifest('two', [], 'hush-hush-1')))).toEqual([]);
    const [name = ''] = secret.split('.');
    const [two] = direct.store.all().filter((one) => one.kind === kind);
    await settled(service, manifest('three', [], 'hush-hush-1'));
    outside(direct, kind, () => ({ [name]: two!.spec[name]! }));
    expect(named(await settled(service, manifest('three', [], 'hush-hush-1')))).toEqual([]);
  });

  test('is named when nothing says what was applied', async () => {
    const direct = createDirect();
    const service = masking(direct);
    await settled(service, manifest('one', [], 'hush-hush-1'));
    outside(direct, kind, () => ({ metadata: '' }));
    const { id } = direct.store.all().find((one) => one.kind === kind)!;
    const wanted = manifest('two', [], 'hush-hush-2');
    const resources = wanted.resources.map((one) =>
      one.kind === kind ? { ...one, lifecycle: { ...one.lifecycle, pin: { id, by: 'adopt' as const } } } : one,
    );
    expect(named(await settled(service, { ...wanted, resources }))).toEqual([{ before: mask, after: mask }]);
  });
});

describe('a secret that can neither be read nor taken from the manifest', () => {
  const google = { google: { client_id: 'app', client_secret: '${var.s}' } };

  test('goes with a choice that the manifest does not make any more', async () => {
    const direct = createDirect();
    const service = masking(direct);
    await settled(service, route({ oauth: { provider: OAUTH } }, { s: 'hush-hush-1' }));
    const ignoring = { lifecycle: { ignore_changes: ['oauth.provider.github'] } };
    const { plan } = await settled(service, route({ oauth: { provider: google }, ...ignoring }, { s: 'hush-hush-2' }));
    expect(changes(plan).map(({ path, after }) => [path, after])).toContainEqual(['oauth.provider.github', null]);
    expect(Object.keys(stored(direct, 'https_edge_route', 'oauth.provider') as JsonObject)).toEqual(['google']);
  });

  test('blocks the switching off of a module that is sent whole', async () => {
    const direct = createDirect({ disabled: ['module-delete'] });
    const service = masking(direct);
    await settled(
      service,
      route({ webhook_verification: { provider: 'github', secret: '${var.s}' } }, { s: 'hush-hush-1' }),
    );
    const { plan } = await planOn(service, route({}));
    expect(changesIn(plan)).toEqual(['blocked https_edges.e.routes.r webhook_verification.secret']);
    expect(plan.blocked[0]?.fix).toMatch(/`enabled: false`/);
    const off = { webhook_verification: { enabled: false, provider: 'github', secret: '${var.s}' } };
    await settled(service, route(off, { s: 'hush-hush-1' }));
  });

  test('is shown as gone when the manifest replaces it', async () => {
    const direct = createDirect();
    const service = masking(direct);
    await settled(service, route({ oauth: { provider: OAUTH } }, { s: 'hush-hush-1' }));
    const { plan } = await settled(
      service,
      route({ oauth: { provider: { gitlab: { email_domains: ['x.example'] } } } }),
    );
    expect(changes(plan).map((change) => change.path)).toContain('oauth.provider.github');
  });
});

describe('`ignore_changes` on a part of a module', () => {
  test('sends the new secret of the manifest beside live values that are secret, leaf by leaf', async () => {
    const direct = createDirect();
    const block = (ignore: string[]) => ({
      oauth: {
        provider: { github: { client_id: 'app', client_secret: '${var.s}', scopes: ['${var.b}', '${var.a}'] } },
        cookie_prefix: '${var.c}',
      },
      lifecycle: { ignore_changes: ignore },
    });
    const values = { s: 'hush-hush-1', a: 'a-hush-hush', b: 'b-hush-hush', c: 'c-hush-hush' };
    await settled(direct, route(block([]), values));
    outside(direct, 'https_edge_route', ({ oauth }) => ({
      oauth: { ...(oauth as JsonObject), cookie_prefix: 'out-hush-hush' },
    }));
    const next = { ...values, s: 'hush-hush-2', c: 'other-hush-hush' };
    const { plan } = await settled(direct, route(block(['oauth.cookie_prefix']), next));
    const body: JsonObject = plan.steps[0]?.requests[0]?.body ?? {};
    const id = direct.store.all().find((one) => one.kind === 'https_edge_route')!.id;
    const at = (path: string) => ({ sensitive: true, from: `https_edges.e.routes.r#oauth.${path}` });
    expect(body['oauth']).toMatchObject({
      provider: {
        github: {
          client_secret: at('provider.github.client_secret'),
          scopes: [at('provider.github.scopes.0'), at('provider.github.scopes.1')],
        },
      },
      cookie_prefix: { sensitive: true, from: `live:${id}#oauth.cookie_prefix` },
    });
    expect(stored(direct, 'https_edge_route', 'oauth')).toMatchObject({
      cookie_prefix: 'out-hush-hush',
      provider: { github: { client_secret: 'hush-hush-2', scopes: ['b-hush-hush', 'a-hush-hush'] } },
    });
  });
});

test('what was applied as a secret is exported as a variable', async () => {
  const direct = createDirect();
  const block = { description: '${var.s}', ...headers({ 'x-key': '${var.s}', 'x-plain': 'plain' }) };
  await settled(direct, route(block, { s: 'hush-hush-1' }));
  const { files } = exportManifest(await snapshotOf(direct), { of: 'stack', stack: 'shop' });
  const text = files.map((file) => file.text).join('\n');
  expect(text).not.toContain('hush-hush');
  expect(text).toContain('x-plain: plain');
  expect(text.match(/\$\{var\.\w+\}/g)).toHaveLength(2);
});

test('a finding about one live secret is not the finding about the next one', async () => {
  const direct = createDirect();
  const manifest = route(headers({ 'x-key': '${var.s}' }), { s: 'hush-hush-1' });
  await settled(direct, manifest);
  const found = async (live: string) => {
    onRoute(direct, { 'x-key': live });
    const { snapshot } = await planOn(direct, manifest);
    const options = { destroy: false, allowDeletes: 'all', allowLoss: [], targets: [] } as const;
    const input = { manifest, snapshot, service: 'x', options: { ...options, capabilities: direct.capabilities } };
    const { drift } = findDrift(input);
    expect(JSON.stringify(drift)).not.toContain(live);
    return drift.findings.map((finding) => `${finding.cause ?? ''} ${finding.fingerprint}`);
  };
  const [first, again, second] = [await found('live-1'), await found('live-1'), await found('live-2')];
  expect(first).toHaveLength(1);
  expect(again).toEqual(first);
  expect(second).not.toEqual(first);
});
