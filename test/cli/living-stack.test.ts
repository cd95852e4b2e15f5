// An entry of `moved` for a whole stack is for one that was renamed: what lives on is not taken without consent of its own.

import { describe, expect, test } from 'vitest';
import type { Plan } from '../../src/plan/plan.ts';
import { readMarker } from '../../src/resource/marker/marker-codec.ts';
import { usePlace } from '../support/place.ts';

const stack = (name: string, addresses: string, more = '') =>
  `version: 1\nstack: ${name}\nreserved_addrs: { ${addresses} }\n${more}`;
const LIVING = stack('shop', 'a: {}, b: {}, c: {}');
const WHOLE = 'moved: [{ from: { stack: shop } }]\n';
const COPY = stack('copy', 'a: {}, b: {}', WHOLE);

const place = usePlace({ 'shop.yaml': LIVING, 'edgeform.yaml': COPY });
const { run, write } = place;
const apply = (...more: string[]) => run('apply', '--auto-approve', ...more);
const said = ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) =>
  `${stdout}${stderr}`.replace(/\s+/g, ' ');
const owners = () =>
  place.emulator
    .objects('reserved_addrs')
    .map(({ metadata }) => readMarker(String(metadata)).marker)
    .map((marker) => `${marker?.stack ?? ''}:${marker?.address.split('.')[1] ?? ''}`)
    .sort();

async function begin(): Promise<void> {
  expect((await apply('-f', 'shop.yaml')).code).toBe(0);
  place.emulator.requests.length = 0;
}

describe('a copied manifest that would take a part of a living stack', () => {
  test('is refused by plan and apply, with the flag that allows it', async () => {
    await begin();
    const planned = await run('plan');
    const text = '2 objects would be taken over from stack shop, which keeps 1, such as reserved_addrs.c';
    expect([planned.code, said(planned)]).toEqual([5, expect.stringContaining(text)]);
    expect(said(planned)).toContain('allow it with --allow-takeover shop');
    expect((await apply()).code).toBe(5);
    expect((await apply('--allow-takeover', 'other')).code).toBe(5);
    expect(place.writes()).toEqual([]);
    const json = JSON.parse((await run('plan', '--allow-takeover', 'shop', '--format', 'json')).stdout) as Plan;
    expect(json.steps.map(({ allowed_by: flags }) => flags)).toEqual(Array(2).fill(['--allow-takeover shop']));
    const allowed = await apply('--allow-takeover', 'shop');
    expect(allowed.code, said(allowed)).toBe(0);
    expect(owners()).toEqual(['copy:a', 'copy:b', 'shop:c']);
    // The entry stays, and its work is done.
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  test('keeps the consent in a saved plan, or gets it with that', async () => {
    await begin();
    expect((await run('plan', '--out', 'p.json')).code).toBe(5);
    expect((await apply('p.json')).code).toBe(5);
    expect((await run('plan', '--out', 'p.json', '--allow-takeover', 'shop')).code).toBe(0);
    expect((await apply('p.json')).code).toBe(0);
    expect(owners()).toEqual(['copy:a', 'copy:b', 'shop:c']);
  });

  test('takes with targets only what it may', async () => {
    await begin();
    expect((await apply('--target', 'reserved_addrs.a')).code).toBe(5);
    expect(place.writes()).toEqual([]);
  });

  test('takes what an entry names by its address', async () => {
    await begin();
    const entry = 'moved: [{ from: { stack: shop, address: reserved_addrs.a }, to: reserved_addrs.a }]\n';
    write(stack('copy', 'a: {}', entry));
    expect((await apply()).code).toBe(0);
    expect(owners()).toEqual(['copy:a', 'shop:b', 'shop:c']);
  });
});

describe('a stack that was renamed', () => {
  test('leaves nothing, and needs no consent, also when only a part of it was done', async () => {
    await begin();
    write(stack('store', 'a: {}, b: {}, c: {}', WHOLE));
    expect((await apply('--target', 'reserved_addrs.a')).code).toBe(0);
    expect((await apply()).code).toBe(0);
    expect(owners()).toEqual(['store:a', 'store:b', 'store:c']);
    // Whoever still has the old name creates nothing twice.
    expect((await run('plan', '-f', 'shop.yaml')).code).toBe(5);
  });

  test('and whose name another stack has by now takes nothing of that', async () => {
    await begin();
    write(stack('store', 'a: {}, b: {}, c: {}', WHOLE));
    expect((await apply()).code).toBe(0);
    write(stack('shop', 'd: {}, e: {}'), 'shop.yaml');
    expect((await apply('-f', 'shop.yaml')).code).toBe(0);
    write(stack('store', 'a: {}, b: {}, c: {}, d: {}', WHOLE));
    const planned = await run('plan');
    expect([planned.code, said(planned)]).toEqual([5, expect.stringContaining('living-stack')]);
  });
});

test('what another stack of the same run takes does not stay', async () => {
  await begin();
  const named = 'moved: [{ from: { stack: shop, address: reserved_addrs.c }, to: reserved_addrs.c }]\n';
  write(stack('third', 'c: {}', named), 'third.yaml');
  write(
    'version: 1\nstacks: [{ name: copy, path: edgeform.yaml }, { name: third, path: third.yaml }]\n',
    'edgeform.fleet.yaml',
  );
  const applied = await run('fleet', 'apply', '--auto-approve');
  expect(applied.code, said(applied)).toBe(0);
  expect(owners()).toEqual(['copy:a', 'copy:b', 'third:c']);
});

test('in a fleet, both sides are seen, and a saved plan of a fleet keeps the consent', async () => {
  await begin();
  write(stack('shop', 'c: {}'), 'shop.yaml');
  write('version: 1\nstacks: [{ name: copy, path: edgeform.yaml }]\n', 'edgeform.fleet.yaml');
  const alone = await run('fleet', 'plan');
  expect([alone.code, said(alone)]).toEqual([5, expect.stringContaining('allow it with --allow-takeover shop')]);
  expect((await run('fleet', 'plan', '--out', 'plans', '--allow-takeover', 'shop')).code).toBe(0);
  const entries = '{ name: copy, path: edgeform.yaml }, { name: shop, path: shop.yaml }';
  write(`version: 1\nstacks: [${entries}]\n`, 'edgeform.fleet.yaml');
  expect((await run('fleet', 'plan')).code).toBe(0);
  write('version: 1\nstacks: [{ name: copy, path: edgeform.yaml }]\n', 'edgeform.fleet.yaml');
  const applied = await run('fleet', 'apply', 'plans', '--auto-approve');
  expect(applied.code, said(applied)).toBe(0);
  expect(owners()).toEqual(['copy:a', 'copy:b', 'shop:c']);
});
