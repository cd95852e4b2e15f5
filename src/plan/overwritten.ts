// Secrets that `ignore_changes` keeps as they are and that the service does not show: where their module is sent whole, or
// the object is made anew, the manifest's value goes out, over one that may have been changed since. The plan says so.

import type { ValueObject } from '../base/value.ts';
import type { LiveResource } from '../live/snapshot.ts';
import { isIgnored, valueNear } from './carry.ts';
import type { FieldDiff } from './diff.ts';
import type { Pair } from './match.ts';
import type { PlanDiagnostic } from './plan.ts';

/** A warning for each of them in the fields that an update sends. */
export function overwritten(pair: Pair, live: LiveResource, diffs: readonly FieldDiff[]): PlanDiagnostic[] {
  const sent = diffs.flatMap(({ name, send }) => (send === undefined ? [] : [[name, send] as const]));
  return warnings(pair, live, Object.fromEntries(sent), (path) => `${path.split('.')[0] ?? ''} is sent whole`);
}

/** The same for an object that takes the place of the live one. */
export function overwrittenAnew(pair: Pair, live: LiveResource, spec: ValueObject): PlanDiagnostic[] {
  return warnings(pair, live, spec, () => 'the object is made anew');
}

function warnings(
  { desired: { address, lifecycle } }: Pair,
  { masked }: LiveResource,
  sent: ValueObject,
  how: (path: string) => string,
): PlanDiagnostic[] {
  const isSent = (path: string) =>
    isIgnored(path, lifecycle.ignoreChanges) && valueNear(sent[path.split('.')[0] ?? ''], path) !== undefined;
  return masked.filter(isSent).map((path): PlanDiagnostic => {
    const why = `\`ignore_changes\` keeps ${path} of ${address} as it is, but the service does not show it and ${how(path)}`;
    const what = 'so the value in the manifest is sent, over one that may have been changed since';
    const way = 'if it was, give the new one in the manifest, or leave out the other change';
    return { code: 'secret-sent-again', severity: 'warning', message: `${why}, ${what}; ${way}`, address };
  });
}
