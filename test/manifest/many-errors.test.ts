// A manifest with more errors than anybody reads: a thousand are told, and that there are more.

import { expect, test } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';

const load = (text: string) =>
  loadManifest({
    files: [{ name: 'edgeform.yaml', text }],
    variables: new Map(),
    env: {},
    readFile: () => ({ diagnostics: [] }),
  });
const manifest = (count: number) =>
  [
    'version: 1',
    'stack: shop',
    'reserved_addrs:',
    ...Array.from({ length: count }, (_, index) => `  a${index}: { regoin: eu, metadata: 5 }`),
    '',
  ].join('\n');

test('a thousand errors in fields are told, and then nothing else of the file is checked', () => {
  const told = load(manifest(5_000)).diagnostics;
  expect(told).toHaveLength(1_001);
  expect(told.filter(({ message }) => message.includes('more than 1000 errors'))).toEqual([
    expect.objectContaining({ fix: 'correct these first' }),
  ]);
  expect(load(manifest(500)).diagnostics).toHaveLength(1_000);
  expect(load(manifest(501)).diagnostics.some(({ message }) => message.includes('more than'))).toBe(true);
});
