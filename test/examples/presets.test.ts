// The example of presets and an overlay, which the documents show: the same manifest with them and written out.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stepsOf } from '../../scripts/docs/blocks.mjs';
import { loadManifest } from '../../src/manifest/load.ts';
import type { Manifest } from '../../src/manifest/manifest.ts';

const FOLDER = fileURLToPath(new URL('../../examples/presets/', import.meta.url));
const PAGE = fileURLToPath(new URL('../../docs/how-to/presets-and-overlays.md', import.meta.url));
const ROUTES = 20;

const fileOf = (name: string) => ({ name, text: readFileSync(`${FOLDER}${name}`, 'utf8') });

function load(name: string, ...overlays: readonly string[]): Manifest {
  const { value, diagnostics } = loadManifest({
    files: [fileOf(name)],
    overlays: overlays.map(fileOf),
    variables: new Map([['github_secret', 'made-up']]),
    env: {},
    readFile: () => ({ diagnostics: [] }),
  });
  expect(diagnostics).toEqual([]);
  if (value === undefined) throw new Error(`${name} cannot be read`);
  return value;
}

/** What a manifest wants, whatever its text. */
const wanted = ({ resources }: Manifest) => Object.fromEntries(resources.map(({ address, spec }) => [address, spec]));
const linesOf = (name: string) => fileOf(name).text.split('\n').length;

test('twenty routes with presets are the twenty routes that are written out, in a quarter of the lines', () => {
  const short = wanted(load('edgeform.yaml'));
  expect(Object.keys(short).filter((address) => address.includes('.routes.'))).toHaveLength(ROUTES);
  expect(short).toEqual(wanted(load('written-out.yaml')));
  expect(linesOf('edgeform.yaml') * 4).toBeLessThan(linesOf('written-out.yaml'));
});

test('the overlay drops a route, adds one and has a hostport of its own', () => {
  const [production, staging] = [wanted(load('edgeform.yaml')), wanted(load('edgeform.yaml', 'staging.yaml'))];
  const differ = [...new Set([...Object.keys(production), ...Object.keys(staging)])].filter(
    (address) => JSON.stringify(production[address]) !== JSON.stringify(staging[address]),
  );
  expect(differ.sort()).toEqual([
    'https_edges.shop',
    'https_edges.shop.routes.beta',
    'https_edges.shop.routes.campaigns',
  ]);
  expect(staging['https_edges.shop']).toMatchObject({ hostports: ['staging.shop.example.com:443'] });
});

test.each(['edgeform.yaml', 'staging.yaml'])('the page shows %s as it is', (name) => {
  const shown = stepsOf(readFileSync(PAGE, 'utf8')).find(({ file }) => file === name);
  expect(shown?.text).toBe(fileOf(name).text.replace(/^#.*\n/, ''));
});
