// Warns about secrets that `ignore_changes` keeps and that the service does not return: if their module is sent whole, or the
// object is replaced, the manifest's value may overwrite one that was changed since.

import { Secret } from '../../core/secrets/secret.ts';
import { eachLeaf, formatPath, type ValueObject } from '../../core/value.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { isIgnored, valueNear } from '../../resource/carry.ts';
import { likelyApplied } from './cause.ts';
import { equal } from '../../resource/diff.ts';
import { isDigestOf, saltOf } from '../../resource/digests.ts';
import type { Pair } from '../match/match.ts';
import type { PlanDiagnostic } from '../plan.ts';

/** A warning for each of them in the fields that are sent; `why` if the reason is not that their module is sent whole. */
export function overwritten(pair: Pair, live: LiveResource, sent: ValueObject, why?: string): PlanDiagnostic[] {
  return [...sentAgain(pair, live, sent, why), ...sentBack(pair, live, sent)];
}

/**
 * Warns about each value that is sent back as returned although it may be an unknown mask: it is not the manifest's, and the
 * marker records another one as applied. No rule knows every mask (ADR-0009).
 */
function sentBack({ kind, desired }: Pair, live: LiveResource, sent: ValueObject): PlanDiagnostic[] {
  const { address, lifecycle } = desired;
  const { marker } = live;
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
    if (marker !== undefined && likely.some((one) => isDigestOf(marker.applied[name], field, one, saltOf(marker))))
      return [];
    return found.map((path): PlanDiagnostic => {
      const why = `\`ignore_changes\` keeps ${path} of ${address} as it is, so the value that the service returned is sent back, but it is not the one that was applied`;
      const way = 'if it is only a mask, the secret is lost; in that case, remove its path from `ignore_changes`';
      return { code: 'secret-sent-back', severity: 'warning', message: `${why}; ${way}`, address };
    });
  });
}

function sentAgain(
  { desired: { address, lifecycle } }: Pair,
  { writeOnly }: LiveResource,
  sent: ValueObject,
  why: string | undefined,
): PlanDiagnostic[] {
  return writeOnly.flatMap((path): PlanDiagnostic[] => {
    const [name = ''] = path.split('.');
    if (!isIgnored(path, lifecycle.ignoreChanges) || valueNear(sent[name], path) === undefined) return [];
    const kept = `\`ignore_changes\` keeps ${path} of ${address} as it is, but the service does not return it`;
    const what = 'so the value in the manifest is sent, and may overwrite a newer one';
    const way = 'if the secret was changed, put the new one into the manifest, or leave out the other change';
    const message = `${kept} and ${why ?? `${name} is sent whole`}, ${what}; ${way}`;
    return [{ code: 'secret-sent-again', severity: 'warning', message, address }];
  });
}
