// The requests of a step as they are sent: with placeholders filled in, and what only the run knows in the markers: its commit, and
// its name in those of what it creates.

import type { JsonObject } from '../core/json.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import { parsePath } from '../catalog/path.ts';
import { Secret } from '../core/secrets/secret.ts';
import type { ValueObject } from '../core/value.ts';
import { readMarker, writeMarker } from '../resource/marker/marker-codec.ts';
import type { Marker } from '../resource/snapshot.ts';
import { fillPath, fillValues, revealBody } from '../resource/placeholder.ts';
import type { PlannedRequest } from '../plan/plan.ts';
import { lookupFor, type StepRun } from './step-run.ts';

/** A request with its references filled in. */
export interface Ready {
  readonly method: PlannedRequest['method'];
  readonly path: string;
  /** Undefined for a request without a body. */
  readonly values: ValueObject | undefined;
  readonly body: JsonObject | undefined;
  /** The body as it stands in the plan. */
  readonly planned: PlannedRequest['body'] | null;
  /** The field that a DELETE removes; undefined for the object itself. */
  readonly field: string | undefined;
}

/** The next request of a step, with its references filled in; the step records what it sends. */
export function fillRequest(run: StepRun, request: PlannedRequest): Ready {
  const { step } = run;
  const kind = kindByName(step.kind);
  const lookup = lookupFor(run);
  const path = fillPath(request.path, lookup);
  const filled = request.body === undefined ? undefined : fillValues(request.body, lookup, run.sent);
  const values = filled && withRun(filled, marksOf(run, request));
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
    field: target?.field === undefined ? undefined : (field ?? target.field),
  };
}

/** The names of the fields that a request sends, or of the one that it removes. */
export function fieldsIn({ values = {}, field }: Pick<Ready, 'values' | 'field'>): string[] {
  return field === undefined ? Object.keys(values) : [field];
}

/** What a run adds to the markers that it writes. */
type RunMarks = Pick<Marker, 'created_by' | 'commit'>;

/**
 * The run's name, in the marker of its own new object: another run may create the same address, and when an answer is lost, only the
 * name tells whose the object is (ADR-0022). The commit, in every marker: the plan does not hold it, so that a plan made from one
 * commit is the same as one made from another (ADR-0062).
 */
function marksOf({ history, live_id: id }: StepRun, { method }: PlannedRequest): RunMarks {
  const { runName, commit, created } = history;
  const isOwn = method === 'POST' || created.has(id ?? '');
  const name = isOwn && runName !== undefined ? { created_by: runName } : {};
  const from = commit === undefined ? {} : { commit };
  return { ...name, ...from };
}

/** The body with these in the marker of its metadata. A commit that the plan took over from a live marker goes. */
function withRun(values: ValueObject, marks: RunMarks): ValueObject {
  const metadata = values[METADATA];
  const sign = (text: string) => {
    const { marker, user } = readMarker(text);
    if (marker === undefined) return text;
    const { commit: _, ...planned } = marker;
    return writeMarker(user, { ...planned, ...marks });
  };
  if (typeof metadata === 'string') return { ...values, [METADATA]: sign(metadata) };
  return metadata instanceof Secret ? { ...values, [METADATA]: metadata.map(sign) } : values;
}
