// What the planner says of values that only one object may hold: both objects, and the value whole, whatever is in it.

import { afterEach, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import type { World } from '../support/world.ts';
import { load, startWorld } from '../support/world.ts';

let world: World | undefined;
afterEach(() => world?.close());

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIExample me@host, of the night shift';
const route = (match: string) => ({ match_type: 'exact_path', match });

interface Case {
  readonly what: string;
  readonly value: string;
  /** The blocks that hold the value, and those that are to have it. */
  readonly address: (name: string) => string;
  readonly blocks: (name: string, value: string) => JsonObject;
}

const cases: readonly Case[] = [
  {
    what: 'a public key with a comment',
    value: KEY,
    address: (name) => `ssh_credentials.${name}`,
    blocks: (name, value) => ({ ssh_credentials: { [name]: { public_key: value, ...keeping('public_key') } } }),
  },
  {
    what: 'a hostport',
    value: 'me.example.com:443',
    address: (name) => `tls_edges.${name}`,
    blocks: (name, value) => ({ tls_edges: { [name]: { hostports: [value], ...keeping('hostports') } } }),
  },
  {
    what: 'a domain',
    value: 'me.example.com',
    address: (name) => `agent_ingresses.${name}`,
    blocks: (name, value) => ({ agent_ingresses: { [name]: { domain: value, ...keeping('domain') } } }),
  },
];

function keeping(path: string): JsonObject {
  return { lifecycle: { ignore_changes: [path] } };
}

const stack = (name: string, content: JsonObject): JsonObject => ({ version: 1, stack: name, ...content });
/** What of the value must be the only one: not the comment of a key. */
const unique = (value: string) => value.split(' ', 2).join(' ');
const other = (value: string) => (value === KEY ? 'ssh-ed25519 AAAAother' : `other.${value}`);

test.each(cases)('$what that an object of another stack has', async ({ value, address, blocks }) => {
  world = await startWorld();
  const { plan: first } = await world.apply(stack('theirs', blocks('holder', value)));
  expect(first.refusals).toEqual([]);
  const plan = await world.plan(stack('shop', blocks('mine', value)));
  const [held] = (await world.plan(stack('theirs', {}), { destroy: true })).steps;
  expect(plan.refusals.map(({ rule, message, fix }) => [rule, message, fix])).toEqual([
    [
      'foreign-object',
      `${address('mine')} claims ${unique(value)}, but ${held?.live_id ?? ''} holds it, which is ${address('holder')} of stack theirs`,
      `use another value, or, if the object is to belong to this stack, add \`moved: [{ from: { stack: theirs, address: ${address('holder')} }, to: ${address('mine')} }]\` to the manifest`,
    ],
  ]);
});

test('a public key is the same one whatever its comment says, also in one manifest', async () => {
  world = await startWorld();
  const { blocks } = cases[0]!;
  await world.apply(stack('theirs', blocks('holder', KEY)));
  const material = unique(KEY);
  for (const value of [material, `${material} you`, `${material}\tyou\n`]) {
    const plan = await world.plan(stack('shop', blocks('mine', value)));
    expect(plan.refusals.map(({ rule }) => rule)).toEqual(['foreign-object']);
  }
  const two = { a: { public_key: KEY }, b: { public_key: material } };
  expect(() => load(stack('shop', { ssh_credentials: two }))).toThrow('not-unique');
});

test.each(cases)('$what that an object of the same stack keeps', async ({ value, address, blocks }) => {
  world = await startWorld();
  await world.apply(stack('shop', blocks('holder', value)));
  const both = (): JsonObject => {
    const [kind, held] = Object.entries(blocks('holder', other(value)))[0] ?? ['', {}];
    const [, mine] = Object.entries(blocks('mine', value))[0] ?? ['', {}];
    return { [kind]: { ...(held as JsonObject), ...(mine as JsonObject) } };
  };
  const plan = await world.plan(stack('shop', both()));
  expect(plan.refusals.map(({ rule }) => rule)).toEqual(['value-kept']);
  const [kept] = plan.refusals;
  expect(kept?.message).toMatch(/ \((\w+)\) holds and keeps$/);
  expect(kept?.message.replace(/ \(\w+\)/, '')).toBe(
    `${address('mine')} claims ${unique(value)}, which ${address('holder')} holds and keeps`,
  );
  expect(kept?.fix).toBe('make it release the value first');
});

test('the match of a route that nobody owns', async () => {
  world = await startWorld({
    seed: { https_edges: [{ id: 'edghts_1', routes: [{ id: 'edghtsrt_1', ...route('/me@host') }] }] },
  });
  const edge = (more: JsonObject) => ({ https_edges: { e: { lifecycle: { adopt: 'edghts_1' }, ...more } } });
  const plan = await world.plan(stack('shop', edge({ routes: { r: route('/me@host') } })));
  expect(plan.refusals.flatMap(({ message, fix }) => [message, fix])).toEqual([
    'https_edges.e.routes.r claims /me@host, but edghtsrt_1 holds it, which no stack owns',
    'to adopt it, add `lifecycle: { adopt: edghtsrt_1 }` to https_edges.e.routes.r, or use another value',
  ]);
});

test('an object that is detached names the steps that wait for it, and shows what it releases', async () => {
  world = await startWorld();
  const edges = (a: string, b: string) =>
    stack('shop', { tls_edges: { a: { hostports: [a] }, b: { hostports: [b] } } });
  await world.apply(edges('one.test:443', 'two.test:443'));
  const { steps } = await world.plan(edges('two.test:443', 'one.test:443'));
  const [detach] = steps.filter(({ phase }) => phase === 'detach');
  expect(detach).toMatchObject({
    address: 'tls_edges.a',
    reason: { code: 'detached', text: 'is detached first, so that tls_edges.b can go on', addresses: ['tls_edges.b'] },
    changes: [{ path: 'hostports', before: ['one.test:443'], after: [] }],
  });
});
