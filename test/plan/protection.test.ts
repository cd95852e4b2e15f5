// Protection counts for every name of an object, and taking it off is an apply of its own; what nobody of ours has owned
// is replaced only with consent. Every refusal is followed by the way out that its message names.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { Planning } from '../support/planning.ts';
import { allowing, planningOn, rules, words } from '../support/planning.ts';
import type { World } from '../support/world.ts';
import { startWorld } from '../support/world.ts';
import { journal, type Known } from './sample.ts';

let world: World;
let stack: Planning;
beforeEach(async () => {
  world = await startWorld();
  stack = planningOn(world);
});
afterEach(() => world.close());

const planned: Planning['planned'] = (...args) => stack.planned(...args);
const done: Planning['done'] = (...args) => stack.done(...args);
const create: Planning['create'] = (...args) => stack.create(...args);
const ids = (list: string) => stack.ids(list);
const metadataOf = (list: string, id: string) => String(stack.object(list, id)[METADATA]);

const PROTECTED = { lifecycle: { prevent_destroy: true } };
const OPEN = { lifecycle: { prevent_destroy: false } };
const ingress = (domain: string, lifecycle: JsonObject = {}) => ({ domain, lifecycle });

describe('protection by the block counts', () => {
  test('for an object that the same plan adopts', async () => {
    const id = await create('/agent_ingresses', { domain: 'one.test' });
    const content = { agent_ingresses: { a: ingress('two.test', { adopt: id, prevent_destroy: true }) } };
    expect(rules(await planned(content, allowing('agent_ingresses.a')))).toEqual(['protected']);
  });

  test('for an object that is moved onto it', async () => {
    await done({ agent_ingresses: { old: ingress('one.test') } });
    const content = {
      agent_ingresses: { a: ingress('two.test', { prevent_destroy: true }) },
      moved: [{ from: 'agent_ingresses.old', to: 'agent_ingresses.a' }],
    };
    expect(rules(await planned(content, allowing('agent_ingresses.a')))).toEqual(['protected']);
  });

  test('for a pinned object under any other name, also when everything is destroyed', async () => {
    await done({ reserved_addrs: { old: {} } });
    const [id = ''] = ids('reserved_addrs');
    const content = { reserved_addrs: { a: { lifecycle: { id, prevent_destroy: true } } } };
    expect(rules(await planned(content, { destroy: true }))).toEqual(['protected']);
  });

  test('for a child that a deleted parent would take along', async () => {
    const route = { match_type: 'exact_path', match: '/' };
    await done({ https_edges: { e: { routes: { r: route } } } });
    const content = { https_edges: { e: { routes: { r: { ...route, ...PROTECTED } } } } };
    expect(rules(await planned(content, { destroy: true }))).toEqual(['protected']);
  });
});

describe('protection by the marker counts until an apply has taken it off', () => {
  const first = { agent_ingresses: { a: ingress('one.test', { prevent_destroy: true }) } };

  test('a plan that takes it off and replaces is refused; put back, it takes the protection off alone', async () => {
    await done(first);
    const plan = await planned(
      { agent_ingresses: { a: ingress('two.test', { prevent_destroy: false }) } },
      allowing('agent_ingresses.a'),
    );
    expect(rules(plan)).toEqual(['protected']);
    expect(words(plan)).toMatch(/apply that change alone|separate apply/);
    const alone = await done({ agent_ingresses: { a: ingress('one.test', { prevent_destroy: false }) } });
    expect(alone.steps.map((step) => [step.action, step.reason.text])).toEqual([
      ['update', 'protection is switched off'],
    ]);
    await done({ agent_ingresses: { a: ingress('two.test') } }, allowing('agent_ingresses.a'));
  });

  test('`ignore_changes` is another way to take it off alone', async () => {
    await done(first);
    await done({ agent_ingresses: { a: ingress('two.test', { ignore_changes: ['domain'] }) } });
    await done({ agent_ingresses: { a: ingress('two.test') } }, allowing('agent_ingresses.a'));
  });

  test('a block that is left without `prevent_destroy` does not disarm and delete at once', async () => {
    await done(first);
    expect(rules(await planned({}, allowing('agent_ingresses.a')))).toEqual(['protected']);
    expect(rules(await planned({ agent_ingresses: { a: ingress('one.test') } }, { destroy: true }))).toEqual([
      'protected',
    ]);
    await done({ agent_ingresses: { a: ingress('one.test') } });
    await done({}, allowing('agent_ingresses.a'));
  });

  test('under its old address: moved, or pinned by another block', async () => {
    await done(first);
    const [id = ''] = ids('ingresses');
    const moved = {
      agent_ingresses: { b: ingress('two.test') },
      moved: [{ from: 'agent_ingresses.a', to: 'agent_ingresses.b' }],
    };
    const pinned = { agent_ingresses: { b: ingress('two.test', { id }) } };
    for (const content of [moved, pinned])
      expect(rules(await planned(content, allowing('agent_ingresses.b')))).toEqual(['protected']);
  });

  test('inside a deleted parent', async () => {
    const route = { match_type: 'exact_path', match: '/' };
    await done({ https_edges: { e: { routes: { r: { ...route, ...PROTECTED } } } } });
    expect(rules(await planned({}))).toEqual(['protected']);
    await done({ https_edges: { e: { routes: { r: { ...route, ...OPEN } } } } });
    await done({});
  });
});

describe('several objects of one address', () => {
  const auth = { role: { role_arn: 'arn:r' } };
  const firehose = { target: { firehose: { delivery_stream_arn: 'arn:1', auth } } };
  const kinesis = { target: { kinesis: { stream_arn: 'arn:2', auth } } };

  /** Two objects with the marker of `reserved_addrs.a`, protected. */
  const doubled = async (): Promise<readonly [string, string]> => {
    await done({ reserved_addrs: { a: PROTECTED } });
    const [one = ''] = ids('reserved_addrs');
    const two = await create('/reserved_addrs', { metadata: metadataOf('reserved_addrs', one) });
    return [one, two];
  };

  test('pinning one does not delete a protected other; a block of its own lets it go', async () => {
    const [one, two] = await doubled();
    for (const prevent_destroy of [true, false]) {
      const content = { reserved_addrs: { a: { lifecycle: { id: one, prevent_destroy } } } };
      const plan = await planned(content, allowing('reserved_addrs.a'));
      expect(rules(plan)).toEqual(['protected']);
    }
    await done({ reserved_addrs: { a: { lifecycle: { id: one } }, b: { lifecycle: { id: two } } } });
    await done({ reserved_addrs: { a: { lifecycle: { id: one } } } }, allowing('reserved_addrs.b'));
    expect(ids('reserved_addrs')).toEqual([one]);
  });

  test('what a marker says to be replaced does not go while it is protected', async () => {
    const [one, two] = await doubled();
    const marker = JSON.parse(metadataOf('reserved_addrs', two)) as { edgeform: JsonObject };
    const metadata = JSON.stringify({ edgeform: { ...marker.edgeform, replaces: one } });
    world.emulator.mutate('reserved_addrs', two, { metadata });
    const consent = allowing('reserved_addrs.a');
    expect(rules(await planned({ reserved_addrs: { a: PROTECTED } }, consent))).toEqual(['protected']);
    expect(rules(await planned({ reserved_addrs: { a: {} } }, consent))).toEqual(['protected']);
  });

  test('what a marker says to be replaced, and cannot be had back, goes with proof of a journal or with consent', async () => {
    const [one, two] = await doubled();
    const marker = JSON.parse(metadataOf('reserved_addrs', two)) as { edgeform: JsonObject };
    const { protect: _, ...rest } = marker.edgeform;
    world.emulator.mutate('reserved_addrs', one, { metadata: JSON.stringify({ edgeform: rest }) });
    const claim = { ...rest, replaces: one, created_by: 'run1' };
    world.emulator.mutate('reserved_addrs', two, { metadata: JSON.stringify({ edgeform: claim }) });
    const content = { reserved_addrs: { a: {} } };
    const known = (view: Known) => ({ journal: journal(view) });
    const refused = await planned(content);
    expect([rules(refused), words(refused)]).toEqual([['irreplaceable'], expect.stringContaining(`marker of ${two}`)]);
    const [here, run1] = ['reserved_addrs.a', new Set(['run1'])];
    const both = new Map([
      [one, here],
      [two, here],
    ]);
    for (const none of [
      // Of another address, written to and not made, of no creation that is open, of another run.
      {
        ids: new Map([
          [one, here],
          [two, 'reserved_addrs.b'],
        ]),
        made: new Set([two]),
        runs: run1,
        creating: new Set([here]),
      },
      { ids: both, runs: run1, creating: new Set([here]) },
      { ids: new Map([[one, here]]), runs: run1, creating: new Set(['reserved_addrs.b']) },
      { ids: new Map([[one, here]]), runs: new Set(['run2']), creating: new Set([here]) },
      // Made, but not in the place of that one: unknown, or known elsewhere.
      { ids: new Map([[two, here]]), made: new Set([two]) },
      {
        ids: new Map([
          [two, here],
          [one, 'reserved_addrs.b'],
        ]),
        made: new Set([two]),
      },
      { runs: run1, creating: new Set([here]) },
    ])
      expect(rules(await planned(content, known(none)))).toEqual(['irreplaceable']);
    for (const proof of [
      allowing(here),
      known({ ids: both, made: new Set([two]) }),
      known({ ids: new Map([[two, here]]), deleted: new Map([[one, here]]), made: new Set([two]) }),
      known({ ids: new Map([[one, here]]), runs: run1, creating: new Set([here]) }),
    ])
      expect(rules(await planned(content, proof))).toEqual([]);
    // Where nothing asks for the address, both go because of that.
    expect(rules(await planned({}, { destroy: true }))).toEqual([]);
    const gone = await planned({}, allowing(here));
    expect([rules(gone), new Set(gone.steps.map((step) => step.reason.text))]).toEqual([
      [],
      new Set(['no longer in the manifest']),
    ]);
    // After a rename it is the new address that consent is given for.
    const renamed = { reserved_addrs: { b: {} }, moved: [{ from: here, to: 'reserved_addrs.b' }] };
    expect((await planned(renamed)).refusals.map(({ flag }) => flag)).toEqual(['--allow-loss reserved_addrs.b']);
    for (const proof of [allowing('reserved_addrs.b'), known({ ids: both, made: new Set([two]) })])
      expect(rules(await planned(renamed, proof))).toEqual([]);
    await done(content, allowing('reserved_addrs.a'));
    expect(ids('reserved_addrs')).toEqual([two]);
  });

  test('what a marker says to be replaced is found when the new object has been renamed already', async () => {
    await done({ event_destinations: { a: firehose } });
    const [old = ''] = ids('event_destinations');
    const made = await create('/event_destinations', { target: kinesis.target });
    const marker = JSON.parse(metadataOf('event_destinations', old)) as { edgeform: JsonObject };
    const metadata = JSON.stringify({
      edgeform: { ...marker.edgeform, address: 'event_destinations.b', replaces: old },
    });
    world.emulator.mutate('event_destinations', made, { metadata });
    const moved = [{ from: 'event_destinations.a', to: 'event_destinations.b' }];
    await done({ event_destinations: { b: kinesis }, moved });
    expect(ids('event_destinations')).toEqual([made]);
  });

  test('an update does not forget what its object takes the place of, while that is there', async () => {
    const { target } = kinesis;
    await done({ event_destinations: { a: firehose } });
    const [old = ''] = ids('event_destinations');
    const made = await create('/event_destinations', { target });
    const marker = JSON.parse(metadataOf('event_destinations', old)) as { edgeform: JsonObject };
    const metadata = JSON.stringify({ edgeform: { ...marker.edgeform, replaces: old } });
    world.emulator.mutate('event_destinations', made, { metadata });
    const plan = await planned({ event_destinations: { a: { target, description: 'new' } } });
    expect(plan.steps.map((step) => [step.action, step.live_id]).sort()).toEqual([
      ['delete', old],
      ['update', made],
    ]);
    // After the update alone, the next plan still knows which of the two is the object.
    const [patch] = plan.steps.flatMap((step) => (step.action === 'update' ? step.requests : []));
    world.emulator.mutate('event_destinations', made, { metadata: String(patch?.body?.[METADATA]) });
    expect((await planned({ event_destinations: { a: { target } } })).diagnostics).toEqual([]);
  });

  test('three of them: each has a step of its own', async () => {
    await done({ reserved_addrs: { a: {} } });
    const [one = ''] = ids('reserved_addrs');
    for (const _ of ['two', 'three']) await create('/reserved_addrs', { metadata: metadataOf('reserved_addrs', one) });
    const plan = await done({ reserved_addrs: { a: { lifecycle: { id: one } } } }, allowing('reserved_addrs.a'));
    expect(new Set(plan.steps.map((step) => step.id)).size).toBe(2);
    expect(ids('reserved_addrs')).toEqual([one]);
  });
});

test('a protected key whose token was never stored does not go; released, it can be made anew', async () => {
  const key = { api_keys: { ci: PROTECTED } };
  await done(key);
  const [id = ''] = ids('keys');
  const marker = JSON.parse(metadataOf('keys', id)) as { edgeform: JsonObject };
  const metadata = JSON.stringify({ edgeform: { ...marker.edgeform, applied: { token: 'pending' } } });
  world.emulator.mutate('keys', id, { metadata });
  for (const lifecycle of [{ prevent_destroy: true }, {}]) {
    const plan = await planned({ api_keys: { ci: { lifecycle } } });
    expect([rules(plan), words(plan)]).toEqual([['protected', 'irreplaceable'], expect.stringContaining('release it')]);
  }
  await done({ removed: [{ from: 'api_keys.ci', destroy: false }] });
  world.emulator.remove('keys', id);
  await done(key);
});

test('with targets, an object that another block pins is not taken for that of its old address', async () => {
  await done({ agent_ingresses: { a: ingress('one.test') } });
  const [id = ''] = ids('ingresses');
  const content = {
    agent_ingresses: { a: ingress('two.test'), b: ingress('one.test', { id, prevent_destroy: true }) },
  };
  const plan = await planned(content, { targets: ['agent_ingresses.a'], allowLoss: ['agent_ingresses.a'] });
  expect(plan.steps.map((step) => [step.action, step.address])).toEqual([['create', 'agent_ingresses.a']]);
});

describe('adoption that would be a replacement', () => {
  const KEY = 'ssh-ed25519 AAAA one';
  const foreign = () => create('/ssh_credentials', { public_key: KEY });
  const content = (lifecycle: JsonObject) => ({
    ssh_credentials: { a: { public_key: 'ssh-ed25519 BBBB two', lifecycle } },
  });

  test.each(['adopt', 'id'])('by `%s` needs its own consent', async (how) => {
    const id = await foreign();
    const plan = await planned(content({ [how]: id }));
    expect(plan.refusals).toMatchObject([
      { rule: 'adoption-replaces', addresses: ['ssh_credentials.a'], flag: '--allow-loss ssh_credentials.a' },
    ]);
    expect(words(plan)).toContain(id);
    const refusing = await planned(
      content({ [how]: id, on_immutable_change: 'refuse' }),
      allowing('ssh_credentials.a'),
    );
    expect(rules(refusing)).toEqual(['immutable-change']);
    // No flag is named that would not help alone.
    for (const more of [{ on_immutable_change: 'refuse' }, { prevent_destroy: true }]) {
      const { refusals } = await planned(content({ [how]: id, ...more }));
      expect(refusals.map(({ flag }) => flag)).toEqual([null, null]);
    }
    expect(rules(await planned(content({ [how]: id }), allowing('ssh_credentials.a')))).toEqual([]);
  });

  test('an object that the stack owns needs none', async () => {
    await done({ ssh_credentials: { a: { public_key: KEY } } });
    await done(content({}));
  });
});
