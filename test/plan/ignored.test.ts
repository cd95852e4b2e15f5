// What `ignore_changes` leaves alone: the live value where there is one to leave, and what the manifest says where not.

import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { Field } from '../../src/catalog/field.ts';
import { parsePath, valueAt } from '../../src/core/value.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { readMarker, writeMarker } from '../../src/resource/marker/marker-codec.ts';
import { effectiveSpec } from '../../src/resource/carry.ts';
import { diffResource, valueToSend } from '../../src/resource/diff.ts';
import { changesIn } from '../support/answers.ts';
import { applyOn, createDirect, driftOn, planOn, snapshotOf } from '../support/in-process.ts';
import { fieldPaths, specsWith, without } from '../support/samples.ts';
import { load } from '../support/world.ts';

const nested = managedKinds.flatMap((kind) =>
  fieldPaths(kind.fields)
    .filter(({ path }) => path.length > 1)
    .map((target) => [`${kind.name} ${target.path.join('.')}`, kind, target] as const),
);

describe('what is ignored inside something that the object does not have', () => {
  test.each(nested)('%s comes from the manifest, as in a creation', (_, kind, target) => {
    const ignored = target.path.join('.');
    const holders = target.path.slice(1).map((_name, index) => target.path.slice(0, index + 1));
    for (const desired of specsWith(kind, target, 0)) {
      for (const holder of holders) {
        const live = { spec: without(desired, holder), writeOnly: [] };
        expect(effectiveSpec(kind, desired, live, [ignored])).toEqual(desired);
        const [top = ''] = target.path;
        const sent = diffResource(kind, desired, live, [ignored]).filter(({ name }) => name === top);
        for (const diff of sent) expect(valueToSend(diff)).toEqual(desired[top]);
        if (holder.length === 1) expect(sent).toHaveLength(1);
      }
    }
  });

  test.each(nested)('%s stays as it is where its holder is there', (_, kind, target) => {
    const [holder] = target.chain.slice(-2);
    if ((holder?.type === 'object' && holder.exactlyOne) || target.field.sensitive) return;
    const [desired = {}] = specsWith(kind, target, 0);
    const live: JsonObject = without(desired, target.path);
    expect(effectiveSpec(kind, desired, { spec: live, writeOnly: [] }, [target.path.join('.')])).toEqual(live);
  });

  test.each(nested)('%s comes from the manifest when the object has made another choice', (_, kind, target) => {
    const above = target.chain.findIndex((field) => field.type === 'object' && field.exactlyOne === true);
    if (above === -1 || above === target.path.length - 1) return;
    const [desired = {}] = specsWith(kind, target, 0);
    const chosen = target.path.slice(0, above + 2);
    const live = { spec: without(desired, chosen), writeOnly: [] };
    expect(effectiveSpec(kind, desired, live, [target.path.join('.')])).toEqual(desired);
  });
});

const maps = managedKinds.flatMap((kind) =>
  fieldPaths(kind.fields)
    .filter(({ field }) => field.type === 'map')
    .map((target) => [`${kind.name} ${target.path.join('.')}`, kind, target] as const),
);

function withAt(spec: JsonObject, [head = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = spec[head];
  return { ...spec, [head]: rest.length === 0 ? value : withAt(isObject(inner) ? inner : {}, rest, value) };
}

describe.each(maps)('one key of %s that is ignored', (_, kind, target) => {
  const [given = {}] = specsWith(kind, target, 0);
  const spec = (map: JsonObject | undefined) =>
    map === undefined ? without(given, target.path) : withAt(given, target.path, map);
  const ignore = [`${target.path.join('.')}.X-A.b`];

  /** What is sent of the map for `wanted` beside `live`, and which paths differ. */
  function outcome(wanted: JsonObject | undefined, live: JsonObject | undefined) {
    const side = { spec: spec(live), writeOnly: [] };
    const sent = effectiveSpec(kind, spec(wanted), side, ignore);
    const differing = diffResource(kind, spec(wanted), side, ignore).flatMap(({ differences }) => differences);
    return { sent: valueAt(sent, parsePath(target.path.join('.'))), differs: differing.length > 0 };
  }

  test.each([
    ['is as it is live', { 'x-a.b': 'ours', other: '1' }, { 'x-a.b': 'theirs', other: '1' }, false],
    ['whatever its case in the manifest', { 'X-A.B': 'ours', other: '1' }, { 'x-a.b': 'theirs', other: '1' }, false],
    ['is kept where only the service has it', { other: '1' }, { 'x-a.b': 'theirs', other: '1' }, false],
    ['is kept where the manifest has no map', undefined, { 'x-a.b': 'theirs' }, false],
    ['stays away where the live map has none', { 'x-a.b': 'ours', other: '1' }, { other: '1' }, false],
    [
      'is sent beside another one that changes',
      { 'x-a.b': 'ours', other: '2' },
      { 'x-a.b': 'theirs', other: '1' },
      true,
    ],
    ['is kept while another one goes', {}, { 'x-a.b': 'theirs', other: '1' }, true],
  ] as const)('%s', (_case, wanted, live, differs) => {
    const kept = Object.entries(wanted ?? {}).filter(([name]) => name.toLowerCase() !== 'x-a.b');
    const theirs = 'x-a.b' in live ? { 'x-a.b': live['x-a.b'] } : {};
    expect(outcome(wanted, live)).toEqual({ sent: { ...Object.fromEntries(kept), ...theirs }, differs });
  });

  test('comes from the manifest where its holder is not there', () => {
    const wanted = spec({ 'x-a.b': 'ours' });
    const live = { spec: without(wanted, target.path.slice(0, 1)), writeOnly: [] };
    expect(effectiveSpec(kind, wanted, live, ignore)).toEqual(wanted);
  });
});

test('an ignored header is left alone, is no drift, and goes along when the module is sent', async () => {
  const manifest = (add: JsonObject) =>
    load({
      version: 1,
      stack: 'shop',
      https_edges: {
        a: {
          routes: {
            r: {
              match_type: 'exact_path',
              match: '/',
              request_headers: { add },
              lifecycle: { ignore_changes: ['request_headers.add.x-a', 'request_headers.add.x-new'] },
            },
          },
        },
      },
    });
  const direct = createDirect();
  await applyOn(direct, await planOn(direct, manifest({ 'X-A': 'ours', 'x-b': '1' })));
  const live = direct.store.all().find(({ spec }) => spec['request_headers'] !== undefined);
  if (live === undefined) throw new Error('no route');
  const change = (add: JsonObject) => {
    const current = direct.store.get(live.id) ?? live;
    direct.store.put({ ...current, spec: { ...current.spec, request_headers: { add } } });
  };
  change({ 'x-a': 'theirs', 'x-b': '1', 'x-new': 'theirs' });
  expect(changesIn((await planOn(direct, manifest({ 'X-A': 'ours', 'x-b': '1' }))).plan)).toEqual([]);
  expect((await driftOn(direct, manifest({ 'X-A': 'ours', 'x-b': '1' }))).drifted).toBe(false);

  const planned = await planOn(direct, manifest({ 'X-A': 'ours', 'x-b': '2' }));
  expect(planned.plan.steps.flatMap(({ changes }) => changes)).toEqual([
    {
      path: 'request_headers.add',
      before: { 'x-a': 'theirs', 'x-b': '1', 'x-new': 'theirs' },
      after: { 'x-a': 'theirs', 'x-b': '2', 'x-new': 'theirs' },
      effect: 'replace-module',
      cause: 'config',
      sensitive: false,
    },
  ]);
  await applyOn(direct, planned);
  expect(direct.store.get(live.id)?.spec['request_headers']).toEqual({
    add: { 'x-a': 'theirs', 'x-b': '2', 'x-new': 'theirs' },
  });
  expect(changesIn((await planOn(direct, manifest({ 'X-A': 'ours', 'x-b': '2' }))).plan)).toEqual([]);

  change({ 'x-a': 'theirs', 'x-b': '3' });
  const drift = await driftOn(direct, manifest({ 'X-A': 'ours', 'x-b': '2' }));
  expect(drift.findings.map(({ cause }) => cause)).toEqual(['drift']);
});

test.each([
  [
    'a part of a module',
    'tls_termination',
    'tls_termination.min_version',
    (v: string) => ({ terminate_at: 'edge', min_version: v }),
  ],
  ['a module', 'tls_termination', 'tls_termination', (v: string) => ({ terminate_at: 'edge', min_version: v })],
  ['a text', 'description', 'description', (v: string) => v],
])('%s that was ignored when the manifest changed it: nobody else did', async (_, name, path, valueOf) => {
  const manifest = (value: string, protect: boolean, ignore: readonly string[]) =>
    load({
      version: 1,
      stack: 'shop',
      tls_edges: { a: { [name]: valueOf(value), lifecycle: { ignore_changes: ignore, prevent_destroy: protect } } },
    });
  const direct = createDirect();
  await applyOn(direct, await planOn(direct, manifest('1.2', false, [path])));
  expect((await planOn(direct, manifest('1.3', false, [path]))).plan.steps).toEqual([]);
  // Also when the marker is written for another reason.
  await applyOn(direct, await planOn(direct, manifest('1.3', true, [path])));
  const { drifted, pending } = await driftOn(direct, manifest('1.3', true, []));
  expect([drifted, pending.map(({ address }) => address)]).toEqual([false, ['tls_edges.a']]);
});

const KEYS = ['one', 'two'].map(
  (name) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDEc4yW5jq1FJZ3H7bGfTzUe1oN1g0xq2mM8fHf3c${name}`,
);

/** Two blocks, the second of which needs a new object, and what somebody else changed in between, which is ignored. */
const REPLACED: readonly {
  readonly section: string;
  readonly blocks: readonly [JsonObject, JsonObject];
  readonly outside: JsonObject;
  readonly text?: string;
}[] = [
  {
    section: 'ssh_credentials',
    blocks: [{ public_key: KEYS[0] ?? '' }, { public_key: KEYS[1] ?? '', acl: ['bind:other.example.com'] }],
    outside: { acl: ['bind:only.example.com'] },
  },
  {
    section: 'ssh_credentials',
    blocks: [{ public_key: KEYS[0] ?? '' }, { public_key: KEYS[1] ?? '' }],
    outside: { acl: ['bind:only.example.com'], description: 'precious' },
  },
  {
    section: 'reserved_addrs',
    blocks: [{ region: 'eu' }, { region: 'us', description: 'of the manifest', metadata: 'of the manifest' }],
    outside: { description: 'precious' },
    text: 'kept by others, ${as.it.is}',
  },
];

describe.each(REPLACED)('a replacement in $section', ({ section, blocks, outside, text }) => {
  const ignored = [...Object.keys(outside), ...(text === undefined ? [] : [METADATA])];
  const manifest = (block: JsonObject) =>
    load({ version: 1, stack: 'shop', [section]: { a: { ...block, lifecycle: { ignore_changes: ignored } } } });

  test('takes what is ignored over from the old object, and nothing is left to do', async () => {
    const direct = createDirect();
    const apply = async (block: JsonObject) => {
      const planned = await planOn(direct, manifest(block));
      const results = await applyOn(direct, planned);
      expect(results.filter(({ status }) => status !== 'done')).toEqual([]);
      expect(changesIn((await planOn(direct, manifest(block))).plan)).toEqual([]);
      return planned.plan;
    };
    await apply(blocks[0]);
    for (const old of direct.store.all()) {
      const metadata = beside(text ?? '', String(old.spec[METADATA]));
      direct.store.put({ ...old, spec: { ...old.spec, ...outside, [METADATA]: metadata } });
    }
    const plan = await apply(blocks[1]);
    expect(plan.steps.map(({ action, phase }) => `${action} ${phase ?? ''}`)).toEqual([
      'replace create',
      'replace delete',
    ]);
    expect(plan.steps.flatMap(({ changes }) => changes.map(({ path }) => path))).not.toContain(ignored[0]);
    const [made, ...others] = (await snapshotOf(direct)).resources;
    expect(others).toEqual([]);
    expect(made).toMatchObject({ spec: outside, userMetadata: text ?? '' });
  });
});

/** The metadata with a text of somebody else. */
function beside(text: string, metadata: string): string {
  const { marker } = readMarker(metadata);
  if (marker === undefined) throw new Error(metadata);
  return writeMarker(text, marker);
}

test('what replaces an object of the catalogue never lacks an ignored secret that cannot be read', () => {
  // A choice that needs a new object is not ignored when it changes, and the new choice comes from the manifest.
  const isHidden = ({ field }: { field: Field }) => field.sensitive === true && field.read === 'masked';
  const found = managedKinds.flatMap(({ name, fields }) => {
    const paths = fieldPaths(fields);
    if (!paths.some(({ field }) => field.write === 'create')) return [];
    return paths.filter(isHidden).map(({ path }) => `${name} ${path.join('.')}`);
  });
  expect(found).toEqual([]);
});
