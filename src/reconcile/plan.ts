// Plans and drift of manifests against one reading of the live state, with the same options as an apply. Writes nothing.

import type { Drift } from '../drift/drift.ts';
import { findDrift } from '../drift/drift.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { PlanInput } from '../plan/build.ts';
import { buildPlan } from '../plan/build.ts';
import type { JournalView } from '../plan/match/missing-objects.ts';
import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { createReadClient } from '../service/client.ts';
import type { EarlierRuns } from './noted.ts';
import { readNotes } from './noted.ts';
import { pinnedBy, readAll, seenBy } from './read.ts';
import type { RunInput, RunOptions } from './run.ts';
import { clientPorts } from './run.ts';
import { storedValues } from './token-files.ts';

/** What one plan is made from, besides the user's options. */
export interface MakePlanInput {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  readonly service: string;
  readonly destroy: boolean;
  /** Ids of objects whose value that is shown once is held, as the journal says. */
  readonly stored: ReadonlySet<string>;
  /** What the journal says of objects that may be missing. */
  readonly journal: JournalView | undefined;
}

/** The input of the planner, with the user's options. */
export function planInput(
  { destroy, stored, journal, ...request }: MakePlanInput,
  { options, platform }: Pick<RunInput, 'options' | 'platform'>,
): PlanInput {
  const { allowDeletes, allowReplace, targets, capabilities } = options;
  return {
    ...request,
    options: {
      destroy,
      allowDeletes,
      allowReplace,
      targets,
      capabilities,
      stored: storedValues(stored, request.snapshot, { folder: options.tokenDir, files: platform.tokenFiles }),
      ...(journal && { journal }),
    },
  };
}

/** A manifest beside the live state, ready to be planned or searched for drift. */
export interface Preview {
  readonly snapshot: Snapshot;
  readonly input: PlanInput;
}

/** One of several manifests, with what may differ between them. */
export interface PreviewRequest {
  readonly manifest: Manifest;
  readonly options: RunOptions;
}

/** The live state as one manifest sees it. */
export async function preview(run: RunInput, soFar: string): Promise<Preview> {
  const [found] = await previewAll([run], run, soFar);
  if (found === undefined) throw new RangeError('one manifest has one preview');
  return found;
}

/** Several manifests beside one reading of the live state: as many requests as for one of them. */
export async function previewAll(
  requests: readonly PreviewRequest[],
  run: Omit<RunInput, 'manifest'>,
  soFar: string,
): Promise<Preview[]> {
  const service = run.connection.baseUrl.href;
  const notes = requests.map(({ manifest, options }) =>
    readNotes(options.journal, { stack: manifest.stack, service }, run),
  );
  const snapshot = await readAll(
    {
      client: createReadClient(run.connection, clientPorts(run)),
      pinned: pinnedBy(requests.map(({ manifest }) => manifest)),
      expectedObjects: notes.flatMap(({ expectedObjects }) => expectedObjects),
      soFar,
    },
    run,
  );
  return requests.map((request, index) => beside(request, snapshot, notes[index], run));
}

function beside(
  { manifest, options }: PreviewRequest,
  read: Snapshot,
  noted: EarlierRuns | undefined,
  { platform, connection }: Omit<RunInput, 'manifest'>,
): Preview {
  const { view: journal, stored = new Set<string>() } = noted ?? {};
  const snapshot = seenBy(manifest, read, journal);
  const service = connection.baseUrl.href;
  const request = { manifest, snapshot, service, destroy: false, stored, journal };
  return { snapshot, input: planInput(request, { options, platform }) };
}

/** The plan of a manifest: what `apply` would do. */
export async function makePlan(run: RunInput): Promise<Plan> {
  const { input } = await preview(run, 'nothing was changed');
  return buildPlan(input);
}

/** What drifted, and the plan that it was found in. Fails when what was read cannot be trusted. */
export async function detectDrift(run: RunInput): Promise<{ readonly drift: Drift; readonly plan: Plan }> {
  const { input } = await preview(run, 'nothing can be said about drift');
  const found = findDrift(input);
  const problems = doubtfulLists(found.plan);
  if (problems.length > 0) throw new Failure('error', problems);
  return found;
}

/** Findings that rest on a list which cannot be trusted would be false alarms. */
function doubtfulLists({ refusals }: Plan): Diagnostic[] {
  return refusals
    .filter(({ rule }) => rule === 'empty-list')
    .map(({ rule, message }) => ({ code: rule, severity: 'error', message }));
}
