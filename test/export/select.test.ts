// Which objects an export holds: a table of who owns what, and for each scope what is written and what is mentioned.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { Scope } from '../../src/export/select.ts';
import type { Scenario } from './scenario.ts';
import { exported, loadExport, pending, startScenario } from './scenario.ts';

const by = (stack: string, address: string, more: JsonObject = {}) => ({
  metadata: JSON.stringify({ edgeform: { v: 1, stack, address, applied: {}, ...more } }),
});
const route = (id: string, more: JsonObject = {}) => ({ id, match_type: 'exact_path', match: `/${id}`, ...more });

const SEED: JsonObject = {
  keys: [
    { id: 'ak_1', description: 'free' },
    { id: 'ak_2', ...by('shop', 'api_keys.ci', { protect: true }) },
    { id: 'ak_3', ...by('blog', 'api_keys.ci') },
    { id: 'ak_4', ...by('shop', 'api_keys.ci') },
    { id: 'ak_5', ...by('shop', 'not an address') },
    { id: 'ak_6', description: 'ci' },
  ],
  https_edges: [
    { id: 'edghts_1', routes: [route('edghtsrt_1'), route('edghtsrt_2', by('blog', 'https_edges.x.routes.y'))] },
    {
      id: 'edghts_2',
      ...by('shop', 'https_edges.site'),
      routes: [route('edghtsrt_3'), route('edghtsrt_4', by('shop', 'https_edges.site.routes.a'))],
    },
    {
      id: 'edghts_3',
      ...by('blog', 'https_edges.blog'),
      routes: [route('edghtsrt_5'), route('edghtsrt_6', by('shop', 'https_edges.blog.routes.a'))],
    },
    { id: 'edghts_4', routes: [route('edghtsrt_7', by('shop', 'https_edges.old.routes.a'))] },
  ],
};

let scenario: Scenario;
beforeAll(async () => {
  scenario = await startScenario({ seed: SEED });
});
afterAll(() => scenario.close());

const FREE = ['adopt ak_1', 'adopt ak_6', 'adopt edghts_1', 'adopt edghtsrt_1', 'adopt edghts_4'];
const INSIDE = {
  edghtsrt_2: 'stack blog owns it (https_edges.x.routes.y)',
  edghtsrt_5: 'its parent edghts_3 is not in this export',
};
const OWN = ['own api_keys.ci', 'own https_edges.site', 'own https_edges.site.routes.a'];
const BROKEN = { ak_5: 'its ownership marker is damaged' };
const TWICE = { ak_4: 'ak_2 carries the same address in its marker (api_keys.ci)' };

test.each<[Scope, readonly string[], Readonly<Record<string, string>>]>([
  [
    { of: 'unmanaged', stack: 'imported' },
    FREE,
    {
      ...INSIDE,
      edghtsrt_3: 'its parent edghts_2 is not in this export',
      edghtsrt_7: 'stack shop owns it (https_edges.old.routes.a)',
    },
  ],
  [
    { of: 'stack', stack: 'shop' },
    OWN,
    {
      ...TWICE,
      edghtsrt_3: 'it has no marker',
      ...BROKEN,
      edghtsrt_6:
        'its marker is that of https_edges.blog.routes.a, but it is a child of edghts_3, which the stack does not own',
      edghtsrt_7:
        'its marker is that of https_edges.old.routes.a, but it is a child of edghts_4, which the stack does not own',
    },
  ],
  [
    { of: 'all', stack: 'shop' },
    [...FREE, ...OWN, 'adopt edghtsrt_3', 'adopt edghtsrt_7'],
    {
      ...INSIDE,
      ...TWICE,
      ...BROKEN,
      edghtsrt_6: 'its parent edghts_3 is not in this export',
      ak_3: 'stack blog owns it (api_keys.ci)',
      edghts_3: 'stack blog owns it (https_edges.blog)',
    },
  ],
])('%j', async (scope, written, mentioned) => {
  const made = exported(await scenario.snapshot(), scope);
  const resources = loadExport(made).resources.map(({ address, lifecycle: { pin } }) =>
    pin === undefined ? `own ${address}` : `${pin.by} ${pin.id}`,
  );
  expect(resources.sort()).toEqual([...written].sort());
  expect(Object.fromEntries(made.leftOut.map(({ live, why }) => [live.id, why]))).toEqual(mentioned);
});

test('a protected object stays protected', async () => {
  const manifest = loadExport(exported(await scenario.snapshot(), { of: 'stack', stack: 'shop' }));
  const key = manifest.resources.find(({ address }) => address === 'api_keys.ci');
  expect(key?.lifecycle.preventDestroy).toBe(true);
});

test('adding to a stack that owns something takes none of its names, and says so', async () => {
  const made = exported(await scenario.snapshot(), { of: 'unmanaged', stack: 'shop' });
  expect(made.alreadyOwned).toBe(4);
  expect(made.files[0]?.text).toContain('# Stack shop owns 4 objects outside this export.\n');
  expect(loadExport(made).resources.map(({ address }) => address)).toContain('api_keys.ci-2');
});

test('an object that two markers claim is decided by a person, not by the export', async () => {
  const manifest = loadExport(exported(await scenario.snapshot(), { of: 'stack', stack: 'shop' }));
  expect(pending(await scenario.plan(manifest)).join('\n')).toContain('duplicate-marker');
});

test('a kind that could not be listed is named', async () => {
  const snapshot = {
    ...(await scenario.snapshot()),
    unread: [{ kind: 'https_edge', reason: 'listing is switched off' }],
  };
  expect(exported(snapshot).files[0]?.text).toContain('# HTTPS edge: not exported (listing is switched off).\n');
});
