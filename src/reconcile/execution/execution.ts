// A running apply: the data that its stages share, and the two things they do repeatedly, planning and applying.

import { applyPlan } from '../../apply/apply.ts';
import type { Place } from '../../apply/places.ts';
import type { StepResult } from '../../apply/event.ts';
import type { RunHistory } from '../../apply/gate/run-history.ts';
import type { ApplyInput } from '../../apply/step-run.ts';
import { kindByName, rootOf } from '../../catalog/lookup.ts';
import { afterWrite, type ShownValues } from '../../core/shown-values.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { lazy } from '../../core/lazy.ts';
import type { JournalView, KnownObject } from '../../plan/journal-view.ts';
import { buildPlan, type PlanInput } from '../../plan/build.ts';
import { importsIn } from '../../plan/match/imports.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { secretLookup, knownValues } from '../../plan/lookup.ts';
import type { Snapshot } from '../../resource/snapshot.ts';
import type { Clients } from '../../service/client.ts';
import type { ReadOptions } from '../../service/read.ts';
import type { Planned } from '../settle.ts';
import { planInput } from '../plan.ts';
import { pinnedBy, readAll, seenBy } from '../read.ts';
import type { RunInput } from '../run.ts';
import type { RunJournal } from '../run-journal.ts';

export interface ApplyRun extends RunInput {
  /** True to delete everything that the stack owns. */
  readonly destroy?: boolean;
  /** A saved plan to apply instead of a new one. */
  readonly saved?: Plan | undefined;
  /** A new plan that was shown and approved before: carried out as a saved one, and judged as a new one. */
  readonly shown?: Plan;
  /** Approves the plan, or rejects with a `Failure`; nothing has been written before. */
  readonly approve: (plan: Plan) => Promise<void>;
  /** Its place among runs side by side; undefined for a run alone. */
  readonly place?: RunPlace;
  /** Called after the last step: lost output of the caller becomes part of the outcome. */
  readonly flush?: () => Promise<readonly Diagnostic[]>;
}

/** The place of a run, which it leaves when its writes are over, while it waits for the service to show them. */
export interface RunPlace extends Omit<Place, 'leave'> {
  /** Says whether everything was done. */
  readonly leave: (isDone: boolean) => void;
  /** Resolves when the run may read what it wrote: one read serves many runs. */
  readonly turnToRead: () => Promise<void>;
}

export interface Execution extends ApplyRun {
  readonly runJournal: RunJournal;
  readonly clients: Clients;
  /** What this run has done so far. */
  readonly history: RunHistory;
}

export type OnCreated = NonNullable<ApplyInput['onCreated']>;

/** The current live state and its plan; `kept` need not be read again. */
export async function planNow(run: Execution, soFar: string, kept?: ReadOptions['kept']): Promise<Planned> {
  const { manifest, clients, runJournal, history } = run;
  const known = [...runJournal.expectedObjects, ...history.created.values()];
  const expectedObjects = known.filter(({ id }) => !history.deleted.has(id));
  const isNew = runJournal.view.creating.size > 0;
  const reading = { client: clients.reader, pinned: pinnedBy(manifest), expectedObjects, isNew, kept, soFar };
  const read = await readAll(reading, run);
  runJournal.choose(read);
  const snapshot = seenBy(manifest, read, withRun(runJournal.view, history));
  runJournal.observe(snapshot, manifest);
  const plan = lazy(() => buildPlan(planInputOf(run, snapshot)));
  return {
    read,
    snapshot,
    get plan() {
      return plan();
    },
  };
}

/** The top-level kinds whose lists show what the steps change. */
export function kindsOf(steps: readonly Step[]): ReadonlySet<string> {
  return new Set(steps.map(({ kind }) => rootOf(kindByName(kind)).name));
}

export function planInputOf(run: Execution, snapshot: Snapshot): PlanInput {
  return planInput(
    run,
    snapshot,
    { stored: run.runJournal.stored, view: withRun(run.runJournal.view, run.history) },
    run.destroy,
  );
}

/** The view of earlier runs, updated by this one. */
function withRun(view: JournalView, history: RunHistory): JournalView {
  const { runName, created, deleted, repeated, written, untaken } = history;
  const fresh = [...created.values()].map(({ id, address }): [string, KnownObject] => [
    id,
    { address, createdHere: true, isFresh: true },
  ]);
  // What this run deleted is gone, whatever a list that is behind shows; without a journal of before, nothing else says so.
  const gone = [...deleted].map(([id, address]): [string, KnownObject] => [id, { address }]);
  // What was adopted, no journal knew before.
  const answered = [...untaken].map(([id, { address }]): [string, KnownObject] => [id, { address }]);
  const names = runName === undefined ? [] : [runName];
  return {
    objects: new Map([...gone, ...answered, ...view.objects, ...fresh].map((known) => knownNow(known, history))),
    creating: new Set([...view.creating, ...repeated]),
    runs: new Set([...view.runs, ...names]),
    unfinished: new Set([...view.unfinished, ...names]),
    unread: new Map([...(view.unread ?? [])].filter(([id]) => !written.has(id))),
  };
}

const NOTHING_SHOWN: ShownValues = new Map();

/** An object of earlier runs or of this one, and what this run knows of it by now. */
function knownNow(
  [id, known]: [string, KnownObject],
  { deleted, released, untaken, written }: RunHistory,
): [string, KnownObject] {
  const isGone = deleted.has(id) || released.has(id);
  const shown = untaken.get(id)?.values ?? NOTHING_SHOWN;
  const isShown = known.untaken !== undefined || shown.size > 0;
  const sent = written.get(id)?.fields ?? new Set();
  const values = isShown && { untaken: afterWrite(known.untaken, { sent, shown }), untakenNow: new Set(shown.keys()) };
  return [id, { ...known, ...values, ...(isGone && { isGone }) }];
}

/** Carries out a plan; the clean-up of what this run created is finished even after a stop. */
export function executePlan(
  run: Execution,
  { plan, snapshot }: Pick<Planned, 'plan' | 'snapshot'>,
  onCreated: OnCreated,
  isCleanUp = false,
): Promise<readonly StepResult[]> {
  const { manifest, runJournal, clients, history, options, platform, emit } = run;
  return applyPlan({
    plan,
    client: clients.writer,
    secrets: secretLookup(manifest, snapshot),
    known: knownValues(manifest, snapshot),
    live: new Map(snapshot.resources.map((live) => [live.id, live])),
    imports: importsIn(manifest, snapshot).known,
    ...(run.service && { reads: run.service.reads }),
    ...(snapshot.whole && { others: snapshot.whole.byId }),
    capabilities: options.capabilities,
    clock: platform.clock,
    settleMs: options.settleMs,
    concurrency: options.concurrency,
    record: runJournal.record,
    signal: isCleanUp ? run.hardCancel : run.signal,
    isCleanUp,
    hardCancel: run.hardCancel,
    ownershipScope: manifest,
    history,
    onCreated,
    onEvent: (event) => emit({ type: 'step', event, run: runJournal.identity }),
  });
}
