// The requests of a step as they are sent: with placeholders filled in, and the run's name in the markers of what it creates.

import type { JsonObject } from '../core/json.ts';
import { METADATA } from '../catalog/fields/common.ts';
import { kindByName } from '../catalog/lookup.ts';
import { parsePath } from '../catalog/path.ts';
import { Secret } from '../core/secrets/secret.ts';
import type { ValueObject } from '../core/value.ts';
import { readMarker, writeMarker } from '../resource/marker/marker-codec.ts';
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
  const isOwn = request.method === 'POST' || run.history.created.has(run.live_id ?? '');
  const values = isOwn && filled !== undefined ? withRunName(filled, run.history.runName) : filled;
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

/**
 * The body of a write to a run's own new object, with the run's name in the marker: another run may create the same address, and
 * when an answer is lost, only the name tells whose the object is (ADR-0022).
 */
function withRunName(values: ValueObject, name: string | undefined): ValueObject {
  const metadata = values[METADATA];
  if (name === undefined) return values;
  const sign = (text: string) => {
    const { marker, user } = readMarker(text);
    return marker === undefined ? text : writeMarker(user, { ...marker, created_by: name });
  };
  if (typeof metadata === 'string') return { ...values, [METADATA]: sign(metadata) };
  return metadata instanceof Secret ? { ...values, [METADATA]: metadata.map(sign) } : values;
}
