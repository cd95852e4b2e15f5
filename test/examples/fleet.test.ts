// The example of a fleet: from nothing to an empty plan, with drift; and what its page says.

import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { loadEntry, readFleet } from '../../src/fleet/load-entry.ts';
import { withoutSharedPresets } from '../../src/fleet/shared-presets.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';
import { filesBelow } from '../../src/platform/read.ts';
import { validateFleetDocument } from '../../src/schema/validate-fleet.ts';
import { validateManifestDocument } from '../../src/schema/validate.ts';
import { applyFleet, createPlace, destroyFleet, driftFleet, holderOf, outcomes, planFleet } from '../fleet/place.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/fleet', import.meta.url));

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'fleet-'));
  cpSync(EXAMPLE, cwd, { recursive: true });
});

async function manifests(): Promise<Readonly<Record<string, Manifest>>> {
  const { value, diagnostics } = readFleet('edgeform.fleet.yaml', { cwd, env: {} });
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  const loaded = await Promise.all(
    value.entries.map((entry) => loadEntry(entry, value, { cwd, env: {}, variables: new Map() })),
  );
  expect(withoutSharedPresets(loaded).flatMap((one) => one.diagnostics)).toEqual([]);
  return Object.fromEntries(loaded.flatMap(({ entry, manifest }) => (manifest ? [[entry.name, manifest]] : [])));
}

const all = (stacks: object, what: string) => Object.fromEntries(Object.keys(stacks).map((name) => [name, what]));

test('it is created, planned empty, drifts, is put right, and is destroyed', async () => {
  const place = createPlace();
  const stacks = await manifests();
  expect(outcomes(await applyFleet(place.fleet(stacks)))).toEqual(all(stacks, 'done'));
  expect(outcomes(await planFleet(place.fleet(stacks)))).toEqual(all(stacks, ''));

  const [id = ''] = holderOf(place, 'blog.example.com:443');
  expect(place.direct.ask('PATCH', `/edges/https/${id}`, { description: 'by hand' }).status).toBe(200);
  const drifted = await driftFleet(place.fleet(stacks));
  const found = drifted.flatMap((one) =>
    one.is === 'drift' ? one.drift.drift.findings.map(({ address }) => [one.name, address]) : [one.is],
  );
  expect(found).toEqual([['blog-prod', 'https_edges.site']]);
  expect(outcomes(await applyFleet(place.fleet(stacks)))).toEqual(all(stacks, 'done'));
  expect(outcomes(await planFleet(place.fleet(stacks)))).toEqual(all(stacks, ''));

  expect(outcomes(await destroyFleet(place.fleet(stacks)))).toEqual(all(stacks, 'done'));
  expect(place.direct.store.all()).toEqual([]);
});

test('production has what its overlay lays over the presets of all teams', async () => {
  const stacks = await manifests();
  expect(Object.keys(stacks)).toEqual([
    'network-prod',
    'blog-prod',
    'partners-prod',
    'shop-prod',
    'network-staging',
    'blog-staging',
    'partners-staging',
    'shop-staging',
  ]);
  const modulesOf = (name: string) =>
    Object.keys(stacks[name]?.resources.find(({ address }) => address === 'https_edges.site.routes.root')?.spec ?? {});
  const shared = ['match_type', 'match', 'compression', 'response_headers'];
  expect(modulesOf('shop-staging').sort()).toEqual([...shared, 'backend'].sort());
  expect(modulesOf('shop-prod').sort()).toEqual([...shared, 'backend', 'circuit_breaker'].sort());
});

describe('docs/fleets.md', () => {
  const blocks = (path: string, language: string) =>
    [...readFileSync(new URL(`../../docs/${path}`, import.meta.url), 'utf8').matchAll(/^```(\w+)\n(.*?)^```/gms)]
      .filter(([, given]) => given === language)
      .map(([, , text = '']) => text);

  test('its fleet files and manifests are valid', () => {
    for (const text of blocks('fleets.md', 'yaml')) {
      const isFleet = text.includes('stacks:');
      const validate = isFleet ? validateFleetDocument : validateManifestDocument;
      expect(validate(parseYaml(text) as never), text).toEqual([]);
    }
  });
});

test('every manifest and the fleet file begin with the schema line of editors', () => {
  const files = filesBelow(EXAMPLE, 100).filter((path) => path.endsWith('.yaml') && !path.includes('kubernetes'));
  expect(files).toHaveLength(7);
  for (const file of files)
    expect(readFileSync(file, 'utf8').split('\n')[0]).toMatch(
      /^# yaml-language-server: \$schema=(\.\.\/)+schemas\/(?:manifest|fleet|overlay)\.schema\.json$/,
    );
});
