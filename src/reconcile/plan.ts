// The plan and the drift of a manifest from a read of the live state, with the same options as an apply. Writes nothing.

import { findMatchedDrift, type DriftResult, type MatchedDrift } from '../drift/drift.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { buildPlan, withDiagnostics, type PlanInput } from '../plan/build.ts';
import { importsIn, unusableImports } from '../plan/match/imports.ts';
import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { createReadClient } from '../service/client.ts';
import { checkOptions } from './check-options.ts';
import { answersOf, NO_NOTES, notesFor, readNotes, type EarlierRuns } from './execution/noted.ts';
import type { ExpectedObject } from './execution/run-effects.ts';
import { lostBeside } from './other-journals.ts';
import { pinnedBy, readAll, seenBy } from './read.ts';
import { clientPorts, type RunInput } from './run.ts';
import { withDeadline } from './stop.ts';
import { storedValues, tokenStoreOf, tokenWarnings } from './execution/token-files.ts';

/** The input of the planner: the user's options, and the journal's view. */
export function planInput(
  run: RunInput,
  snapshot: Snapshot,
  { stored, view: journal }: Pick<EarlierRuns, 'stored' | 'view'>,
  destroy = false,
): PlanInput {
  const { manifest, connection, options } = run;
  const { allowDeletes, allowLoss, allowTakeover = [], recreate = false, targets, capabilities } = options;
  const { refusesOpenings = false, allowOpening = [] } = options;
  const lostTogether = lostBeside(run, snapshot, journal);
  return {
    manifest,
    snapshot,
    service: connection.baseUrl.href,
    policies: run.policies,
    options: {
      destroy,
      allowDeletes,
      allowLoss,
      allowTakeover,
      refusesOpenings,
      allowOpening,
      recreate,
      targets,
      capabilities,
      stored: storedValues(stored, snapshot, tokenStoreOf(run)),
      ...(journal && { journal }),
      ...(lostTogether && { lostTogether }),
      ...run.elsewhere,
    },
  };
}

/** A manifest and the live state, ready for a plan or a drift check. */
export interface Preview {
  readonly snapshot: Snapshot;
  /** What was read, before anything of the manifest is applied to it. */
  readonly read: Snapshot;
  readonly input: PlanInput;
  /** Why the journal was not used. */
  readonly problem?: Diagnostic;
}

/** Every object that earlier runs recorded; those answered to be absent are read all the same. */
function expectedIn(...noted: readonly (readonly EarlierRuns[])[]): ExpectedObject[] {
  const expected = noted.flat().flatMap((one) => one.expectedObjects);
  return [...new Map(expected.map((one) => [one.id, one])).values()];
}

/** The live state for one manifest. */
export async function preview(given: RunInput, soFar: string): Promise<Preview> {
  checkOptions(given);
  const run = withDeadline(given, given.options.deadlineMs, given.platform.clock);
  const { manifest, connection, options, platform } = run;
  const owner = { stack: manifest.stack, service: connection.baseUrl.href };
  const { accounts, problem } = readNotes(options.journal, owner, platform, answersOf(options));
  const isAnswered = options.resolutions.length > 0;
  const before = isAnswered ? readNotes(options.journal, owner, platform).accounts : [];
  const expectedObjects = expectedIn(accounts, before);
  const client = run.service?.clients.reader ?? createReadClient(connection, clientPorts(run));
  const read = await readAll({ client, pinned: pinnedBy(manifest), expectedObjects, soFar }, run);
  const known = notesFor(accounts, read) ?? NO_NOTES;
  const snapshot = seenBy(manifest, read, known.view);
  return { snapshot, read, input: planInput(run, snapshot, known), ...(problem && { problem }) };
}

/** The plan of a manifest: what `apply` would do. */
export async function makePlan(run: RunInput): Promise<Plan> {
  return planFrom(run, await preview(run, 'nothing was changed'));
}

/** The plan of a live state that was read. */
export function planFrom(run: RunInput, { input, problem }: Preview): Plan {
  return withFileProblems(buildPlan(input), run, problem);
}

/** The plan with problems of files that would stop it: the token files and the journal. */
export function withFileProblems(plan: Plan, run: RunInput, journal: Diagnostic | undefined): Plan {
  const tokens = tokenWarnings(plan, tokenStoreOf(run));
  return withDiagnostics(plan, journal === undefined ? tokens : [...tokens, journal]);
}

/** The drift, and the plan behind it. Fails when the live state cannot be trusted. */
export async function detectDrift(run: RunInput): Promise<DriftResult> {
  return driftOf(run, await preview(run, 'drift cannot be determined'));
}

/** The same, with the objects that were compared. */
export async function detectMatchedDrift(run: RunInput): Promise<MatchedDrift> {
  return matchedDriftOf(run, await preview(run, 'drift cannot be determined'));
}

/** The drift of a live state that was read. */
export function driftOf(run: RunInput, read: Pick<Preview, 'input' | 'problem'>): DriftResult {
  const { drift, plan } = matchedDriftOf(run, read);
  return { drift, plan };
}

/** The same, with the objects that were compared. */
export function matchedDriftOf(run: RunInput, { input, problem }: Pick<Preview, 'input' | 'problem'>): MatchedDrift {
  refuseWithoutImports(input);
  const found = findMatchedDrift(input);
  const problems = doubtfulLists(found.plan);
  if (problems.length > 0) throw new Failure('error', problems);
  // Problems of the journal do not affect drift.
  return { ...found, plan: withFileProblems(found.plan, run, problem && { ...problem, severity: 'warning' }) };
}

/** What depends on an import that cannot be used cannot be judged. */
function refuseWithoutImports({ manifest, snapshot, options }: PlanInput): void {
  const problems = unusableImports(importsIn(manifest, snapshot), options);
  const named = problems.map((problem) => ({ ...problem, message: `${problem.address}: ${problem.message}` }));
  if (named.length > 0) throw new Failure('refused', named);
}

/** Findings based on a list that cannot be trusted would be false alarms. */
function doubtfulLists({ refusals }: Plan): Diagnostic[] {
  return refusals
    .filter(({ rule }) => rule === 'empty-list')
    .map(({ rule, message, fix }) => ({ code: rule, severity: 'error', message, ...(fix !== undefined && { fix }) }));
}
