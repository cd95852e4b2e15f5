// Stacks that have written and wait for the service to show it: they hold no place, and read together.

import { describe, expect, test } from 'vitest';
import { SettlingStacks } from '../../src/fleet/settling.ts';
import { reply } from '../support/fake-exchange.ts';
import { applyFleet, createPlace, LISTS, outcomes } from './place.ts';

/** A list without objects, which is one request of each read. */
const LIST = [...LISTS].find((request) => request !== 'GET /reserved_addrs');
const addresses = (name: string, count: number) => {
  const blocks = Array.from({ length: count }, (_, at) => `a${at}: { description: "${name} ${at}" }`);
  return `{ version: 1, stack: ${name}, reserved_addrs: { ${blocks.join(', ')} } }`;
};
const fleetOf = (stacks: number, count: number) =>
  Object.fromEntries(Array.from({ length: stacks }, (_, at) => [`s${at}`, addresses(`s${at}`, count)]));

/** Stacks whose turn has come, in the order of their asking. */
function waiting(given: Partial<ConstructorParameters<typeof SettlingStacks>[0]> = {}) {
  const stop = new AbortController();
  const settling = new SettlingStacks({ stacks: 40, concurrency: 2, signal: stop.signal, ...given });
  const read: string[] = [];
  const ask = (name: string, isWaitedFor = false) =>
    void settling.turnToRead(isWaitedFor).then(() => {
      read.push(name);
    });
  const turns = async () => {
    await Promise.resolve();
    return read.splice(0);
  };
  return { settling, ask, turns, stop };
}

describe('a read begins', () => {
  test('when a quarter of all stacks wait for it', async () => {
    const { settling, ask, turns } = waiting();
    settling.note(40);
    for (let at = 0; at < 9; at++) ask(`s${at}`);
    expect(await turns()).toEqual([]);
    ask('s9');
    expect(await turns()).toHaveLength(10);
  });

  test('when as many wait as may write at a time, if that is more', async () => {
    const { settling, ask, turns } = waiting({ stacks: 8, concurrency: 3 });
    settling.note(8);
    for (const name of ['a', 'b']) ask(name);
    expect(await turns()).toEqual([]);
    ask('c');
    expect(await turns()).toEqual(['a', 'b', 'c']);
  });

  test('when everyone waits who has begun, and whoever comes later waits for the next one', async () => {
    const { settling, ask, turns } = waiting();
    settling.note(3);
    ask('a');
    ask('b');
    expect(await turns()).toEqual([]);
    settling.note(2);
    expect(await turns()).toEqual(['a', 'b']);
    ask('c');
    expect(await turns()).toEqual([]);
  });

  test('at once for a stack that others wait for, and serves everyone', async () => {
    const { settling, ask, turns } = waiting();
    settling.note(40);
    ask('a');
    ask('network', true);
    expect(await turns()).toEqual(['a', 'network']);
  });

  test('at once when the run is stopped', async () => {
    const { settling, ask, turns, stop } = waiting();
    settling.note(40);
    ask('a');
    stop.abort();
    ask('b');
    expect(await turns()).toEqual(['a', 'b']);
  });
});

describe('many stacks that create', () => {
  test('read what they wrote a few times for all of them, whatever the number of places', async () => {
    const place = createPlace();
    const results = await applyFleet(place.fleet(fleetOf(64, 2), {}, { concurrency: 4 }));
    expect(new Set(Object.values(outcomes(results)))).toEqual(new Set(['done']));
    const reads = place.asked.filter((request) => request === LIST).length;
    // One for the plans, and two for each quarter at most; four stacks at a time that waited in their places would take 33.
    expect(reads).toBeLessThanOrEqual(9);
    expect(place.asked.filter((request) => request === 'POST /reserved_addrs')).toHaveLength(128);
  });

  test('give their places to others while they wait', async () => {
    const place = createPlace();
    let mostUnread = 0;
    let unread = 0;
    place.intercept = ({ method, url }) => {
      if (method === 'POST') unread += 1;
      if (method === 'GET' && url.pathname === '/reserved_addrs') unread = 0;
      mostUnread = Math.max(mostUnread, unread);
      return undefined;
    };
    await applyFleet(place.fleet(fleetOf(32, 1), {}, { concurrency: 1 }));
    // An eighth stack waits with the seven before it: none of them holds the only place.
    expect(mostUnread).toBeGreaterThanOrEqual(8);
  });

  test('with --fail-fast, begin nothing once the steps of one have failed, although it still waits', async () => {
    const place = createPlace();
    place.intercept = ({ method, body }) =>
      method === 'POST' && (body ?? '').includes('s1 1') ? reply(400, { msg: 'no', status_code: 400 }) : undefined;
    const fleet = place.fleet(fleetOf(12, 2), { failFast: true }, { concurrency: 1 });
    const ended = Object.values(outcomes(await applyFleet(fleet)));
    expect(ended[0]).toBe('done');
    expect(ended[1]).toMatch(/^partial/);
    expect(new Set(ended.slice(2))).toEqual(new Set(['not-attempted']));
  });
});
