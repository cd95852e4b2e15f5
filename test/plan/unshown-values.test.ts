// Values that are secret only because a sensitive variable gives them, and that the service does not show: a mask in their
// place is never sent, and the digest tells whether they changed.

import { describe, expect, test } from 'vitest';
import type { WriteClient } from '../../src/service/transport.ts';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { changesIn } from '../support/answers.ts';
import type { Direct } from '../support/in-process.ts';
import { applyOn, createDirect, planOn, snapshotOf } from '../support/in-process.ts';
import { load } from '../support/world.ts';

const SECRET = 'hush-hush-1';
const OTHER = 'hush-hush-2';
const MASK = '********';

/** The same service, with a mask wherever it would show one of the secrets outside of metadata. */
function hiding(direct: Direct, mask = MASK): Direct {
  const hide = (value: Json): Json => {
    if (isList(value)) return value.map(hide);
    if (typeof value === 'string') return [SECRET, OTHER].some((secret) => value.includes(secret)) ? mask : value;
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, key === 'metadata' ? item : hide(item)]),
    );
  };
  const { list, write } = direct.client;
  const get: WriteClient['get'] = async (path) => {
    const found = await direct.client.get(path);
    return found && (hide(found) as JsonObject);
  };
  const client: WriteClient = {
    ...direct.client,
    list: async (path, key) => {
      const found = await list(path, key);
      return { ...found, items: found.items.map((item) => hide(item) as JsonObject) };
    },
    get,
    write: async (request) => hide(await write({ ...request, check: async () => request.check?.(get) })),
  };
  return { ...direct, client };
}

/** The manifest with one sensitive variable of that value. */
function loadWith(content: JsonObject, s: string) {
  return load({ version: 1, stack: 'shop', variables: { s: { sensitive: true, default: s } }, ...content });
}

async function applied(service: Direct, content: JsonObject, s: string) {
  const planned = await planOn(service, loadWith(content, s));
  const results = await applyOn(service, planned);
  expect(results.filter((result) => result.status !== 'done')).toEqual([]);
  expect(changesIn((await planOn(service, loadWith(content, s))).plan)).toEqual([]);
  return planned.plan;
}

interface Case {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly ignores: readonly string[];
  readonly content: (variant: string, ignore: readonly string[]) => JsonObject;
}

const S3 = (s3: JsonObject, ignore: readonly string[]): JsonObject => ({
  event_destinations: { d: { target: { s3 }, lifecycle: { ignore_changes: [...ignore] } } },
});
const ROUTE = (block: JsonObject, ignore: readonly string[]): JsonObject => ({
  https_edges: {
    e: {
      routes: { r: { match_type: 'path_prefix', match: '/', ...block, lifecycle: { ignore_changes: [...ignore] } } },
    },
  },
});

const CASES: readonly Case[] = [
  {
    name: 'a header',
    kind: 'https_edge_route',
    path: 'request_headers.add.x-key',
    ignores: ['request_headers.add', 'request_headers.add.x-key', 'request_headers.add.X-Key'],
    content: (variant, ignore) =>
      ROUTE({ request_headers: { add: { 'X-Key': 'v ${var.s}', 'x-id': 'a' }, remove: [`x-${variant}`] } }, ignore),
  },
  {
    name: 'a header with a dot in its name',
    kind: 'https_edge_route',
    path: 'request_headers.add.x~1key',
    ignores: ['request_headers.add', 'request_headers.add.x.key'],
    content: (variant, ignore) =>
      ROUTE({ request_headers: { add: { 'x.key': '${var.s}', 'x-id': 'a' }, remove: [`x-${variant}`] } }, ignore),
  },
  {
    name: 'an item of a list',
    kind: 'https_edge_route',
    path: 'response_headers.remove',
    ignores: ['response_headers.remove'],
    content: (variant, ignore) =>
      ROUTE({ response_headers: { add: { 'x-id': variant }, remove: ['a', '${var.s}'] } }, ignore),
  },
  {
    name: 'a field of a target that the catalogue does not know',
    kind: 'event_destination',
    path: 'target.s3.secret_key',
    ignores: ['target.s3.secret_key', 'target.s3'],
    content: (variant, ignore) => S3({ object_prefix: variant, secret_key: '${var.s}' }, ignore),
  },
  {
    name: 'one inside of another',
    kind: 'event_destination',
    path: 'target.s3.more.secret_key',
    ignores: ['target.s3.more', 'target.s3.more.secret_key'],
    content: (variant, ignore) => S3({ object_prefix: variant, more: { id: 'a', secret_key: '${var.s}' } }, ignore),
  },
  {
    name: 'a description',
    kind: 'https_edge_route',
    path: 'description',
    ignores: ['description'],
    content: (variant, ignore) => ROUTE({ description: '${var.s}', request_headers: { remove: [variant] } }, ignore),
  },
];

/** The whole object as the service has it. */
function stored(direct: Direct, kind: string): string {
  const { metadata: _, ...spec } = direct.store.all().find((one) => one.kind === kind)!.spec;
  return JSON.stringify(spec);
}

describe.each(CASES)('$name that is secret by its variable', ({ kind, path, ignores, content }) => {
  test('is nothing to do while the digest is that of the manifest, and named when it is not', async () => {
    const direct = createDirect();
    const service = hiding(direct);
    await applied(service, content('one', []), SECRET);
    const beside = await applied(service, content('two', []), SECRET);
    expect(beside.steps.flatMap((step) => step.changes.map((change) => change.path))).not.toContain(path);
    const { steps } = await applied(service, content('two', []), OTHER);
    const mask = { sensitive: true };
    expect(steps.flatMap((step) => step.changes)).toMatchObject([{ path, before: mask, after: mask, cause: 'config' }]);
    expect(stored(direct, kind)).toContain(OTHER);
    expect(stored(direct, kind)).not.toContain(SECRET);
  });

  test.each(ignores)('is never sent as its mask, ignoring %s', async (ignore) => {
    const direct = createDirect();
    const service = hiding(direct);
    await applied(service, content('one', []), SECRET);
    const { blocked, diagnostics } = await applied(service, content('two', [ignore]), SECRET);
    expect(blocked).toEqual([]);
    expect(stored(direct, kind)).toContain(SECRET);
    expect(stored(direct, kind)).not.toContain(MASK);
    if (ignore.startsWith(`${path.split('.')[0] ?? ''}.`) && ignore !== 'target.s3')
      expect(diagnostics.map(({ code }) => code)).toEqual(['secret-sent-again']);
  });

  test('is not sent as its mask by an adoption that ignores it', async () => {
    const direct = createDirect();
    const service = hiding(direct);
    await applied(service, content('one', []), SECRET);
    const object = direct.store.all().find((one) => one.kind === kind)!;
    direct.store.put({ ...object, spec: { ...object.spec, metadata: '' } });
    const text = JSON.stringify(content('two', ignores.slice(0, 1)));
    const adopting = text.replace('"ignore_changes"', `"adopt":${JSON.stringify(object.id)},"ignore_changes"`);
    await applied(service, JSON.parse(adopting) as JsonObject, SECRET);
    expect(stored(direct, kind)).toContain(SECRET);
    expect(stored(direct, kind)).not.toContain(MASK);
  });
});

test('what the manifest has no value for is blocked, and not sent as its mask', async () => {
  const direct = createDirect();
  const service = hiding(direct);
  const [{ content }] = CASES as [Case];
  await applied(service, content('one', []), SECRET);
  const without = ROUTE({ request_headers: { add: { 'x-id': 'a' }, remove: ['x-two'] } }, ['request_headers.add']);
  const { plan } = await planOn(service, loadWith(without, SECRET));
  expect(changesIn(plan)).toEqual(['blocked https_edges.e.routes.r request_headers.add.x-key']);
});

const HEADER = (text: string): JsonObject => ({ request_headers: { add: { 'X-Key': text, 'x-id': 'a' } } });
const LIST = (text: string): JsonObject => ({ response_headers: { remove: ['a', text] } });

/** The changes that are planned after somebody wrote another text in place of the one of the manifest. */
async function changesAfter(block: (text: string) => JsonObject, given: string, live: string) {
  const direct = createDirect();
  const content = ROUTE(block(given), []);
  await applied(direct, content, SECRET);
  const object = direct.store.all().find((one) => one.kind === 'https_edge_route')!;
  const wanted = JSON.stringify(given.replace('${var.s}', SECRET));
  const spec = JSON.parse(JSON.stringify(object.spec).replace(wanted, JSON.stringify(live))) as JsonObject;
  expect(spec).not.toEqual(object.spec);
  direct.store.put({ ...object, spec });
  const { plan } = await planOn(direct, loadWith(content, SECRET));
  return plan.steps.flatMap((step) => step.changes).map(({ cause }) => cause);
}

const DESCRIPTION = (description: string): JsonObject => ({ description });

test.each([
  ['a description that was emptied', DESCRIPTION, '${var.s}', ''],
  ['a description that is cut as that of the manifest is', DESCRIPTION, 'wait... ${var.s}', 'evil... thing'],
  ['a header that was emptied', HEADER, '${var.s}', ''],
  ['a header that is cut as that of the manifest is', HEADER, 'a ${var.s} ...', 'evil ... thing'],
  ['a header with a word of a mask in front', HEADER, '${var.s}', 'encrypted-by-attacker'],
  ['an item that is cut as that of the manifest is', LIST, 'x-${var.s}...', 'evil...'],
])('%s is drift, not a mask', async (_, block, given, live) => {
  expect(await changesAfter(block, given, live)).toEqual(['drift']);
});

test.each([
  [DESCRIPTION, 'wait... ${var.s}', MASK],
  [HEADER, 'a ${var.s} ...', '<redacted>'],
  [HEADER, '${var.s}', 'redacted (12 characters)'],
  [HEADER, '*** ${var.s}', 'hush...'],
])('a mask of another form than the manifest has is one (%#)', async (block, given, live) => {
  expect(await changesAfter(block, given, live)).toEqual([]);
});

test('also where the marker alone says so, as for an export', async () => {
  const direct = createDirect();
  const service = hiding(direct);
  const header = { request_headers: { add: { 'x-key': '${var.s}' } } };
  await applied(service, ROUTE(header, []), SECRET);
  const { resources } = await snapshotOf(service);
  const route = resources.find(({ parentId }) => parentId !== undefined);
  expect(route?.writeOnly).toEqual(['request_headers.add.x-key']);
});
