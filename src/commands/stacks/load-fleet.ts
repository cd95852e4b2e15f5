// Loads every stack of a fleet, and selects those of a run. All problems of all stacks are found before any request; nothing is
// read from a service.

import { hasErrors, type Diagnostic, type QuotedFile } from '../../core/diagnostic.ts';
import { sha256 } from '../../core/digest.ts';
import { Collector, Failure, requireValue, usageError } from '../../core/failure.ts';
import { groupBy, partition } from '../../core/group.ts';
import { changedSince as namesChangedSince } from '../../fleet/changed.ts';
import { consentFlags, consentProblems, withoutEntry } from './consents.ts';
import {
  DEFAULT_FLEET_FILE,
  loadEntry,
  readFleet,
  undeclaredEverywhere,
  type LoadedEntry,
} from '../../fleet/load-entry.ts';
import type { FleetFile } from '../../fleet/fleet-file.ts';
import type { Member } from '../../fleet/member.ts';
import { linkStacks, type ImportLink, type Link } from '../../fleet/order.ts';
import { withoutSharedPresets } from '../../fleet/shared-presets.ts';
import { namesSelected, readShard, shardNumber } from '../../fleet/select.ts';
import { quotedFleetFile } from '../../manifest/text/quoted-file.ts';
import type { GivenValues } from '../../manifest/values/given-values.ts';
import { gitIn } from '../../platform/git.ts';
import { checkOutputs } from '../files/check-outputs.ts';
import { policyPaths, readPolicies } from '../files/policies.ts';
import { serviceOf } from '../options/connection.ts';
import { readVariables } from '../options/variables.ts';
import type { Invocation } from '../shell/invocation.ts';
import { checkAddresses, journalPath } from '../shell/check-inputs.ts';
import type { LoadOptions } from '../shell/load.ts';

interface FleetNeeds extends Pick<LoadOptions, 'mayLackValues' | 'mustBeNamed'> {
  /** True for a run that only deletes: it needs the names of stacks and what links them, and no value of a field. */
  readonly mayLackFields?: boolean;
}

export type LoadedFleet = Awaited<ReturnType<typeof loadFleet>>;

/**
 * Loads all stacks, with their problems; fails at once if no fleet file can be read. With mistakes in it, what is left out or is
 * not set because of them is no problem of its own.
 */
export async function loadFleet(
  run: Invocation,
  { mayLackValues, mustBeNamed = false, mayLackFields = false }: FleetNeeds,
) {
  const { settings } = run;
  const collector = new Collector();
  const { given, values: variables, failure: unread } = await readVariables(run);
  if (unread !== undefined) collector.add(unread);
  const { name, file, diagnostics, text } = readFile(run, collector);
  const isRight = !hasErrors(diagnostics);
  const isOffline = mayLackValues || unread !== undefined || !isRight;
  const loaded = await loadStacks(file, run, { variables, mayLackValues: isOffline || mayLackFields });
  const all = mustBeNamed ? loaded.map(withoutUnknownName) : loaded;
  const { links, moves, diagnostics: linked } = linkStacks(membersOf(all, run));
  const shared = [name, ...file.policies, ...settings.varFile, ...policyPaths(run)];
  const { isSelected, isInShard } = await choose({ all, links, moves, shared, isRight }, run, collector);
  const [chosen, left] = partition(all, isSelected);
  const selected = isOffline ? chosen : chosen.map(mayLackFields ? withoutLackingLinks : withoutLacks);
  checkFleetOptions({ name, all, selected, isRight }, run, collector);
  const policies = isRight ? await collector.take(() => readPolicies(run, file.policies)) : undefined;
  return {
    /** False when the fleet file has mistakes. */
    isRight,
    /** Of all shards. */
    selected,
    /** True for those of this run's shard, as far as the text alone shows. */
    isInShard,
    /** Those that the run leaves out, which may lack values of variables that do not say what they import. */
    others: isOffline ? left : left.map(withoutUnknownLinks),
    links,
    policies,
    refusesOpenings: file.refusesOpenings,
    /** Values of the command line. */
    given,
    /** Problems of no single manifest: of the fleet file, and those that stacks have together. */
    together: [...diagnostics, ...linked, ...(isRight ? undeclaredEverywhere(variables.keys(), all) : [])],
    sources: new Map([
      [name, quotedFleet({ name, text }, all, isRight)],
      ...all.flatMap(({ sources }) => [...sources]),
    ]),
    /** Wrong options, also those that the file does not fit. */
    wrong: collector.hasFailed ? collector.failure() : undefined,
  };
}

interface LoadingStacks {
  /** Those of the command line. */
  readonly variables: GivenValues;
  /** What is sent needs no values, or nothing is sent. */
  readonly mayLackValues: boolean;
}

/** Every stack, in the order of the file. One that the run may leave out need not have its values. */
async function loadStacks(file: FleetFile, run: Invocation, { variables, mayLackValues }: LoadingStacks) {
  const { cwd, env, settings } = run;
  const { only, except, wave, changedSince } = settings;
  const isAll = [...only, ...except].length === 0 && wave === undefined && changedSince === undefined;
  const options = { cwd, env, variables, mayLackValues: mayLackValues || !isAll };
  const loaded: LoadedEntry[] = [];
  for (const entry of file.entries) loaded.push(await loadEntry(entry, file, options));
  return withoutSharedPresets(loaded);
}

interface FleetToCheck {
  /** Of the fleet file. */
  readonly name: string;
  readonly all: readonly LoadedEntry[];
  readonly selected: readonly LoadedEntry[];
  readonly isRight: boolean;
}

/** Checks the options that name files, and those that name addresses or stacks, unless the fleet file has mistakes. */
function checkFleetOptions(
  { name, all, selected, isRight }: FleetToCheck,
  run: Invocation,
  collector: Collector,
): void {
  collector.try(() => checkFiles(run, [name, ...all.flatMap(({ files }) => files)], selected));
  if (!isRight) return;
  collector.try(() => checkAlone(run, selected));
  const names = all.map(({ entry }) => entry.name);
  for (const problem of consentProblems(run.settings, names)) collector.add(problem);
}

function readFile(run: Invocation, collector: Collector) {
  const name = run.settings.fleet ?? DEFAULT_FLEET_FILE;
  const { value: file, diagnostics, text } = readFleet(name, run);
  if (file !== undefined && text !== undefined) return { name, file, diagnostics, text };
  const own = text === undefined ? [] : [[name, quotedFleetFile({ name, text }, () => false)] as const];
  collector.add(new Failure('invalid', diagnostics, new Map(own)));
  throw collector.failure();
}

/** The fleet file, without values of variables that one of its stacks declares sensitive; with mistakes in it, not all stacks are known. */
function quotedFleet(
  file: { readonly name: string; readonly text: string },
  all: readonly LoadedEntry[],
  isRight: boolean,
): QuotedFile {
  const sensitive = new Set(all.flatMap(({ outline }) => outline?.sensitive ?? []));
  return quotedFleetFile(file, (variable) => !isRight || sensitive.has(variable));
}

interface Choosing {
  readonly all: readonly LoadedEntry[];
  readonly links: readonly ImportLink[];
  readonly moves: readonly Link[];
  /** Files that every entry depends on. */
  readonly shared: readonly string[];
  readonly isRight: boolean;
}

/** What --only, --except, --wave and --changed-since select together, and what --shard does. */
async function choose({ all, links, moves, shared, isRight }: Choosing, run: Invocation, collector: Collector) {
  const { cwd, env, settings } = run;
  const { changedSince: since } = settings;
  const entries = all.map(({ entry }) => entry);
  const names = entries.map(({ name }) => name);
  const like = collector.try(() => (isRight ? requireValue(namesSelected(entries, settings)) : new Set(names)));
  const changed = await collector.take(async () => {
    if (since === undefined) return like;
    return requireValue(await namesChangedSince(since, { cwd, git: gitIn(env), shared, loaded: all, links }));
  });
  const part = collector.try(() => shardFor(run));
  const shardOf = part && shardNumber(names, [...links, ...moves], part.of);
  return {
    isSelected: ({ entry: { name } }: LoadedEntry) => like?.has(name) === true && changed?.has(name) === true,
    isInShard: ({ entry: { name } }: LoadedEntry) => shardOf?.(name) === part?.index,
  };
}

/** The shard of this run; undefined if it takes the whole fleet. */
export function shardFor({ settings: { shard }, env }: Invocation) {
  return shard === undefined ? undefined : requireValue(readShard(shard, env));
}

/** The stacks whose manifests were read. Those whose variables are not set are at the same service if they name the same variables. */
function membersOf(loaded: readonly LoadedEntry[], run: Invocation): Member[] {
  return loaded.flatMap(({ entry, manifest, outline }): Member[] => {
    if (outline === undefined) return [];
    const { stack } = outline;
    const { name, range, wave, waveRange, baseUrlEnv, apiKeyEnv } = entry;
    const key = run.env[apiKeyEnv];
    const account = key === undefined ? apiKeyEnv : sha256(key);
    const url = serviceOf(run, entry);
    // Without an address, journals of the same variable are the same.
    const journal = stack === undefined ? undefined : (journalPath(run, stack, url) ?? `${baseUrlEnv} ${stack}`);
    const service = `${url?.href ?? baseUrlEnv} ${account}`;
    return [{ name, service, journal, stack, manifest, wave, waveRange, range }];
  });
}

/** The stack with every value that it lacks as a problem. */
function withoutLacks(one: LoadedEntry): LoadedEntry {
  return withProblems(one, one.manifest?.lacks);
}

/** The stack with every value as a problem without which it is not known whose objects it deletes, and in which order. */
function withoutLackingLinks(one: LoadedEntry): LoadedEntry {
  return withProblems(one, one.manifest?.lacksInLinks);
}

/** The stack with every value as a problem without which its name is not known. */
function withoutUnknownName(one: LoadedEntry): LoadedEntry {
  return withProblems(one, one.manifest?.lacksInName);
}

/** The stack with every value as a problem without which it is not known what it imports: what is unknown is not none. */
function withoutUnknownLinks(one: LoadedEntry): LoadedEntry {
  const { name } = one.entry;
  const why = `${name} is left out, but what it imports must be known, because it stays`;
  return withProblems(
    one,
    one.manifest?.lacksInLinks?.map((lack) => ({ ...lack, message: `${lack.message}; ${why}` })),
  );
}

function withProblems(one: LoadedEntry, problems: readonly Diagnostic[] = []): LoadedEntry {
  return problems.length === 0 ? one : { ...one, manifest: undefined, diagnostics: [...one.diagnostics, ...problems] };
}

/** Every problem, each with the stacks that have it. */
export function problemsIn({ selected, others, together }: LoadedFleet): Diagnostic[] {
  const found = [...selected, ...others].flatMap(({ entry, diagnostics }) =>
    diagnostics.map((one) => ({ entry, one })),
  );
  // A fix may name its entry: the first one stands for all.
  const groups = groupBy(found, ({ one: { fix: _, ...problem } }) => JSON.stringify(problem));
  const own = [...groups.values()].map(([{ entry, one }, ...more]): Diagnostic => {
    const message = `the entry ${entry.name}${more.length === 0 ? '' : ` and ${more.length} more`}`;
    return { ...one, related: [...(one.related ?? []), { message, range: entry.range }] };
  });
  return [...own, ...together];
}

/** The fleet, or a failure with everything that is wrong. */
export function requireFleet(fleet: LoadedFleet, collector = new Collector()): LoadedFleet {
  if (fleet.wrong !== undefined) collector.add(fleet.wrong);
  const problems = problemsIn(fleet);
  if (hasErrors(problems)) collector.add(new Failure('invalid', problems, fleet.sources));
  if (collector.hasFailed) throw collector.failure();
  return fleet;
}

/** Checks that the command does not write to files that it reads, or to journals. */
function checkFiles(run: Invocation, read: readonly string[], selected: readonly LoadedEntry[]): void {
  const journals = selected.flatMap(({ entry, outline }) =>
    outline?.stack === undefined ? [] : (journalPath(run, outline.stack, serviceOf(run, entry)) ?? []),
  );
  checkOutputs(run, [
    ...read.map((path) => ({ name: 'a file of the fleet', path })),
    ...journals.flatMap((path) => [path, `${path}.lock`]).map((path) => ({ name: 'a journal', path })),
  ]);
}

/**
 * Addresses are unique within one stack only, so options that take one need a run with a single stack. So does an option that lifts
 * a rule for every object.
 */
function checkAlone(run: Invocation, selected: readonly LoadedEntry[]): void {
  const { settings } = run;
  const { targets, recreate, deletedOutside, given } = settings;
  const consents = withoutEntry(settings);
  const consentsUsed = consentFlags(consents);
  const used = [
    ...(targets.length > 0 ? ['--target'] : []),
    ...consentsUsed,
    ...(Array.isArray(given.resolutions) && given.resolutions.length > 0 ? ['--resolve'] : []),
    ...(recreate ? ['--recreate'] : []),
    ...(deletedOutside ? ['--deleted-outside'] : []),
  ];
  if (used.length === 0) return;
  const [only, ...more] = selected;
  if (only === undefined || more.length > 0) {
    const [flag = ''] = used;
    const isOneConsent = used.length === 1 && consentsUsed.length === 1;
    const otherwise = isOneConsent ? `name its stack, as in ${flag} ENTRY:ADDRESS, or ` : '';
    throw usageError(`${used.join(', ')} can only be used with one stack`, `${otherwise}select it with --only NAME`);
  }
  if (only.outline !== undefined) checkAddresses({ ...run, settings: { ...settings, ...consents } }, only.outline);
}
