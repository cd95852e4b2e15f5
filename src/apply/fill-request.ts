// The requests of a step as they are sent: with placeholders filled in, and the run's name in the markers of what it creates.

import { kindByName } from '../catalog/lookup.ts';
import { parsePath } from '../catalog/path.ts';
import { fillPath, fillValues, revealBody } from '../resource/placeholder.ts';
import type { PlannedRequest } from '../plan/plan.ts';
import { withRunName } from './duplicates/run-name.ts';
import { lookupFor, type StepRun } from './step-run.ts';

export type Ready = ReturnType<typeof fillRequest>;

/** The next request of a step, with its references filled in; the step records what it sends. */
export function fillRequest(run: StepRun, request: PlannedRequest) {
  const { step } = run;
  const kind = kindByName(step.kind);
  const lookup = lookupFor(run);
  const path = fillPath(request.path, lookup);
  const filled = request.body === undefined ? undefined : fillValues(request.body, lookup, run.sent);
  const isOwn = request.method === 'POST' || run.history.created.has(run.liveId ?? '');
  const values = isOwn && filled !== undefined ? withRunName(kind, filled, run.history.runName) : filled;
  run.sent = { ...run.sent, ...values };
  const target = parsePath(kind, path);
  run.parentId = target?.parentId ?? run.parentId;
  const field = Object.keys(kind.fields).find((name) => kind.fields[name]?.remove === target?.field);
  return {
    method: request.method,
    path,
    values,
    body: values === undefined ? undefined : revealBody(values),
    planned: request.body ?? null,
    /** The field that a DELETE removes; undefined for the object itself. */
    field: target?.field === undefined ? undefined : (field ?? target.field),
  };
}
