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

async function holds(manifest: JsonObject): Promise<void> {
  const { code, stdout, stderr } = await rendered(manifest);
  expect(code, stderr).toBe(0);
  expect(formatManifest('a.yaml', stdout)).toEqual({ value: stdout, diagnostics: [] });
  writeFileSync(join(cwd, 'again.yaml'), stdout);
  expect((await run(['render', '-f', 'again.yaml'], { cwd })).stdout).toBe(stdout);
  expect(load(stdout, 'a.yaml').value?.digest).toBe(load(JSON.stringify(manifest)).value?.digest);
}

const manifests = managedKinds.flatMap((kind) =>
  fieldPaths(kind.fields).flatMap((path) =>
    [0, 1].flatMap((variant) => specsWith(kind, path, variant).map((spec) => manifestWith(kind, spec))),
  ),
);
const valid = manifests.filter((one) => load(JSON.stringify(one)).value !== undefined);
const hasSecret = (one: JsonObject) =>
  load(JSON.stringify(one)).diagnostics.some(({ code }) => code === 'literal-secret');

test('every field of every kind', async () => {
  const plain = valid.filter((one) => !hasSecret(one));
  expect(plain.length).toBeGreaterThan(150);
  for (const one of plain) await holds(one);
});

test('a secret in any field is refused, and nothing is printed', async () => {
  const secret = valid.filter(hasSecret);
  expect(secret.length).toBeGreaterThan(10);
  for (const one of secret) {
    const { code, stdout, stderr } = await rendered(one);
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
      if (load(JSON.stringify(manifest)).value === undefined) return;
      taken += 1;
      await holds(manifest);
    }),
    { numRuns: 150 },
  );
  expect(taken).toBeGreaterThan(50);
});
