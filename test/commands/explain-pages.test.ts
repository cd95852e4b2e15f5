// explain: lines fit the terminal, nothing lists what there is, and keys of the manifest itself are known, as in the docs.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { run } from '../support/host.ts';

const REUSE = ['presets', 'preset', 'without'];
const OWN_KEYS = ['version', 'stack', 'variables', 'outputs', 'moved', 'removed', 'lifecycle', ...REUSE];

const explain = async (path?: string, columns = 100) =>
  run(['explain', ...(path === undefined ? [] : [path])], { cwd: '/', env: {}, columns });

test.each([60, 80, 120])('pages fit %i columns', async (columns) => {
  const pages: string[] = [];
  for (const path of [
    undefined,
    'https_edges',
    'https_edges.routes.oauth.provider',
    'event_destinations',
    'lifecycle',
    ...REUSE,
    'overlay',
  ])
    pages.push((await explain(path, columns)).stdout);
  const page = pages.join('\n');
  // Only a word that is longer than what is left of a line may stand out.
  const long = page.split('\n').filter((line) => line.length > columns && /\S\s+\S+\s+\S/.test(line));
  expect(long).toEqual([]);
  await expect(page).toMatchFileSnapshot(`golden/explain-${columns}.txt`);
});

test('asked for nothing it lists the kinds and the keys of the manifest', async () => {
  const { code, stdout } = await explain();
  expect(code).toBe(0);
  for (const name of ['reserved_addrs', 'https_edges', 'https_edges.routes', ...OWN_KEYS])
    expect(stdout).toMatch(new RegExp(`^ {2}${name.replace('.', '\\.')} +\\S`, 'm'));
  expect(stdout).not.toContain('application_sessions');
});

test.each([
  ['lifecycle', /^ {2}prevent_destroy +boolean/m],
  ['lifecycle.on_immutable_change', /one of replace, refuse/],
  ['https_edges.routes.lifecycle.adopt', /limit: an id: a prefix such as edghtsrt_/],
  ['moved', /^ {2}from +string or object \(required\)/m],
  ['moved.from', /^ {2}stack +string \(required\)/m],
  ['removed.destroy', /without deleting/],
  ['variables.sensitive', /boolean/],
  ['variables.NAME.default', /: string, number, boolean or list of string, number or boolean/],
  ['preset', /^preset: string or list of string\n/],
  ['overlay', /^ {2}without +list of string/m],
  ['outputs', /example: /],
  ['stack', /limit: lower-case letters/],
  ['version', /always 1/],
  ['https_edges.NAME.routes.NAME.oauth', /^https_edges\.routes\.oauth: module/m],
  ['event_subscriptions.sources[].type', /^event_subscriptions\.sources\.type: string/m],
])('%s', async (path, pattern) => {
  const { code, stdout } = await explain(path);
  expect(code).toBe(0);
  expect(stdout).toMatch(pattern);
});

test.each([
  ['lifecycl', 'lifecycle'],
  ['lifecycle.adpot', 'adopt'],
  ['tls_edges.lifecycle.adpot', 'adopt'],
  ['tls_edges.lifecycl', 'lifecycle'],
  ['removed.destory', 'destroy'],
  ['removed.destroy.x', undefined],
])('%s is a usage error', async (path, near) => {
  const { code, stderr } = await explain(path);
  expect(code).toBe(64);
  expect(stderr).toContain(near === undefined ? 'there are no fields inside it' : `did you mean "${near}"?`);
});

test('the reference has the same keys', () => {
  const page = readFileSync(new URL('../../docs/reference.md', import.meta.url), 'utf8');
  for (const path of [...OWN_KEYS, 'lifecycle.ignore_changes', 'moved[].from', 'variables.NAME.default'])
    expect(page, path).toContain(`- **\`${path}\`**: `);
});
