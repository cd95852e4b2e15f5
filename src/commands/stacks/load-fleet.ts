// Loads every stack of a fleet, and selects those of a run. All problems of all stacks are found before any request; nothing is
// read from a service.

import { hasErrors, type Diagnostic } from '../../core/diagnostic.ts';
import { Collector, Failure, usageError } from '../../core/failure.ts';
import { groupBy } from '../../core/group.ts';
import type { FleetEntry } from '../../fleet/fleet-file.ts';
import {
  DEFAULT_FLEET_FILE,
  loadEntry,
  readFleet,
  undeclaredEverywhere,
  type LoadedEntry,
} from '../../fleet/load-entry.ts';
import { linkStacks } from '../../fleet/order.ts';
import { checkOutputs } from '../files/check-outputs.ts';
import { readPolicies } from '../files/policies.ts';
import { readVariables } from '../options/variables.ts';
import type { Invocation } from '../shell/invocation.ts';
import { checkAddresses, journalPath } from '../shell/load.ts';
import { membersOf, selectedIn } from './select.ts';

type LoadedFleet = Awaited<ReturnType<typeof loadFleet>>;

/** Loads all stacks, with their problems; fails at once if the fleet file has errors. */
export async function loadFleet(run: Invocation, { mayLackValues }: { readonly mayLackValues: boolean }) {
  const { settings, cwd, env } = run;
  const collector = new Collector();
  if (settings.wrong !== undefined) collector.add(settings.wrong);
  const { values: variables, failure: unread } = await readVariables(run);
  if (unread !== undefined) collector.add(unread);
  const name = settings.fleet ?? DEFAULT_FLEET_FILE;
  const { value: file, diagnostics, text } = readFleet(name, run);
  const own = new Map(text === undefined ? [] : [[name, text]]);
  if (file === undefined) collector.add(new Failure('invalid', diagnostics, own));
  if (file === undefined) throw collector.failure();
  const load = async (entries: readonly FleetEntry[], isOffline: boolean) => {
    const loaded: LoadedEntry[] = [];
    const options = { cwd, env, variables, mayLackValues: isOffline || unread !== undefined };
    for (const entry of entries) loaded.push(await loadEntry(entry, file, options));
    return loaded;
  };
  const { only, changedSince, shard } = settings;
  const isWhole = only.length === 0 && changedSince === undefined && shard === undefined;
  const all = await load(file.entries, mayLackValues || !isWhole);
  const { links, diagnostics: linked } = linkStacks(membersOf(all, run));
  const names = new Set(await collector.take(() => selectedIn({ name, file, loaded: all, links }, run)));
  const chosen = all.filter(({ entry }) => names.has(entry.name));
  const isReady = isWhole || mayLackValues;
  const selected = isReady
    ? chosen
    : await load(
        chosen.map(({ entry }) => entry),
        false,
      );
  collector.try(() => checkFiles(run, [name, ...all.flatMap(({ files }) => files)], selected));
  collector.try(() => checkAlone(run, selected));
  const policies = await collector.take(() => readPolicies(run, file.policies));
  return {
    selected,
    /** Those that the run leaves out, which may lack values of variables. */
    others: all.filter(({ entry }) => !names.has(entry.name)),
    links,
    policies,
    /** Problems of no single manifest: of the fleet file, and those that stacks have together. */
    together: [...diagnostics, ...linked, ...sharedJournals(all), ...undeclaredEverywhere(variables.keys(), all)],
    sources: new Map([...own, ...all.flatMap(({ sources }) => [...sources])]),
    /** Wrong options, also those that the file does not fit. */
    wrong: collector.hasFailed ? collector.failure() : undefined,
  };
}

/** Every problem, each with the stacks that have it. */
export function problemsIn({ selected, others, together }: LoadedFleet): Diagnostic[] {
  const found = [...selected, ...others].flatMap(({ entry, diagnostics }) =>
    diagnostics.map((one) => ({ entry, one })),
  );
  const groups = groupBy(found, ({ one }) => JSON.stringify(one));
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

/** Journals are named after stacks, so that two stacks of one name cannot share a working directory, at whichever services. */
function sharedJournals(loaded: readonly LoadedEntry[]): Diagnostic[] {
  const byStack = groupBy(loaded, ({ outline }) => outline?.stack);
  return [...byStack.values()].flatMap(([first, ...others]) =>
    others.flatMap(({ entry, outline }): Diagnostic[] => [
      {
        code: 'bad-fleet',
        severity: 'error',
        message: `${first.entry.name} and ${entry.name} have the same stack, ${outline?.stack ?? ''}, and so the same journal`,
        range: entry.range,
        fix: 'give one of them another `stack`, for example `stack: NAME-${var.env}`',
        related: [{ message: 'first given here', range: first.entry.range }],
      },
    ]),
  );
}

/** Checks that the command does not write to files that it reads, or to journals. */
function checkFiles(run: Invocation, read: readonly string[], selected: readonly LoadedEntry[]): void {
  const journals = selected.flatMap(({ outline }) =>
    outline?.stack === undefined ? [] : journalPath(run, outline.stack),
  );
  checkOutputs(run, [
    ...read.map((path) => ({ name: 'a file of the fleet', path })),
    ...journals.flatMap((path) => [path, `${path}.lock`]).map((path) => ({ name: 'a journal', path })),
  ]);
}

/** An address says nothing about its stack: options with addresses need a run with one stack. */
function checkAlone(run: Invocation, selected: readonly LoadedEntry[]): void {
  const { targets, allowReplace, given } = run.settings;
  const named = Object.entries({
    '--target': targets,
    '--allow-replace': allowReplace,
    '--resolve': given.resolutions,
  });
  const used = named.filter(([, value]) => Array.isArray(value) && value.length > 0).map(([name]) => name);
  if (used.length === 0) return;
  const [only, ...more] = selected;
  if (only === undefined || more.length > 0)
    throw usageError(`${used.join(', ')} can only be used with one stack`, 'select it with --only NAME');
  if (only.outline !== undefined) checkAddresses(run, only.outline);
}
