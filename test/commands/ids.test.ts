// Ids from everywhere: one that could change a path is refused where it comes in, and no request is made of it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { encodeJournal } from '../../src/journal/entry.ts';
import { usePlace } from '../support/place.ts';

/** What follows a prefix: each would make another request, or another line, of it. */
const SUFFIXES = ['1/../../../api_keys/ak_1?x=', '1/..', '1?x', '1#x', '1%2f..', '1\\..', '1 2', '1\u0085', '1é'];

const manifest = (text: string) => `version: 1\nstack: shop\n${text}`;
const place = usePlace({ 'edgeform.yaml': manifest('') });

const write = (text: string, name = 'edgeform.yaml') => {
  writeFileSync(join(place.cwd, name), manifest(text));
};
const { run } = place;

/** The journal of a run that found this id for `https_edges.a`. */
function writeJournal(id: string): void {
  const service = `${place.emulator.url}/`;
  const begin = { v: 2, run: 'r', stack: 'shop', service, at: '2026-01-02T03:04:05.678Z' } as const;
  const { text } = encodeJournal([
    { type: 'begin', ...begin },
    { type: 'resolved', address: 'https_edges.a', as: { id } },
    { type: 'end', run: 'r', result: '0' },
  ]);
  place.write(text, 'journal');
}

describe.each(SUFFIXES)('an id that ends in %j', (suffix) => {
  const quoted = (prefix: string) => JSON.stringify(`${prefix}${suffix}`);

  test.each([
    ['lifecycle.id', () => `https_edges: { a: { lifecycle: { id: ${quoted('edghts_')} } } }`],
    ['lifecycle.adopt', () => `reserved_addrs: { a: { lifecycle: { adopt: ${quoted('ra_')} } } }`],
    ['a reference', () => `tls_edges: { a: { backend: { backend_id: ${quoted('bkdhr_')} } } }`],
    ['a list of them', () => `failover_backends: { a: { backends: [bkdhr_1, ${quoted('bkdhr_')}] } }`],
    ['what only updates accept', () => `reserved_addrs: { a: { endpoint_configuration_id: ${quoted('ec_')} } }`],
    ['an owner', () => `api_keys: { a: { owner_id: ${quoted('usr_')} } }`],
    [
      'a variable',
      () =>
        `variables: { v: { default: ${quoted('bkdhr_')} } }\ntls_edges: { a: { backend: { backend_id: "\${var.v}" } } }`,
    ],
    [
      'a sensitive variable',
      () =>
        `variables: { v: { sensitive: true, default: ${quoted('bkdhr_')} } }\ntls_edges: { a: { backend: { backend_id: "\${var.v}" } } }`,
    ],
  ])('is refused in the manifest as %s', async (_, text) => {
    write(text());
    for (const command of ['validate', 'plan', 'apply', 'drift']) {
      const { code } = await run(command);
      expect(code, command).toBe(4);
    }
    expect(place.emulator.requests).toEqual([]);
  });

  test('is refused by --resolve and sessions revoke', async () => {
    write('https_edges: { a: {} }');
    expect(await run('apply', '--auto-approve', '--resolve', `https_edges.a=edghts_${suffix}`)).toMatchObject({
      code: 64,
    });
    expect(await run('sessions', 'revoke', '--auto-approve', `as_${suffix}`)).toMatchObject({ code: 64 });
    expect(place.emulator.requests).toEqual([]);
  });

  test('is not believed of a journal', async () => {
    write('https_edges: { a: {} }');
    writeJournal(`edghts_${suffix}`);
    const { code, stderr } = await run('apply', '--auto-approve', '--journal', 'journal');
    expect([code, stderr]).toEqual([1, expect.stringContaining('journal-damaged')]);
    expect(place.emulator.requests).toEqual([]);
  });

  test('is an answer that was not understood, and named', async () => {
    const id = `edghts_${suffix}`;
    await place.restart({ seed: { https_edges: [{ id, hostports: [] }] } });
    write('https_edges: { a: {} }');
    for (const args of [['plan'], ['apply', '--auto-approve'], ['drift'], ['export', '--all']]) {
      const { code, stdout, stderr } = await run(...args, '--format', 'json');
      const said = `${stdout}${stderr}`;
      expect([args[0], code, said.includes('api-not-understood')]).toEqual([args[0], 1, true]);
      expect(said).toContain('an id that starts with edghts_');
    }
    expect(place.emulator.requests.filter(({ method, path }) => method !== 'GET' || path.includes('_1'))).toEqual([]);
  });
});

test('an id of another kind in a journal is not read as one', async () => {
  write('https_edges: { a: {} }');
  writeJournal('ak_1');
  expect(await run('apply', '--auto-approve', '--journal', 'journal')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('an id that its kind\n  cannot have'),
  });
  expect(place.emulator.requests).toEqual([]);
});

test('this field takes one id, not a text that contains one', async () => {
  write('failover_backends: { a: {} }\ntls_edges: { b: { backend: { backend_id: "${failover_backends.a.id}/x" } } }');
  const { code, stderr } = await run('validate');
  expect([code, stderr]).toEqual([4, expect.stringContaining('this field takes one id, not a text that contains one')]);
});
