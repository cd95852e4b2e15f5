// Loads every stack of a fleet, and selects those of a run. All problems of all stacks are found before any request; nothing is
// read from a service.

import { hasErrors, type Diagnostic } from '../../core/diagnostic.ts';
import { Collector, Failure, usageError } from '../../core/failure.ts';
import { groupBy } from '../../core/group.ts';
import {
  DEFAULT_FLEET_FILE,
  loadEntry,
  readFleet,
  undeclaredEverywhere,
  type LoadedEntry,
} from '../../fleet/load-entry.ts';
import { linkStacks } from '../../fleet/order.ts';
import { checkOutputs } from '../files/check-outputs.ts';
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
  const { only, changedSince, shard } = settings;
  const isWhole = only.length === 0 && changedSince === undefined && shard === undefined;
  const isOffline = mayLackValues || unread !== undefined;
  const options = { cwd, env, variables, mayLackValues: isOffline || !isWhole };
  const all: LoadedEntry[] = [];
  for (const entry of file.entries) all.push(await loadEntry(entry, file, options));
  const { links, diagnostics: linked } = linkStacks(membersOf(all, run));
  const names = new Set(await collector.take(() => selectedIn({ name, file, loaded: all, links }, run)));
  const chosen = all.filter(({ entry }) => names.has(entry.name));
  const selected = isOffline ? chosen : chosen.map(withoutLacks);
  collector.try(() => checkFiles(run, [name, ...all.flatMap(({ files }) => files)], selected));
  collector.try(() => checkAlone(run, selected));
  return {
    selected,
    /** Those that the run leaves out, which may lack values of variables. */
    others: all.filter(({ entry }) => !names.has(entry.name)),
    links,
    /** Problems of no single manifest: of the fleet file, and those that stacks have together. */
    together: [...diagnostics, ...linked, ...undeclaredEverywhere(variables.keys(), all)],
    sources: new Map([...own, ...all.flatMap(({ sources }) => [...sources])]),
    /** Wrong options, also those that the file does not fit. */
    wrong: collector.hasFailed ? collector.failure() : undefined,
  };
}

/** The stack with every value that it lacks as a problem. */
function withoutLacks(one: LoadedEntry): LoadedEntry {
  const lacks = one.manifest?.lacks ?? [];
  return lacks.length === 0 ? one : { ...one, manifest: undefined, diagnostics: [...one.diagnostics, ...lacks] };
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
