// One stack is a fleet of one: the same world is played with single commands and with `fleet … --only`, and the requests, the documents
// and the exit codes are the same, but for a short table of differences.

import { expect, test } from 'vitest';
import { canonicalJson, isList, isObject, type Json, type JsonObject } from '../../src/core/json.ts';
import { describeWorld } from '../pairs/describe.ts';
import { worldFor } from '../pairs/make.ts';
import type { Mechanism } from '../pairs/mechanism.ts';
import { play, type Outcome, type Played } from '../pairs/play.ts';
import { allPairs } from '../pairs/triangle.ts';
import { FILES, MAIN, manifestOf, type Action, type FilesAction, type RunAction, type World } from '../pairs/world.ts';
import type { Block } from '../support/document.ts';

const TIMEOUT = 1_800_000;
/** How many pairs of mechanisms lie between two that are played. */
const EVERY = Math.max(1, Math.round(0.5 / Number(process.env['WORLDS_FACTOR'] ?? 0.02)));
const SEED = Number(process.env['WORLDS_SEED'] ?? 1);

/** Commands of one stack that a fleet has, too. */
const COMMANDS = ['plan', 'apply', 'destroy', 'drift'];
/** Only a fleet's own mechanisms are left out: for them there is no single command. */
const OF_FLEETS = ['fleet', 'wave', 'shard', 'hand-over'];

/** Members that differ on purpose, by their place in a document, and why. */
const MEMBERS: Readonly<Record<string, string>> = {
  'run.began': 'a fleet has read and planned when the run of its stack begins',
  'run.ended': 'the last look of a fleet reads all lists, once for all stacks that ended',
  'run.plan': 'the fingerprint of the plan, which is about all that the plan says',
  'base.commit': 'each world commits its own files, at its own time',
  unmanaged: 'a fleet lists objects that no stack owns, and not those of each other stack',
  'diagnostics.related': 'a fleet names its entry besides the manifest',
};

/** Words that differ on purpose: those of the single command, those of a fleet, and why. */
const WORDS: readonly (readonly [single: string, fleet: string, why: string])[] = [
  ['--allow-loss ', `--allow-loss ${MAIN}:`, 'an address says nothing about its stack'],
  ['--deleted-outside', `--deleted-outside --only ${MAIN}`, 'it needs a run of one stack'],
  ['--recreate', `--recreate --only ${MAIN}`, 'it needs a run of one stack'],
  ['/tokens/', `/tokens/${MAIN}/`, 'each stack of a fleet has a folder of its own'],
  [
    'give each a journal of its own with --journal FILE',
    'run the fleet in a folder for each',
    'a fleet has no --journal',
  ],
];

/** Pairs that are always played: what is refused, and what is destroyed. */
const ALWAYS = [
  'reference + `destroy`',
  '`destroy` + another account',
  'policy + another account',
  '`removed` + `--recreate`',
];

const ends = new Set<string>();

test('a fleet of one sends, says and ends as the single command', { timeout: TIMEOUT }, async () => {
  const pairs = allPairs().filter(({ apart, one, other }) => apart === undefined && ![one, other].some(isOfFleets));
  const played = pairs.filter(
    ({ one, other }, index) => (index + SEED) % EVERY === 0 || ALWAYS.includes(`${one.name} + ${other.name}`),
  );
  for (const { one, other } of played) {
    const world = worldFor(one, other, SEED);
    if (world === undefined || world.script.some((action) => action.type === 'run' && action.args[0] === 'fleet'))
      continue;
    const single = await play(comparable(world));
    const fleet = await play(asFleet(comparable(world)));
    const wrong = single.isPrepared ? differences(single, fleet) : [];
    expect(wrong, `${world.pair.join(' + ')}, seed ${SEED}\n${describeWorld(fleet.world, fleet)}`).toEqual([]);
  }
});

test('every command was compared, and refusals were', () => {
  for (const end of ['plan 0', 'plan 5', 'apply 0', 'apply 5', 'drift 0', 'destroy 0', 'destroy 5'])
    expect([...ends]).toContain(end);
});

function isOfFleets({ name }: Mechanism): boolean {
  return OF_FLEETS.includes(name);
}

/** Without what reads the file of a saved plan, and with the file of the fleet beside the manifest. */
function comparable(world: World): World {
  const main = world.script.find(isMain);
  const script = world.script.flatMap((action): readonly Action[] => {
    if (action.type === 'files') return [withFleet(action, main?.args ?? [])];
    return action.type === 'run' && action.role === 'show' ? [] : [action];
  });
  return { ...world, script };
}

function asFleet(world: World): World {
  const script = world.script.map((action): Action =>
    isMain(action) ? { ...action, args: fleetArgs(action.args) } : action,
  );
  return { ...world, script };
}

function isMain(action: Action): action is RunAction {
  return (
    action.type === 'run' &&
    action.stack === MAIN &&
    action.role !== 'other' &&
    COMMANDS.includes(action.args[0] ?? '') &&
    action.role !== 'exported' &&
    action.role !== 'rendered' &&
    action.into === undefined
  );
}

const valuesOf = (args: readonly string[], option: string) => args.filter((_, index) => args[index - 1] === option);

/** The manifest, its overlays and its variables stand in the file of the fleet. */
function withFleet(action: FilesAction, args: readonly string[]): FilesAction {
  const variables = Object.fromEntries(
    valuesOf(args, '--var').map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  );
  const overlays = Object.keys(action.files).filter((name) => name.startsWith(`${MAIN}.overlay`));
  const entry: Block = {
    name: MAIN,
    path: manifestOf(MAIN),
    ...(overlays.length > 0 && { overlays }),
    ...(Object.keys(variables).length > 0 && { variables }),
  };
  return { ...action, files: { ...action.files, [FILES.fleet]: { version: 1, stacks: [entry] } } };
}

const OF_MANIFEST = ['-f', '--overlay', '--var'];

function fleetArgs(args: readonly string[]): string[] {
  const kept = args.filter((arg, index) => !OF_MANIFEST.includes(arg) && !OF_MANIFEST.includes(args[index - 1] ?? ''));
  return ['fleet', ...kept.map((arg) => (arg.endsWith('.plan.json') ? FILES.plans : arg)), '--only', MAIN];
}

function differences(single: Outcome, fleet: Outcome): string[] {
  return single.runs.flatMap((one, index) => {
    const other = fleet.runs[index];
    const name = `${one.ran.number} ${one.action.args[0]}`;
    if (other === undefined) return [`run ${name} was not made`];
    if (isMain(one.action)) ends.add(`${one.action.args[0]} ${one.ran.exit}`);
    const sides = [
      ['requests before the last look', requestsOf(single, one), requestsOf(fleet, other)],
      ['exit', one.ran.exit ?? null, other.ran.exit ?? null],
      [
        'document',
        ...comparableDocuments(
          one.document ?? one.ran.stdout,
          isMain(one.action) ? ownPart(other) : (other.document ?? other.ran.stdout),
        ),
      ],
    ] as const;
    return sides
      .filter(([, a, b]) => JSON.stringify(a) !== JSON.stringify(b))
      .map(([what, a, b]) => `run ${name}: ${what}: ${firstDifference(a, b)}`);
  });
}

function firstDifference(a: Json, b: Json, path = ''): string {
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])];
    const key = keys.find((one) => canonicalJson(a[one] ?? null) !== canonicalJson(b[one] ?? null));
    if (key !== undefined) return firstDifference(a[key] ?? null, b[key] ?? null, `${path}.${key}`);
  }
  return `${path}: ${JSON.stringify(a).slice(0, 400)} / ${JSON.stringify(b).slice(0, 400)}`;
}

/** All until the last write: the last look of a fleet reads all lists, once for all stacks that ended. */
function requestsOf({ service }: Outcome, { ran }: Played): Json[] {
  const all = service.log.filter(({ run }) => run === ran.number);
  const last = all.findLastIndex(({ method }) => method !== 'GET');
  return all
    .slice(0, last < 0 ? undefined : last + 1)
    .map(({ method, path, body }) => [method, path, (body ?? null) as Json]);
}

/** The document of the one stack. */
function ownPart({ document, ran }: Played): Json {
  const stacks = document?.['stacks'];
  if (!isList(stacks ?? null)) return document ?? ran.stdout;
  const [own] = stacks as readonly JsonObject[];
  return own?.['plan'] ?? own?.['report'] ?? own?.['drift'] ?? own?.['accept'] ?? own ?? null;
}

/** A document without what differs on purpose; where that is anything, its fingerprint is another one. */
function bare(document: Json, path = ''): Json {
  if (typeof document === 'string')
    return WORDS.reduce((text, [single, fleet]) => text.replaceAll(fleet, single), document);
  if (isList(document)) return document.map((one) => bare(one, path));
  if (!isObject(document)) return document;
  const placeOf = (key: string) => (path === '' ? key : `${path}.${key}`);
  const kept = Object.entries(document).filter(([key]) => MEMBERS[placeOf(key)] === undefined);
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value, placeOf(key))]));
}

/** Both, the fingerprints only where nothing differs on purpose. */
function comparableDocuments(single: Json, fleet: Json): readonly [Json, Json] {
  if (isObject(single) && single['format'] === 'edgeform-error/1') return [diagnosticsOf(single), diagnosticsOf(fleet)];
  const [one, other] = [single, fleet].map(withoutFingerprint);
  const isSame = canonicalJson(one ?? null) === canonicalJson(other ?? null);
  return isSame ? [bare(single), bare(fleet)] : [bare(one ?? null), bare(other ?? null)];
}

/** What could not be begun: the document of an error has nothing else. */
function diagnosticsOf(document: Json): Json {
  if (!isObject(document)) return document;
  const own = document['diagnostics'] ?? null;
  return isObject(own) ? diagnosticsOf(own) : bare({ diagnostics: own });
}

function withoutFingerprint(document: Json): Json {
  if (!isObject(document)) return document;
  const { fingerprint: _, ...rest } = document;
  return rest;
}
