// fleet drift --accept: one patch of the manifests of all stacks. Writes nothing to a service.

import { resolve } from 'node:path';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { usageError } from '../../core/failure.ts';
import { worstOf, type RunOutcome } from '../../core/run-outcome.ts';
import type { FleetRun } from '../../fleet/fleet.ts';
import type { LoadedEntry } from '../../fleet/load-entry.ts';
import type { ComparedStack } from '../../fleet/drift.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { throughLinks } from '../../platform/paths.ts';
import { renderFleetAs, type FleetOutcome } from '../../render/fleet.ts';
import type { FleetStackOutcome } from '../../render/view/stack-outcome.ts';
import {
  acceptDocument,
  acceptOne,
  outcomeOfAccepted,
  printAccepted,
  writeAccepted,
  type Accepted,
  type Accepting,
} from '../files/accepted-drift.ts';
import type { Call } from '../shell/command.ts';
import { renderOptionsOf, type Invocation } from '../shell/invocation.ts';
import { outcomesOf } from './end-fleet.ts';

interface AcceptingFleet extends Pick<FleetOutcome, 'outside' | 'diagnostics'> {
  readonly run: FleetRun;
  readonly results: readonly ComparedStack[];
  /** Of the whole fleet. */
  readonly entries: readonly LoadedEntry[];
}

/** Addresses are unique within one stack only. */
export function checkAccepted({ settings: { accept } }: Invocation, stacks: FleetRun['stacks']): void {
  if (stacks.length === 1 || accept.every((word) => word === 'all')) return;
  throw usageError(
    '--accept ADDRESS can only be used with one stack',
    'select it with --only NAME, or use --accept all',
  );
}

/** `pending` when something is left out, or the outcome of a stack that could not be compared. */
export function acceptFleet(fleet: AcceptingFleet, call: Call): RunOutcome {
  const { invocation, listeners } = call;
  const { run, results, entries, ...about } = fleet;
  const compared = outcomesOf(results, invocation, run);
  const accepted = acceptEach(fleet, invocation);
  writeAccepted([...accepted.values()], invocation);
  const ended = compared.map((one) => withAccepted(one, accepted.get(one.name), invocation));
  const outcome = ended.map((one) => one.outcome).reduce(worstOf, 'done');
  invocation.note({ type: 'fleet', fleet: { command: 'drift', stacks: compared, outcome, ...about } });
  const lost = listeners.end(outcome);
  const end = lost.length === 0 ? outcome : worstOf(outcome, 'output');
  const problems = [...(about.diagnostics ?? []), ...lost];
  if (invocation.settings.format === 'json')
    printDocument({ command: 'drift', stacks: ended, outcome: end, ...about, diagnostics: problems }, invocation);
  else printAccepted([...accepted.values()], [...problems, ...uncompared(compared, entries)], invocation);
  return end;
}

/** What is accepted of each stack that could be compared, by its name. */
function acceptEach(fleet: AcceptingFleet, invocation: Invocation): ReadonlyMap<string, Accepted> {
  const isShared = sharedFiles(fleet.entries, invocation.cwd);
  return new Map(
    fleet.results.flatMap((result): [string, Accepted][] => {
      const accepting = acceptingOf(result, fleet);
      return accepting === undefined ? [] : [[result.name, acceptOne({ ...accepting, isShared }, invocation)]];
    }),
  );
}

function acceptingOf(result: ComparedStack, { run, entries }: AcceptingFleet): Accepting | undefined {
  const { texts, entry } = entries.find((own) => own.entry.name === result.name) ?? {};
  const manifest = run.stacks.find(({ name }) => name === result.name)?.run.manifest;
  if (result.is !== 'drift' || entry === undefined || texts === undefined || manifest === undefined) return undefined;
  return {
    found: result.drift,
    manifest,
    loaded: { ...texts, plain: texts.reload(texts).plain },
    problems: [],
    imported: importedFrom(manifest, entries),
    related: [entryNote(entry)],
  };
}

function withAccepted(
  compared: FleetStackOutcome,
  accepted: Accepted | undefined,
  invocation: Invocation,
): FleetStackOutcome {
  if (accepted === undefined) return compared;
  const { name, stack, service, wave } = compared;
  const document = acceptDocument(accepted, invocation);
  return { name, stack, service, wave, outcome: outcomeOfAccepted(accepted), is: 'accepted', document };
}

function printDocument(fleet: FleetOutcome, invocation: Invocation): void {
  const { stdout } = invocation;
  stdout.write(`${renderFleetAs('json', fleet, renderOptionsOf(invocation, stdout))}\n`);
}

/** Why stacks could not be compared, each with its entry. */
function uncompared(outcomes: readonly FleetStackOutcome[], entries: readonly LoadedEntry[]): Diagnostic[] {
  return outcomes.flatMap((one) => {
    if (one.is !== 'failed') return [];
    const related = entries.flatMap(({ entry }) => (entry.name === one.name ? [entryNote(entry)] : []));
    return one.diagnostics.map((problem) => ({ ...problem, related: [...(problem.related ?? []), ...related] }));
  });
}

function entryNote({ name, range }: LoadedEntry['entry']): NonNullable<Diagnostic['related']>[number] {
  return { message: `the entry ${name}`, range };
}

/** The addresses of a stack that others of the fleet import. */
function importedFrom({ stack }: Pick<Manifest, 'stack'>, entries: readonly LoadedEntry[]): ReadonlySet<string> {
  const imports = entries.flatMap(({ manifest }) => manifest?.imports ?? []);
  return new Set(imports.flatMap(({ from }) => ('stack' in from && from.stack === stack ? [from.address] : [])));
}

/** Whether several entries of the fleet read a file, as a manifest, an overlay or anything else. */
function sharedFiles(entries: readonly LoadedEntry[], cwd: string): (name: string) => boolean {
  const counts = new Map<string, number>();
  const placeOf = (name: string) => throughLinks(resolve(cwd, name));
  for (const { files } of entries)
    for (const place of new Set(files.map(placeOf))) counts.set(place, (counts.get(place) ?? 0) + 1);
  return (name) => (counts.get(placeOf(name)) ?? 0) > 1;
}
