// Addresses without a live object: drift says which of them were deleted outside, which nobody can judge, and which were
// never created or are this stack's own work; plan says of a creation that the object was deleted outside.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Drift } from '../../src/drift/drift.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { usePlace } from '../support/place.ts';

const A = 'version: 1\nstack: shop\ntls_edges:\n  a: { description: first }\n';
const AB = `${A}  b: { description: second }\n`;
const ROUTED = `${A}https_edges:\n  web: { hostports: ["w.test:443"], routes: { home: { match: /, match_type: path_prefix } } }\n`;
const NONE = ['--journal', 'none.jsonl'] as const;

const place = usePlace({ 'edgeform.yaml': AB });

const { run } = place;
const { write: manifest } = place;
const apply = async (text: string) => {
  manifest(text);
  const { code, stderr } = await run('apply', '--auto-approve');
  expect([code, stderr]).toEqual([0, expect.anything()]);
};
const idOf = (description: string) =>
  String(place.emulator.objects('tls_edges').find((edge) => edge['description'] === description)?.['id']);
const removeEdge = (description: string) => {
  const id = idOf(description);
  place.emulator.remove('tls_edges', id);
  return id;
};
const journal = () => readFileSync(place.journal(), 'utf8');
const planJson = async () => JSON.parse((await run('plan', '--format', 'json')).stdout) as Plan;

/** `exit code: address type cause` for each finding, and the addresses that are pending. */
async function drift(...args: string[]) {
  const { code, stdout, stderr } = await run('drift', '--format', 'json', ...args);
  if (stdout === '') throw new Error(stderr);
  const { findings, pending } = JSON.parse(stdout) as Drift;
  return {
    code,
    found: findings.map(({ type, address, cause }) => `${address ?? '?'} ${type} ${cause ?? ''}`.trim()),
    pending: pending.map(({ address }) => address),
    why: findings.map(({ evidence }) => evidence ?? '').join(' '),
    ids: findings.map(({ live_id: id }) => id),
  };
}

describe('deleted outside, as the journal proves', () => {
  test('drift: a finding, and no green schedule until it is there again', async () => {
    await apply(AB);
    const id = removeEdge('second');
    expect(await drift()).toMatchObject({ code: 2, found: ['tls_edges.b missing drift'], pending: [], ids: [id] });
    const { stdout: told } = await run('drift');
    expect(told).toContain(`- deleted outside tls_edges.b (${id})`);
    expect(told).toContain(`why: the journal knows it as ${id}`);
    await apply(AB);
    expect(await drift()).toMatchObject({ code: 0, found: [], pending: [] });
  });

  test('drift: also beside an object whose marker cannot be read', async () => {
    await apply(AB);
    const id = removeEdge('second');
    const { id: other, metadata } = place.emulator.objects('tls_edges')[0] ?? {};
    place.emulator.mutate('tls_edges', String(other), { metadata: String(metadata).replace(/}$/, 'x') });
    const { code, found, ids } = await drift();
    expect([code, found, ids]).toEqual([2, ['tls_edges.a changed drift', 'tls_edges.b missing drift'], [other, id]]);
  });

  test.each(['text', 'markdown', 'html', 'github'])('plan says so as %s', async (format) => {
    await apply(AB);
    const id = removeEdge('second');
    const { stdout } = await run('plan', '--format', format);
    expect(stdout.replaceAll(/<\/?code>|[`\\]/g, '')).toContain(`deleted outside: the journal knows it as ${id}`);
    expect(stdout).toMatch(/1 to create, 0 to update, 0 to replace, 0 to delete\.\s+1 deleted outside\./);
  });

  test('and in its document', async () => {
    await apply(AB);
    const id = removeEdge('second');
    const { steps, summary } = await planJson();
    expect(steps).toMatchObject([
      { action: 'create', deleted_outside: { live_id: id, evidence: `the journal knows it as ${id}` } },
    ]);
    expect(summary.drifted).toBe(1);
  });

  test('an object goes with what is inside it', async () => {
    await apply(ROUTED);
    place.emulator.remove('https_edges', String(place.emulator.objects('https_edges')[0]?.['id']));
    expect(await drift()).toMatchObject({
      code: 2,
      found: ['https_edges.web missing drift', 'https_edges.web.routes.home missing drift'],
    });
  });

  test('under the address that it has had', async () => {
    await apply(AB);
    removeEdge('second');
    manifest(`${A}  c: { description: second }\nmoved: [{ from: tls_edges.b, to: tls_edges.c }]\n`);
    expect(await drift()).toMatchObject({ code: 2, found: ['tls_edges.c missing drift'] });
  });

  test('everything at once, as long as nothing refers to it', async () => {
    await apply(A);
    removeEdge('first');
    expect(await drift()).toMatchObject({ code: 2, found: ['tls_edges.a missing drift'] });
  });
});

describe('a marker proves it, too', () => {
  test('one that was copied to another object', async () => {
    await apply(AB);
    const [copy] = place.emulator.objects('tls_edges').filter((edge) => edge['description'] === 'second');
    await apply(`${AB}reserved_addrs: { db: {} }\n`);
    removeEdge('second');
    const address = String(place.emulator.objects('reserved_addrs')[0]?.['id']);
    place.emulator.mutate('reserved_addrs', address, { metadata: copy?.['metadata'] ?? '' });
    const { code, found, why } = await drift(...NONE);
    expect([code, found]).toEqual([2, expect.arrayContaining(['tls_edges.b missing drift'])]);
    expect(why).toContain(`the marker of ${address} names it`);
  });
});

describe('nothing proves either', () => {
  const UNKNOWN = { code: 2, found: ['tls_edges.b missing unknown'], pending: [] };

  test('without a journal', async () => {
    await apply(AB);
    removeEdge('second');
    expect(await drift(...NONE)).toMatchObject(UNKNOWN);
    rmSync(join(place.cwd, '.edgeform'), { recursive: true });
    expect((await planJson()).steps[0]).not.toHaveProperty('deleted_outside');
  });

  test('with the journal of another stack', async () => {
    await apply(A.replace('shop', 'other'));
    await apply(AB);
    removeEdge('second');
    expect(await drift('--journal', place.journal('other'))).toMatchObject(UNKNOWN);
  });

  test('with a journal that does not know all that the stack owns', async () => {
    await apply(A);
    place.write(journal(), 'old.jsonl');
    await apply(`${A}reserved_addrs: { db: {} }\n`);
    manifest(`${AB}reserved_addrs: { db: {} }\n`);
    expect(await drift('--journal', 'old.jsonl')).toMatchObject(UNKNOWN);
    expect(await drift()).toMatchObject({ code: 0, found: [], pending: ['tls_edges.b'] });
  });

  test.each([0, 1])('while a creation is under way, or its outcome is unknown (%i)', async (lines) => {
    await apply(A);
    await apply(AB);
    removeEdge('second');
    const all = journal().split('\n');
    const at = all.findIndex((line) => line.includes('"intent"') && line.includes('tls_edges.b'));
    writeFileSync(place.journal(), `${all.slice(0, at + 1).join('\n')}\n`);
    if (lines === 1) {
      // The next run begins and comes to nothing, which settles nothing.
      place.env['EDGEFORM_BASE_URL'] = `${place.emulator.url}nowhere/`;
      await run('apply', '--auto-approve', '--deadline', '1');
      place.env['EDGEFORM_BASE_URL'] = place.emulator.url;
    }
    const { why, ...rest } = await drift();
    expect(rest).toMatchObject(UNKNOWN);
    expect(why).toContain('its outcome is unknown');
    expect((await planJson()).steps[0]).not.toHaveProperty('deleted_outside');
  });
});

describe('the object is there, and somebody removed its marker', () => {
  const unmark = (description: string) => {
    const id = idOf(description);
    place.emulator.mutate('tls_edges', id, { metadata: '' });
    return id;
  };
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    return { code, text: `${stdout}${stderr}`.replaceAll(/\s+/g, ' ') };
  };
  const plan = () => said('plan');
  const applied = () => said('apply', '--auto-approve');

  test("drift: somebody changed it, and it is nobody else's", async () => {
    await apply(AB);
    const id = unmark('second');
    const { found, why, ids } = await drift();
    expect([found, ids]).toEqual([['tls_edges.b changed drift'], [id]]);
    expect(why).toContain('its ownership marker was removed');
  });

  test('what refers to it stays as it is', async () => {
    const referring =
      'version: 1\nstack: shop\nreserved_addrs: { db: {} }\ntls_edges: { a: { hostports: ["${reserved_addrs.db.addr}"] } }\n';
    await apply(referring);
    place.emulator.mutate('reserved_addrs', String(place.emulator.objects('reserved_addrs')[0]?.['id']), {
      metadata: '',
    });
    expect(await drift()).toMatchObject({ code: 2, found: ['reserved_addrs.db changed drift'], pending: [] });
  });

  test('no second object is made, until a block adopts it', async () => {
    await apply(AB);
    const id = unmark('second');
    const { code, text } = await applied();
    expect([code, place.emulator.objects('tls_edges').length]).toEqual([1, 2]);
    expect(text).toContain(`adopt: ${id}`);
    await apply(AB.replace('{ description: second }', `{ description: second, lifecycle: { adopt: ${id} } }`));
    expect(await drift()).toMatchObject({ code: 0, found: [], pending: [] });
    expect(place.emulator.objects('tls_edges')).toHaveLength(2);
  });

  test("or a person says that it is none of the stack's", async () => {
    await apply(AB);
    unmark('second');
    const { text } = await plan();
    expect(text).toContain('apply with `--resolve tls_edges.b=absent`');
    expect((await run('apply', '--auto-approve', '--resolve', 'tls_edges.b=absent')).code).toBe(0);
    expect(await drift()).toMatchObject({ code: 0, found: ['? unmanaged'], pending: [] });
    expect(place.emulator.objects('tls_edges')).toHaveLength(3);
  });

  describe('what a person says in vain is not noted', () => {
    const SERVED = AB.replace('description: second', 'hostports: [w.test:443]');
    const UNLISTED = `${A}https_edges: { web: { hostports: [w.test:443] } }\n`;

    test.each([
      ['tls_edges.b', SERVED, 'tls_edges', {}],
      ['https_edges.web', UNLISTED, 'https_edges', { EDGEFORM_CAPABILITIES: '-https-edge-list' }],
    ] as const)('%s: the object has a value that another one would need', async (address, text, list, given) => {
      place.env = { ...place.env, ...given };
      await apply(text);
      const edge = place.emulator.objects(list).find(({ hostports }) => String(hostports) === 'w.test:443');
      place.emulator.mutate(list, String(edge?.['id']), { metadata: '' });
      const { code, stdout } = await run('apply', '--auto-approve', '--resolve', `${address}=absent`);
      expect(code).toBe(5);
      expect(stdout.replace(/\s+/g, ' ')).toContain(
        `${address} claims w.test:443, but ${String(edge?.['id'])} holds it`,
      );
      expect(await drift()).toMatchObject({ code: 2, found: [`${address} changed drift`], pending: [] });
    });

    test('nor what the person does not agree to after all', async () => {
      await apply(AB);
      unmark('second');
      expect((await run('apply', '--resolve', 'tls_edges.b=absent')).code).not.toBe(0);
      expect((await drift()).code).toBe(2);
    });
  });

  test('what no block asks for is left alone, and told', async () => {
    await apply(AB);
    const id = unmark('second');
    manifest(A);
    const { code, text } = await plan();
    expect(code).toBe(0);
    expect(text).toContain(`${id} was removed`);
    expect(await drift()).toMatchObject({ code: 2, found: ['tls_edges.b changed drift'], pending: [], ids: [id] });
    const { stdout } = await run('drift');
    expect(stdout.replace(/\s+/g, ' ')).toMatch(/`lifecycle: \{ adopt: edgtls_.*--resolve tls_edges\.b=absent/);
  });

  test.each([
    ['with its block', AB],
    ['without one', A],
  ])('destroy leaves it, and ends saying so: %s', async (_, text) => {
    await apply(AB);
    const id = unmark('second');
    manifest(text);
    const first = await run('destroy', '--auto-approve');
    expect([first.code, first.stderr.replace(/\s+/g, ' ')]).toEqual([3, expect.stringContaining(`${id} was removed`)]);
    expect(place.emulator.objects('tls_edges').map((edge) => edge['id'])).toEqual([id]);
    expect((await run('destroy', '--auto-approve')).code).toBe(1);
    expect((await run('destroy', '--auto-approve', '--resolve', 'tls_edges.b=absent')).code).toBe(0);
    expect((await run('destroy', '--auto-approve')).code).toBe(0);
    expect(place.emulator.objects('tls_edges').map((edge) => edge['id'])).toEqual([id]);
  });

  test('nor is it in doubt when it is to be released', async () => {
    await apply(AB);
    unmark('second');
    manifest(`${A}removed: [{ from: tls_edges.b, destroy: false }]\n`);
    expect(await drift()).toMatchObject({ code: 0, found: [] });
    expect((await run('destroy', '--auto-approve')).code).toBe(0);
  });

  test('under the address that it has had', async () => {
    await apply(AB);
    const id = unmark('second');
    manifest(`${A}  c: { description: second }\nmoved: [{ from: tls_edges.b, to: tls_edges.c }]\n`);
    expect((await drift()).found).toEqual(['tls_edges.c changed drift']);
    const { code, text } = await applied();
    expect([code, text]).toEqual([1, expect.stringContaining(`adopt: ${id}`)]);
    expect((await run('apply', '--auto-approve', '--resolve', 'tls_edges.b=absent')).code).toBe(0);
  });

  test('with what is inside it', async () => {
    await apply(ROUTED);
    const edge = String(place.emulator.objects('https_edges')[0]?.['id']);
    place.emulator.mutate('https_edges', edge, { metadata: '' });
    expect((await drift()).found).toEqual(['https_edges.web changed drift']);
    manifest(ROUTED.replace('{ hostports', `{ lifecycle: { adopt: ${edge} }, hostports`));
    expect((await run('apply', '--auto-approve')).code).toBe(0);
    expect(await drift()).toMatchObject({ code: 0, found: [], pending: [] });
  });

  test('a release takes the marker off, and the stack may make another', async () => {
    await apply(AB);
    const before = journal();
    const released = `${A}removed: [{ from: tls_edges.b, destroy: false }]\n`;
    await apply(released);
    expect((await plan()).text).not.toContain('was removed');
    // Also with a journal that does not say so, such as that of another machine.
    place.write(before, 'before.jsonl');
    expect((await said('plan', '--journal', 'before.jsonl')).text).not.toContain('was removed');
    expect(await drift()).toMatchObject({ code: 0, found: ['? unmanaged'] });
    await apply(AB);
    expect(place.emulator.objects('tls_edges')).toHaveLength(3);
  });

  test('also a release of which nobody knows the outcome', async () => {
    await apply(AB);
    await apply(`${A}removed: [{ from: tls_edges.b, destroy: false }]\n`);
    const all = journal().split('\n');
    const at = all.findIndex((line) => line.includes('"releases"'));
    expect(at).toBeGreaterThan(0);
    writeFileSync(place.journal(), `${all.slice(0, at + 1).join('\n')}\n`);
    manifest(AB);
    expect((await plan()).text).toContain('1 to create');
  });

  test('a journal is needed: without one nobody knows', async () => {
    await apply(AB);
    unmark('second');
    expect((await drift(...NONE)).found).toEqual(['tls_edges.b missing unknown', '? unmanaged']);
  });
});

describe('no drift', () => {
  test('what the journal has no trace of', async () => {
    await apply(A);
    manifest(AB);
    expect(await drift()).toMatchObject({ code: 0, found: [], pending: ['tls_edges.b'] });
    expect((await planJson()).steps[0]).not.toHaveProperty('deleted_outside');
  });

  test('a first apply that is still to come', async () => {
    expect(await drift()).toMatchObject({ code: 0, found: [], pending: ['tls_edges.a', 'tls_edges.b'] });
  });

  test('what apply deleted, and the manifest asks for again', async () => {
    await apply(AB);
    await apply(A);
    manifest(AB);
    expect(await drift()).toMatchObject({ code: 0, found: [], pending: ['tls_edges.b'] });
  });

  test('what destroy deleted, and what was inside it', async () => {
    await apply(ROUTED);
    expect((await run('destroy', '--auto-approve')).code).toBe(0);
    expect(await drift()).toMatchObject({
      code: 0,
      found: [],
      pending: ['https_edges.web', 'https_edges.web.routes.home', 'tls_edges.a'],
    });
  });
});
