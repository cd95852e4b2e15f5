// `drift --known FILE`: findings that people decided to live with are shown apart and are no drift, until their values change.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

const stack = (name: string) => `version: 1
stack: ${name}
tls_edges: { a: { description: ${name}, hostports: [${name}.example.com:443] }, b: {} }
`;
const FLEET = `version: 1
stacks: [{ name: shop, path: edgeform.yaml }, { name: blog, path: blog.yaml }]
`;

const place = usePlace({ 'edgeform.yaml': stack('shop'), 'blog.yaml': stack('blog'), 'edgeform.fleet.yaml': FLEET });
const { run, write } = place;

interface Found extends JsonObject {
  readonly fingerprint: string;
  readonly known?: true;
}
const documentOf = ({ stdout }: { readonly stdout: string }) =>
  JSON.parse(stdout) as JsonObject & { readonly findings: readonly Found[]; readonly drifted: boolean };
const drift = (...more: string[]) => run('drift', '--format', 'json', ...more);
const edge = (description: string) =>
  String(place.emulator.objects('tls_edges').find((one) => one['description'] === description)?.['id']);
const edit = (from: string, description: string) => {
  place.emulator.mutate('tls_edges', edge(from), { description });
};
const fingerprints = async () => documentOf(await drift()).findings.map(({ fingerprint }) => fingerprint);

beforeEach(async () => {
  expect((await run('fleet', 'apply', '--auto-approve')).code).toBe(0);
  edit('shop', 'by hand');
});

test('a known finding is shown apart, without exit code 2, in every format', async () => {
  const [fingerprint = ''] = await fingerprints();
  write(`# agreed with the network team\n\n${fingerprint} # until May\n`, 'known.txt');
  const { code, stdout } = await drift('--known', 'known.txt');
  const found = documentOf({ stdout });
  expect([code, found.drifted, found.findings]).toMatchObject([0, false, [{ known: true, cause: 'drift' }]]);
  for (const format of ['text', 'markdown', 'html', 'github', 'gitlab']) {
    const shown = await run('drift', '--known', 'known.txt', '--format', format);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('1 known finding')]);
    expect(shown.stdout).toContain(fingerprint);
    expect(shown.stdout).not.toContain('::error');
  }
  for (const format of ['sarif', 'junit', 'codequality']) {
    const shown = await run('drift', '--known', 'known.txt', '--format', format);
    expect([shown.code, shown.stdout]).toEqual([0, expect.not.stringContaining('by hand')]);
  }
  await run('drift', '--known', 'known.txt', '--metrics-file', 'm.prom');
  const metrics = readFileSync(join(place.cwd, 'm.prom'), 'utf8');
  expect(metrics).toMatch(/edgeform_drifted\{stack="shop"\} 0/);
  expect(metrics).toMatch(/edgeform_drift_findings\{[^}]*known="true"[^}]*\} 1/);
});

test('another value is another finding, and the old line is unused, which is said', async () => {
  const [fingerprint = ''] = await fingerprints();
  write(`${fingerprint}\n`, 'known.txt');
  edit('by hand', 'by hand again');
  const { code, stdout } = await drift('--known', 'known.txt');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    2,
    { drifted: true, diagnostics: [{ code: 'unused-known', severity: 'warning' }] },
  ]);
  // A part of the manifest has a part of the findings.
  const part = await drift('--known', 'known.txt', '--target', 'tls_edges.b');
  expect([part.code, JSON.parse(part.stdout)]).toMatchObject([0, { diagnostics: [] }]);
});

test('a further duplicate, and another damage of a marker, are further findings', async () => {
  const { metadata = '' } =
    place.emulator.objects('tls_edges').find(({ description }) => description === 'by hand') ?? {};
  const copy = async () => {
    const headers = {
      authorization: `Bearer ${place.emulator.apiKey}`,
      'service-version': '2',
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ metadata, description: 'copy' });
    expect((await fetch(`${place.emulator.url}/edges/tls`, { method: 'POST', headers, body })).status).toBe(201);
  };
  await copy();
  write((await fingerprints()).join('\n'), 'known.txt');
  expect((await drift('--known', 'known.txt')).code).toBe(0);
  await copy();
  expect((await drift('--known', 'known.txt')).code).toBe(2);
});

test('a line that is no fingerprint is an error with its place, before any request', async () => {
  write('# fine\n  sha256:12\nsha256:xyz\n', 'known.txt');
  const before = place.emulator.requests.length;
  const { code, stdout } = await drift('--known', 'known.txt');
  expect([code, JSON.parse(stdout)]).toMatchObject([
    4,
    {
      diagnostics: [
        { code: 'bad-known', file: 'known.txt', line: 2, column: 3 },
        { code: 'bad-known', file: 'known.txt', line: 3, column: 1 },
      ],
    },
  ]);
  expect((await drift('--known', 'nowhere.txt')).code).toBe(4);
  expect(place.emulator.requests).toHaveLength(before);
});

describe('of a fleet', () => {
  const fleet = (...more: string[]) => run('fleet', 'drift', '--format', 'json', ...more);

  test('one file is for all stacks, and only what none of them has is unused', async () => {
    edit('blog', 'blog by hand');
    expect((await fleet()).code).toBe(2);
    const both = [
      ...(await fingerprints()),
      ...documentOf(await drift('-f', 'blog.yaml')).findings.map((one) => one.fingerprint),
    ];
    const other = `sha256:${'0'.repeat(64)}`;
    write([...both, other].join('\n'), 'known.txt');
    const { code, stdout, stderr } = await fleet('--known', 'known.txt');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { exit_code: 0, diagnostics: [{ code: 'unused-known' }] }]);
    expect(stderr).toContain(other);
    // A part of the fleet says nothing of lines that it does not need.
    const part = await fleet('--known', 'known.txt', '--only', 'blog');
    expect([part.code, JSON.parse(part.stdout)]).toMatchObject([0, { diagnostics: [] }]);
  });

  test('stacks that own objects and that no entry names are told, and are no drift', async () => {
    edit('by hand', 'shop');
    expect(JSON.parse((await fleet()).stdout)).toMatchObject({ unnamed_stacks: [], hidden_objects: [] });
    const other = place.emulator.objects('tls_edges').find(({ description }) => description === 'blog') ?? {};
    write('version: 1\nstacks: [{ name: shop, path: edgeform.yaml }]\n', 'edgeform.fleet.yaml');
    place.emulator.mutate('tls_edges', String(other['id']), { metadata: 'edgeform/v1 {"v":1,"stack":"gone",' });
    for (const more of [[], ['--only', 'shop'], ['--shard', '1/1']]) {
      const { code, stdout } = await fleet(...more);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        {
          unnamed_stacks: [{ stack: 'blog', objects: { tls_edge: 1 } }],
          hidden_objects: [{ kind: 'tls_edge', live_id: other['id'], stacks: ['gone'] }],
        },
      ]);
    }
    const { stdout } = await run('fleet', 'drift');
    expect(stdout).toContain('Stacks that own objects and that no entry of the fleet names');
    expect(stdout).toContain('blog at http');
    expect(stdout).toContain(String(other['id']));
  });

  test('an entry that is left out is named all the same', async () => {
    const { stdout } = await fleet('--only', 'shop');
    expect(JSON.parse(stdout)).toMatchObject({ unnamed_stacks: [] });
  });
});
