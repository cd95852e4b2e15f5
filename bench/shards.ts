// A fleet in shards under one rate, counted in simulated time: `node scripts/run.mjs bench/shards.ts [STACKS [SHARDS [RATE]]]`.
// Each shard is a run of the engine by itself against an emulated service; every hundredth stack has a change to apply.

import type { Manifest } from '../src/manifest/manifest.ts';
import { applyFleet, counted, createPlace, outcomes, planFleet, type Place } from '../test/fleet/place.ts';
import { load } from '../test/support/world.ts';

const CHANGED_EVERY = 100;

const manifestOf = (name: string, text: string): Manifest =>
  load(`{ version: 1, stack: ${name}, reserved_addrs: { a: { description: ${text} } } }`);

/** Creates what the plans of these stacks create, as another run would have done long ago. */
async function fill(place: Place, stacks: Readonly<Record<string, Manifest>>): Promise<void> {
  for (const one of await planFleet(place.fleet(stacks)))
    for (const step of one.is === 'planned' ? one.plan.steps : [])
      for (const { method, path, body } of step.requests) place.direct.ask(method, path, body ?? undefined);
  place.asked.splice(0);
}

/** One shard of all stacks: its requests, and the simulated seconds that it takes. */
async function runShard(
  place: Place,
  stacks: Readonly<Record<string, Manifest>>,
  { rate, index, of }: { readonly rate: number; readonly index: number; readonly of: number },
) {
  const fleet = place.fleet(stacks, { rate: rate / of, shard: { index, of } });
  const { clock } = fleet.platform;
  const began = clock.now();
  const results = await applyFleet(fleet);
  const failed = Object.entries(outcomes(results)).filter(([, outcome]) => outcome !== 'done');
  if (failed.length > 0) throw new Error(`not done: ${JSON.stringify(failed.slice(0, 3))}`);
  return { stacks: results.length, ...counted(place.asked.splice(0)), seconds: (clock.now() - began) / 1000 };
}

async function simulate(count: number, shards: number, rate: number) {
  const names = Array.from({ length: count }, (_, at) => `s${at}`);
  const place = createPlace();
  await fill(place, Object.fromEntries(names.map((name) => [name, manifestOf(name, 'x')])));
  const all = Object.fromEntries(
    names.map((name, at) => [name, manifestOf(name, at % CHANGED_EVERY === 0 ? 'y' : 'x')]),
  );
  const ran: Awaited<ReturnType<typeof runShard>>[] = [];
  for (let index = 1; index <= shards; index += 1) ran.push(await runShard(place, all, { rate, index, of: shards }));
  const sum = (key: 'stacks' | 'lists' | 'reads' | 'writes') => ran.reduce((all, one) => all + one[key], 0);
  const totals = { stacks: sum('stacks'), lists: sum('lists'), reads: sum('reads'), writes: sum('writes') };
  const slowest = ran.reduce((most, one) => (one.seconds > most.seconds ? one : most));
  return { shards, rate, ...totals, requests: totals.lists + totals.reads + totals.writes, slowest };
}

const [stacks = 10_000, shards = 64, rate = 100] = process.argv.slice(2).map(Number);
console.log(JSON.stringify(await simulate(stacks, shards, rate), null, 2));
