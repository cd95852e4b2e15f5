// What arrives is what was written: dollars before references, numbers with their zeros, keys with a final line break, and
// routes that differ in how they match.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { HEAD, loadTexts } from '../support/loading.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.close());

const stack = (content: JsonObject): JsonObject => ({ version: 1, stack: 'shop', ...content });

async function settled(content: JsonObject) {
  const { plan, results } = await world.apply(stack(content));
  expect([plan.refusals, plan.diagnostics, plan.blocked]).toEqual([[], [], []]);
  expect(results.filter(({ status }) => status !== 'done')).toEqual([]);
  expect((await world.plan(stack(content))).steps).toEqual([]);
}

describe('a dollar before a reference', () => {
  test.each(['$', '$$', '$$$', 'costs $', '${', '$${', '{$'])('%j', async (dollar) => {
    await settled({
      variables: { dollar: { default: dollar.replaceAll('${', '$') } },
      reserved_addrs: { a: {} },
      tls_edges: {
        e: { description: '${var.dollar}${reserved_addrs.a.id}', metadata: '${var.dollar}${reserved_addrs.a.id}' },
      },
    });
    const id = String(world.emulator.objects('reserved_addrs')[0]?.['id']);
    expect(world.emulator.objects('tls_edges')[0]?.['description']).toBe(`${dollar.replaceAll('${', '$')}${id}`);
  });

  test('and text that becomes a placeholder by being put together', async () => {
    await settled({
      variables: { dollar: { default: '$' } },
      reserved_addrs: { a: {} },
      tls_edges: { e: { description: '${var.dollar}{reserved_addrs.a.uri} ${reserved_addrs.a.id}' } },
    });
    const id = String(world.emulator.objects('reserved_addrs')[0]?.['id']);
    expect(world.emulator.objects('tls_edges')[0]?.['description']).toBe(`\${reserved_addrs.a.uri} ${id}`);
  });
});

describe('a number', () => {
  // Its form is in the text, which other forms of the manifest do not have.
  const load = (text: string) => loadTexts(HEAD + text, { isOnce: true });

  test.each(['1.0', '1.20', '010', '0x1F', '1e3', '5'])('%s keeps its form inside text', (text) => {
    const { value } = load(
      `variables: { n: { default: ${text} } }\nreserved_addrs: { a: { description: "v\${var.n}" } }\n`,
    );
    expect(value?.resources[0]?.spec).toEqual({ description: `v${text}` });
  });

  test('is a number where one is wanted', () => {
    const route =
      'https_edges: { e: { routes: { r: { match_type: exact_path, match: /, circuit_breaker: { num_buckets: "${var.n}" } } } } }';
    const { value } = load(`variables: { n: { default: 7.0 } }\n${route}\n`);
    expect(value?.resources[1]?.spec).toMatchObject({ circuit_breaker: { num_buckets: 7 } });
  });
});

test('a final line break of a public key is no difference, and no other key', async () => {
  const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample ops@example.com';
  const keys = (text: string) => ({ ssh_credentials: { k: { public_key: text } } });
  await settled(keys(`${KEY}\n`));
  expect((await world.plan(stack(keys(KEY)))).steps.map(({ action }) => action)).not.toContain('replace');
  const id = String(world.emulator.objects('ssh_credentials')[0]?.['id']);
  world.emulator.mutate('ssh_credentials', id, { public_key: KEY });
  expect((await world.plan(stack(keys(`${KEY}\r\n`)))).steps).toEqual([]);
  const two = { ssh_credentials: { k: { public_key: KEY }, l: { public_key: `${KEY}\n` } } };
  await expect(world.plan(stack(two))).rejects.toThrow(/not-unique/);
});

describe('routes of one match, as exact path and as prefix', () => {
  const routes = (one: string, more: JsonObject = {}) => ({
    https_edges: { e: { routes: { one: { match_type: 'path_prefix', match: one }, ...more } } },
  });

  test('are in each other’s way', async () => {
    const two = { two: { match_type: 'exact_path', match: '/x' } };
    await expect(world.plan(stack(routes('/x', two)))).rejects.toThrow(/not-unique/);
  });

  test('are handed over: one gives the match up before the other takes it', async () => {
    await settled(routes('/x'));
    await settled(routes('/y', { a_first: { match_type: 'exact_path', match: '/x' } }));
  });

  test('change places', async () => {
    await settled(routes('/x', { two: { match_type: 'exact_path', match: '/y' } }));
    await settled(routes('/y', { two: { match_type: 'exact_path', match: '/x' } }));
  });
});
