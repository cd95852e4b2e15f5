// The ownership marker of an object that a block names by id is changed outside: drift, where the journal shows that the object
// belonged to the stack, and otherwise only work of the manifest.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Drift } from '../../src/drift/drift.ts';
import { parseJson } from '../../src/core/json.ts';
import { usePlace } from '../support/place.ts';

type Line = 'id' | 'adopt';

const edge = (line: Line | undefined, id: string, more = '') =>
  `version: 1
stack: shop
failover_backends: { keep: { backends: [bkdhr_1] } }
https_edges:
  site:
    hostports: [shop.example.com:443]${line === undefined ? '' : `\n    lifecycle: { ${line}: ${id} }`}${more}
`;

const place = usePlace({ 'edgeform.yaml': edge(undefined, '') });
const { run, write } = place;
const idOf = () => String(place.emulator.objects('https_edges')[0]?.['id']);
const metadata = () => String(place.emulator.objects('https_edges')[0]?.['metadata']);
const remark = (text: string) => place.emulator.mutate('https_edges', idOf(), { metadata: text });

beforeEach(async () => {
  expect((await run('apply', '--auto-approve')).code).toBe(0);
  place.emulator.requests.length = 0;
});
afterEach(() => {
  expect(place.writes()).toEqual([]);
});

async function found(...args: string[]) {
  const { code, stdout } = await run('drift', '--format', 'json', ...args);
  const { findings, pending } = parseJson(stdout) as unknown as Drift;
  const told = findings.map(({ type, address, cause, evidence }) => [type, address, cause, evidence]);
  return { code, told, pending: pending.map(({ address, action }) => `${action} ${address}`) };
}

const EDITS: readonly (readonly [what: string, edit: (text: string) => string, evidence: string])[] = [
  ['names another stack', (text) => text.replace('"stack":"shop"', '"stack":"thief"'), 'names stack thief'],
  ['is removed', () => '', 'was removed'],
  [
    'names another address',
    (text) => text.replaceAll('https_edges.site', 'https_edges.other'),
    'names https_edges.other',
  ],
  ['names another kind', (text) => text.replaceAll('https_edges.site', 'tls_edges.site'), 'names tls_edges.site'],
];

describe.each<Line>(['id', 'adopt'])('with `lifecycle.%s`', (line) => {
  test('as the stack left it: no drift', async () => {
    write(edge(line, idOf()));
    expect(await found()).toEqual({ code: 0, told: [], pending: [] });
  });

  test.each(EDITS)('its marker %s: drift', async (_, edit, evidence) => {
    write(edge(line, idOf()));
    remark(edit(metadata()));
    const finding = ['changed', 'https_edges.site', 'drift', `its ownership marker ${evidence}`];
    expect(await found()).toEqual({ code: 2, told: [finding], pending: [] });
  });

  test.each(EDITS)('its marker %s, and no journal: the block adopts it', async (_, edit) => {
    write(edge(line, idOf()));
    remark(edit(metadata()));
    const { code, told } = await found('--journal', 'none.jsonl');
    expect([code, told]).toEqual([0, []]);
  });

  test.each(EDITS)(
    'its marker %s: drift, with another fingerprint than after another change of it',
    async (_, edit) => {
      write(edge(line, idOf()));
      const before = metadata();
      remark(before.replace('"stack":"shop"', '"stack":"partner"'));
      const fingerprint = async () =>
        (parseJson((await run('drift', '--format', 'json')).stdout) as unknown as Drift).findings[0]?.fingerprint;
      const other = await fingerprint();
      remark(edit(before));
      expect(await fingerprint()).not.toBe(other);
    },
  );

  test('what the manifest changes as well is pending', async () => {
    write(edge(line, idOf(), '\n    description: new'));
    remark(metadata().replace('"stack":"shop"', '"stack":"thief"'));
    const { code, told, pending } = await found();
    expect([code, told.map(([type]) => type), pending]).toEqual([
      2,
      expect.arrayContaining(['changed']),
      ['update https_edges.site'],
    ]);
  });
});

test('a rename by the manifest is no change of the marker', async () => {
  const renamed = edge('id', idOf()).replace('  site:', '  shop:');
  write(`${renamed}moved: [{ from: https_edges.site, to: https_edges.shop }]\n`);
  expect(await found()).toEqual({ code: 0, told: [], pending: ['update https_edges.shop'] });
});

test('a former name is no change of the marker, also where the journal knows an older one', async () => {
  remark(metadata().replaceAll('https_edges.site', 'https_edges.middle'));
  const renamed = edge('id', idOf()).replace('  site:', '  shop:');
  write(`${renamed}moved: [{ from: https_edges.middle, to: https_edges.shop }]\n`);
  expect(await found()).toEqual({ code: 0, told: [], pending: ['update https_edges.shop'] });
});

describe('a route, named by id as its edge is', () => {
  const routed = (edgeLine: string, routeLine: string) => `${edge(undefined, '')}${edgeLine}
    routes:
      all: { match_type: path_prefix, match: /, compression: {}${routeLine} }
`;
  async function pinned() {
    write(routed('', ''));
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    const routes = place.emulator.objects('https_edges')[0]?.['routes'] as { readonly id: string }[] | undefined;
    place.emulator.requests.length = 0;
    return routed(`    lifecycle: { id: ${idOf()} }`, `, lifecycle: { id: ${String(routes?.[0]?.id)} }`);
  }

  test('is pending after a rename of the edge that stopped before it', async () => {
    write((await pinned()).replace('  site:', '  web:'));
    remark(metadata().replaceAll('https_edges.site', 'https_edges.web'));
    expect(await found()).toEqual({ code: 0, told: [], pending: ['adopt https_edges.web.routes.all'] });
  });

  test('is as the stack left it when only the edge’s marker was changed', async () => {
    write(await pinned());
    remark(metadata().replace('"stack":"shop"', '"stack":"thief"'));
    const { code, told } = await found();
    expect([code, told.map(([, address]) => address)]).toEqual([2, ['https_edges.site']]);
  });
});

test('the finding says what happened and what apply does', async () => {
  write(edge('id', idOf()));
  remark('');
  const { stdout } = await run('drift');
  expect(stdout).toContain('Drift: 1 marker changed.');
  expect(stdout).toContain('why: its ownership marker was removed');
  expect(stdout).toContain('apply: adopts it');
  const junit = (await run('drift', '--format', 'junit')).stdout;
  expect(junit).toMatch(
    /type="drift-marker-unreadable" message="\S+ \(\S+\) marker changed: its ownership marker was removed"/,
  );
});
