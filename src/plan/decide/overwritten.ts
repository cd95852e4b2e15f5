// Secrets that `ignore_changes` keeps as they are and that the service does not show: where their module is sent whole, or
// the object is made anew, the manifest's value goes out, over one that may have been changed since. The plan says so.

import { Secret } from '../../core/secrets/secret.ts';
import type { Value, ValueObject } from '../../core/value.ts';
import { eachLeaf, formatPath } from '../../core/value.ts';
import type { Field } from '../../catalog/field.ts';
import type { LiveResource, Marker } from '../../resource/snapshot.ts';
import { isIgnored, valueNear } from '../../resource/carry.ts';
import { likelyApplied } from './cause.ts';
import type { FieldDiff } from '../../resource/diff.ts';
import { equal } from '../../resource/diff.ts';
import { isDigestOf, saltIn } from '../../resource/digests.ts';
import type { Pair } from '../match/match.ts';
import type { PlanDiagnostic } from '../plan.ts';

/** A warning for each of them in the fields that an update sends. */
export function overwritten(pair: Pair, live: LiveResource, diffs: readonly FieldDiff[]): PlanDiagnostic[] {
  const fields = diffs.flatMap(({ name, send }) => (send === undefined ? [] : [[name, send] as const]));
  const sent = Object.fromEntries(fields);
  const again = warnings(pair, live, sent, (path) => `${path.split('.')[0] ?? ''} is sent whole`);
  return [...again, ...sentBack(pair, live, sent)];
}

/** The same for an object that takes the place of the live one. */
export function overwrittenAnew(pair: Pair, live: LiveResource, spec: ValueObject): PlanDiagnostic[] {
  return [...warnings(pair, live, spec, () => 'the object is replaced'), ...sentBack(pair, live, spec)];
}

/**
 * A warning for each secret that goes back as it is shown although nothing proves that it is one: it is not the
 * manifest's, and the marker says that another was applied. No rule knows every mask (ADR-0009).
 */
function sentBack({ kind, desired }: Pair, live: LiveResource, sent: ValueObject): PlanDiagnostic[] {
  const { address, lifecycle } = desired;
  return Object.entries(sent).flatMap(([name, value]) => {
    const found: string[] = [];
    eachLeaf(value, (leaf, below) => {
      const path = formatPath([name, ...below]);
      const isLive = leaf instanceof Secret && leaf.origin === `live:${live.id}#${path}`;
      const isGiven = isLive && equal(leaf, valueNear(desired.spec[name], path));
      if (isLive && !isGiven && isIgnored(path, lifecycle.ignoreChanges)) found.push(path);
    });
    const field = kind.fields[name];
    if (found.length === 0 || field === undefined) return [];
    const likely = [value, ...likelyApplied({ field, liveUnignored: live.spec[name], desired: value })];
    if (likely.some((one) => wasApplied(field, one, live.marker, name))) return [];
    return found.map((path): PlanDiagnostic => {
      const why = `\`ignore_changes\` keeps ${path} of ${address} as it is, so the value that the service returned is sent back, but it is not the one that was applied`;
      const way = 'if it is only a mask, the secret is lost; in that case, remove its path from `ignore_changes`';
      return { code: 'secret-sent-back', severity: 'warning', message: `${why}; ${way}`, address };
    });
  });
}

function wasApplied(field: Field, value: Value | undefined, marker: Marker | undefined, name: string): boolean {
  return marker !== undefined && isDigestOf(marker.applied[name], field, value, saltIn(marker));
}

function warnings(
  { desired: { address, lifecycle } }: Pair,
  { writeOnly }: LiveResource,
  sent: ValueObject,
  how: (path: string) => string,
): PlanDiagnostic[] {
  const isSent = (path: string) =>
    isIgnored(path, lifecycle.ignoreChanges) && valueNear(sent[path.split('.')[0] ?? ''], path) !== undefined;
  return writeOnly.filter(isSent).map((path): PlanDiagnostic => {
    const why = `\`ignore_changes\` keeps ${path} of ${address} as it is, but the service does not return it and ${how(path)}`;
    const what = 'so the value in the manifest is sent, and may overwrite a newer one';
    const way = 'if the secret was changed, put the new one into the manifest, or leave out the other change';
    return { code: 'secret-sent-again', severity: 'warning', message: `${why}, ${what}; ${way}`, address };
  });
}
