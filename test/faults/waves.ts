// A fleet with waves, and a fault at any effect of its run: nothing of a later wave is written before every stack of the waves
// before it is as it should be, and nothing at all after a stack that was not done. Runs of the same command then come to the end.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isList, isObject, tryParseJson, type Json } from '../../src/core/json.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { singles } from './enumerate.ts';
import { nameOf, type Planned } from './faults.ts';
import { foreignObjects } from './foreign.ts';
import { unique } from './judge.ts';
import type { Ran } from './machine.ts';
import type { Violation } from './oracles.ts';
import { marksIn, metadataOf } from './read-markers.ts';
import { BASE_URL, type Entry } from './service.ts';
import { API_KEY, type Runner, type WorldOutcome } from './setup.ts';
import { drainsQuietly, simulated } from './world.ts';
import type { Family, World } from './world-families.ts';

/** How often the command may be run until nothing is left to do. */
const MOST_RUNS = 5;
/** The end of a run that would be throttled for ever, and a while in which nothing can hang longer. */
const [DEADLINE_S, LIMIT_MS] = [900, 1_200_000];

interface Story {
  readonly name: string;
  /** Stack → its wave and its manifest. */
  readonly before: Stacks;
  readonly after: Stacks;
}

type Stacks = Readonly<Record<string, readonly [wave: number, body: string]>>;

const edge = (host: string, more = '') => `tls_edges: { web: { hostports: [${host}.example.com:443]${more} } }`;
const IMPORT = 'imports: { db: { stack: network, address: reserved_addrs.db } }\n';
const AT = ', description: "at ${imports.db.addr}"';

const NEW: Stacks = {
  late: [3, `${IMPORT}${edge('late', AT)}`],
  second: [2, `${IMPORT}${edge('second', AT)}`],
  beside: [2, 'failover_backends: { a: { backends: [bkdhr_2a] }, b: { backends: [bkdhr_2b] } }'],
  canary: [1, edge('canary')],
  network: [1, 'reserved_addrs: { db: { region: eu } }'],
};

const CHANGED: Stacks = {
  ...NEW,
  late: [3, `${IMPORT}${edge('canary', AT)}`],
  second: [2, edge('other')],
  beside: [2, 'failover_backends: { b: { backends: [bkdhr_2b, bkdhr_2a] }, c: { backends: [bkdhr_2a] } }'],
  canary: [1, edge('moved')],
};

const STORIES: readonly Story[] = [
  { name: 'from nothing', before: {}, after: NEW },
  { name: 'updates, deletions, and a hostport that moves to a later wave', before: NEW, after: CHANGED },
];

/** Fleet files are on the real disk, because the program reads them there. */
const folder = mkdtempSync(join(tmpdir(), 'waves-'));
process.on('exit', () => {
  rmSync(folder, { recursive: true, force: true });
});

interface Prepared {
  readonly story: Story;
  readonly fleet: string;
  readonly objects: readonly Stored[];
  readonly files: ReadonlyMap<string, string>;
  /** What each stack comes to without faults. */
  readonly ends: ReadonlyMap<string, string>;
  readonly clean: Ran;
}

function writeFleet(name: string, stacks: Stacks): string {
  const entries = Object.entries(stacks).map(([stack, [wave, body]]) => {
    const path = `${name}-${stack}.yaml`;
    writeFileSync(join(folder, path), `version: 1\nstack: ${stack}\n${body}\n`);
    return `  - { name: ${stack}, path: ${path}, wave: ${wave} }\n`;
  });
  const fleet = join(folder, `${name}.fleet.yaml`);
  writeFileSync(fleet, `version: 1\nstacks:\n${entries.join('')}`);
  return fleet;
}

function applying(place: Runner, fleet: string, seed: number, faults: readonly Planned[] = []): Promise<Ran> {
  const env = { EDGEFORM_API_KEY: API_KEY, EDGEFORM_BASE_URL: BASE_URL, EDGEFORM_ACTOR: 'tester' };
  const options = ['--auto-approve', '--format', 'json', '--allow-deletes', 'all', '--deadline', String(DEADLINE_S)];
  const args = ['fleet', 'apply', '--fleet', fleet, ...options];
  return place.run({ args, env, stdin: '', limitMs: LIMIT_MS, faults, seed });
}

async function prepared(story: Story): Promise<Prepared> {
  const name = story.name.replaceAll(/\W+/g, '-');
  const before = simulated(foreignObjects(), new Map(), {});
  if (Object.keys(story.before).length > 0)
    must(story, await applying(before, writeFleet(`${name}-before`, story.before), 1));
  const [objects, files] = [before.service.store.all(), before.files()];
  const fleet = writeFleet(name, story.after);
  const place = simulated(objects, files, {});
  const clean = must(story, await applying(place, fleet, 1));
  return { story, fleet, objects, files, ends: endsOf(place.service.store.all()), clean };
}

function must({ name }: Story, ran: Ran): Ran {
  if (ran.exit !== 0) throw new Error(`${name}: ended with ${ran.exit ?? 'nothing'}\n${ran.stdout}${ran.stderr}`);
  return ran;
}

/** What each stack owns, without ids and markers' digests. */
function endsOf(objects: readonly Stored[]): ReadonlyMap<string, string> {
  const ends = new Map<string, string[]>();
  for (const { kind, spec, ...one } of objects) {
    const [mark] = marksIn(metadataOf({ kind, spec, ...one })).marks;
    if (mark === undefined) continue;
    const { [METADATA]: _, addr: _addr, ...fields } = spec;
    const text = JSON.stringify([kind, mark.address, fields]).replaceAll(/[\w.]+\.tcp\.[\w.:]+/g, 'ADDR');
    ends.set(mark.stack, [...(ends.get(mark.stack) ?? []), text]);
  }
  return new Map([...ends].map(([stack, texts]) => [stack, texts.sort().join('\n')]));
}

async function play(world: Prepared, fault: Planned): Promise<WorldOutcome> {
  const { fleet, objects, files, ends } = world;
  const place = simulated(objects, files, {});
  const { service } = place;
  const runs = [await applying(place, fleet, 1, [fault])];
  for (let isOver = false; !isOver && runs.length <= MOST_RUNS;) {
    await drainsQuietly(place);
    const ran = await applying(place, fleet, runs.length + 1);
    runs.push(ran);
    isOver = ran.exit === 0 && !service.log.some(({ run, method }) => run === ran.number && method !== 'GET');
  }
  const violations = [
    ...early(world, service.log),
    ...runs.flatMap((ran) => afterFailure(world, ran, service.log)),
    ...(runs.length > MOST_RUNS ? [{ oracle: 'convergence', text: `not done after ${MOST_RUNS} runs` } as const] : []),
    ...[...ends].flatMap(([stack, text]) => differs(stack, text, endsOf(service.store.all()).get(stack))),
  ];
  return { violations: unique(violations), reruns: runs.length - 2, runs, log: service.log };
}

function differs(stack: string, expected: string, found: string | undefined): Violation[] {
  return found === expected
    ? []
    : [{ oracle: 'different', text: `${stack} is ${found ?? 'nothing'}, not ${expected}` }];
}

/** Writes of a stack while one of an earlier wave is not yet what it should be. */
function early(world: Prepared, log: readonly Entry[]): Violation[] {
  return writesIn(world, log).flatMap(({ stack, wave, entry: { method, path, objects } }) => {
    const now = endsOf(objects);
    const open = stacksBefore(world.story, wave).find((one) => now.get(one) !== world.ends.get(one));
    if (open === undefined) return [];
    return [{ oracle: 'wave' as const, text: `${method} ${path} of ${stack}, while ${open} is not done` }];
  });
}

/** Writes of a stack in a run that did not end well for one of an earlier wave. */
function afterFailure(world: Prepared, { stdout, number }: Ran, log: readonly Entry[]): Violation[] {
  const failed = new Set(failedIn(tryParseJson(stdout)));
  const own = writesIn(world, log).filter(({ entry }) => entry.run === number);
  return own.flatMap(({ stack, wave, entry: { method, path } }) => {
    const first = stacksBefore(world.story, wave).find((one) => failed.has(one));
    if (first === undefined) return [];
    return [{ oracle: 'wave' as const, text: `${method} ${path} of ${stack} after ${first} was not done` }];
  });
}

/** Names of the stacks that a report says were not done. */
function failedIn(report: Json | undefined): string[] {
  const stacks = isObject(report) ? report['stacks'] : undefined;
  if (stacks === undefined || !isList(stacks)) return [];
  return stacks.flatMap((one) => (isObject(one) && one['result'] !== 'ok' ? [String(one['name'])] : []));
}

function stacksBefore({ after }: Story, wave: number): string[] {
  return Object.entries(after).flatMap(([name, [own]]) => (own < wave ? [name] : []));
}

interface StackWrite {
  readonly stack: string;
  readonly wave: number;
  readonly entry: Entry;
}

/** Each write that reached the service, with the stack whose object it is about. */
function writesIn({ story, objects: first }: Prepared, log: readonly Entry[]): StackWrite[] {
  const owners = new Map<string, string>();
  const learn = (objects: readonly Stored[]) => {
    for (const one of objects) {
      const [mark] = marksIn(metadataOf(one)).marks;
      if (mark !== undefined) owners.set(one.id, mark.stack);
    }
  };
  learn(first);
  return log.flatMap((entry) => {
    learn(entry.objects);
    const stack = owners.get(entry.id) ?? '';
    const wave = story.after[stack]?.[0];
    return entry.method === 'GET' || wave === undefined ? [] : [{ stack, wave, entry }];
  });
}

/** What other people do to an object after its stack was done says nothing about waves. */
function isOwnFault(fault: Planned): boolean {
  return !('request' in fault) || (fault.request.reply.type !== 'concurrent edit' && fault.request.isEdited !== true);
}

export const WAVES: Family = {
  name: 'waves',
  // Its runs are longer than those of one stack, and there are more of their effects.
  weight: 0.3,
  worlds: async () => {
    const all = await Promise.all(STORIES.map(prepared));
    return all.flatMap((one) =>
      singles(one.clean.points, 'plain')
        .filter(isOwnFault)
        .map((fault): World => ({
          name: `${one.story.name}: ${nameOf(fault)} at ${fault.at} (${one.clean.points[fault.at]?.key ?? ''})`,
          play: () => play(one, fault),
        })),
    );
  },
};
