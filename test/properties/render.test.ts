// render, for every field of every kind and for text of every form: what it prints is in the form of `fmt`, is printed again as it
// is, and means the same. A manifest with a secret in it is refused, and not one character of it is printed.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { loadManifest } from '../../src/manifest/load.ts';
import { formatManifest } from '../../src/manifest/text/format.ts';
import { folder } from '../support/cli.ts';
import { byTurns, IS_FULL } from '../support/full.ts';
import { run } from '../support/host.ts';
import { fieldPaths, manifestWith, specsWith } from '../support/samples.ts';

const load = (text: string, name = 'a.json') =>
  loadManifest({
    files: [{ name, text }],
    variables: new Map(),
    env: {},
    mayLackValues: true,
    readFile: () => ({ value: 'text', diagnostics: [] }),
  });
const cwd = folder({});

/** Renders a manifest that is given as JSON. */
async function rendered(manifest: JsonObject) {
  writeFileSync(join(cwd, 'm.json'), JSON.stringify(manifest));
  return run(['render', '-f', 'm.json'], { cwd });
}

/** `digest` is that of the manifest as it is given. */
async function holds(manifest: JsonObject, digest: string | undefined): Promise<void> {
  const { code, stdout, stderr } = await rendered(manifest);
  expect(code, stderr).toBe(0);
  expect(formatManifest('a.yaml', stdout)).toEqual({ value: stdout, diagnostics: [] });
  writeFileSync(join(cwd, 'again.yaml'), stdout);
  expect((await run(['render', '-f', 'again.yaml'], { cwd })).stdout).toBe(stdout);
  expect(load(stdout, 'a.yaml').value?.digest).toBe(digest);
}

/** Manifests that have each field, with one of two values by turns. */
const manifests = managedKinds.flatMap((kind) =>
  fieldPaths(kind.fields).flatMap((path, turn) =>
    byTurns([0, 1], turn, 2).flatMap((variant) =>
      specsWith(kind, path, variant).map((spec) => manifestWith(kind, spec)),
    ),
  ),
);
const valid = manifests.flatMap((manifest) => {
  const { value, diagnostics } = load(JSON.stringify(manifest));
  const hasSecret = diagnostics.some(({ code }) => code === 'literal-secret');
  return value === undefined ? [] : [{ manifest, digest: value.digest, hasSecret }];
});

test('every field of every kind', async () => {
  const plain = valid.filter(({ hasSecret }) => !hasSecret);
  expect(plain.length).toBeGreaterThan(150);
  for (const { manifest, digest } of plain) await holds(manifest, digest);
});

test('a secret in any field is refused, and nothing is printed', async () => {
  const secret = valid.filter(({ hasSecret }) => hasSecret);
  expect(secret.length).toBeGreaterThan(10);
  for (const { manifest } of secret) {
    const { code, stdout, stderr } = await rendered(manifest);
    expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining('[literal-secret]')]);
  }
});

test('text of any form, as values and as names', async () => {
  let taken = 0;
  const odd = fc.constantFrom(
    'a',
    ' ',
    '\n',
    ':',
    '#',
    '"',
    "'",
    '- ',
    '%',
    '@',
    '\\',
    'é',
    '1e3',
    'true',
    'null',
    '~',
    '|',
    '>',
    '&',
    '*',
    '!',
    '? ',
  );
  const text = fc.array(odd, { maxLength: 12 }).map((parts) => parts.join(''));
  await fc.assert(
    fc.asyncProperty(text, text, fc.array(text, { maxLength: 4 }), async (first, second, list) => {
      const manifest = {
        version: 1,
        stack: 'shop',
        variables: { v: { default: first.replaceAll('${', ''), description: second }, list: { default: list } },
        reserved_addrs: { true: { metadata: first }, 'a-b': { description: second.trim() } },
        https_edges: {
          site: {
            routes: {
              r: {
                match_type: 'path_prefix',
                match: '/',
                request_headers: { add: { 'x-a': `a${second.replaceAll('\n', '').trim()}` } },
              },
            },
          },
        },
        outputs: { _1: second },
      };
      const { value } = load(JSON.stringify(manifest));
      if (value === undefined) return;
      taken += 1;
      await holds(manifest, value.digest);
    }),
    { numRuns: IS_FULL ? 600 : 100 },
  );
  expect(taken).toBeGreaterThan(30);
});
