// Values that nobody uses, and that are still secrets: the filter knows them.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { beginRun } from '../../src/platform/filter.ts';
import { knownSecrets } from '../../src/core/secrets/known.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { kindByName, managedKinds } from '../../src/catalog/lookup.ts';
import { nameAll } from '../../src/export/names.ts';
import { receive } from '../../src/resource/receive.ts';
import { loadManifest } from '../../src/manifest/load.ts';

let run: ReturnType<typeof beginRun>;
beforeEach(() => {
  run = beginRun();
});
afterEach(() => {
  run.end();
});

test('every value that a sensitive variable was given is known, not only the one that counts', () => {
  const text =
    'version: 1\nstack: shop\nvariables: { pw: { sensitive: true, default: probe-default }, plain: { default: no-secret } }\n';
  loadManifest({
    files: [{ name: 'edgeform.yaml', text }],
    variables: new Map([['pw', 'probe-given']]),
    env: { EDGEFORM_VAR_pw: 'probe-of-env' },
    readFile: () => ({ diagnostics: [] }),
  });
  expect(knownSecrets.mask('probe-given probe-of-env probe-default no-secret')).toBe(
    '(sensitive) (sensitive) (sensitive) no-secret',
  );
});

test.each([
  ['whose secrecy is no word', 'variables: { pw: { sensitive: yess } }', ''],
  ['whose secrecy cannot be read', 'variables: { pw: { sensitive: {{ x }} } }', ''],
  ['whose declaration cannot be read', 'variables: { pw: *x }', ''],
  ['that is sure to be none', 'variables: { pw: { sensitive: false } }', 'probe-of-env'],
  ['that nobody declares', 'variables: {}', 'probe-of-env'],
])('the value of a variable %s', (_, section, shown) => {
  loadManifest({
    files: [{ name: 'edgeform.yaml', text: `version: 1\nstack: shop\n${section}\n` }],
    variables: new Map(),
    env: { EDGEFORM_VAR_pw: 'probe-of-env', HOME: '/home/of-somebody' },
    readFile: () => ({ diagnostics: [] }),
  });
  expect(knownSecrets.mask('probe-of-env /home/of-somebody')).toBe(`${shown || '(sensitive)'} /home/of-somebody`);
});

test('a secret that the service shows and that is never read is known', () => {
  const found = managedKinds.flatMap((kind) =>
    Object.entries(kind.fields).flatMap(([name, field]) =>
      field.sensitive && field.write === 'never' ? [{ kind, name }] : [],
    ),
  );
  expect(found.length).toBeGreaterThan(0);
  for (const { kind, name } of found) {
    const live = receive(kind, { id: `${kind.idPrefix}1`, [name]: `probe-live-${kind.name}`, metadata: '' });
    expect(JSON.stringify(live)).not.toContain('probe');
    expect(knownSecrets.mask(`x probe-live-${kind.name} y`)).toBe('x (sensitive) y');
  }
});

test('no half of a secret is left in an id that no object can have', () => {
  const secret = new Secret('S3cr3tValue42X').reveal();
  for (const kind of managedKinds)
    for (let length = 80; length < 100; length++) {
      const id = `${'x'.repeat(length)}${secret}${'y'.repeat(20)}`;
      expect(knownSecrets.mask(messageOf(() => receive(kind, { id })))).not.toMatch(/s3cr|2X/i);
    }
});

test('a text that spells a secret is no name for what is exported', () => {
  const secret = new Secret('S3cr3tValue42X').reveal();
  for (const kind of managedKinds) {
    const live = receive(kind, { id: `${kind.idPrefix}1`, description: `the ${secret}`, metadata: '' }, 'above');
    expect([...nameAll([live], new Set()).values()].join()).not.toMatch(/s3cr/i);
  }
});

test('what an object is called elsewhere is no name either, and neither is its id; then its kind is', () => {
  const secret = new Secret('s3cr3t_value42x').reveal();
  for (const kind of managedKinds) {
    const live = receive(kind, { id: `${kind.idPrefix}${secret}`, metadata: '' }, 'above');
    const [address] = nameAll([live], new Set(), new Map([[live.id, `my-${secret}`]])).values();
    expect(address?.split('.').at(-1)).toBe(kind.name);
  }
});

test('every secret that the catalogue names is known from the moment it is received, whoever owns its object', () => {
  const live = receive(kindByName('https_edge_route'), {
    id: 'edghtsrt_1',
    match_type: 'exact_path',
    match: '/',
    webhook_verification: { provider: 'github', secret: 'probe-of-somebody' },
    metadata: '{"edgeform":{"v":1,"stack":"other","address":"https_edges.a.routes.b","applied":{}}}',
  });
  expect(JSON.stringify(live)).not.toContain('probe');
  expect(knownSecrets.mask('x probe-of-somebody y')).toBe('x (sensitive) y');
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return String(error);
  }
  throw new Error('it did not fail');
}
