// A stack whose name was changed: what its manifest wants exists already, with the marker of another stack. Pure.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { groupBy } from '../../core/group.ts';
import type { Manifest } from '../../manifest/manifest.ts';
import { otherOwner } from '../../resource/marker/ownership.ts';
import type { Match } from '../match/match.ts';
import type { PlanOptions } from '../plan-options.ts';
import { movedEntries } from '../policies/policy.ts';

/**
 * A warning when most of the manifest would be created, and most of that exists at the same addresses in one other stack. Stacks
 * of the same fleet are not meant, nor those of the manifest below an environment: one manifest may serve several environments.
 */
export function renamedStack(
  manifest: Manifest,
  { pairs, snapshot, ownership }: Match,
  siblings: PlanOptions['siblings'],
): Diagnostic[] {
  const { stack, resources, baseStacks = [] } = manifest;
  const missing = pairs.filter(({ live }) => live === undefined).map(({ desired }) => desired);
  if (missing.length * 2 <= resources.length) return [];
  const found = snapshot.whole?.byAddress() ?? groupBy(snapshot.resources, ({ marker }) => marker?.address);
  const counts = new Map<string, number>();
  for (const { address, kind } of missing) {
    const owners = (found.get(address) ?? []).flatMap((live) =>
      live.kind === kind ? (otherOwner(ownership.of(live))?.stack ?? []) : [],
    );
    for (const owner of new Set(owners)) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  const isMeant = (owner: string) => siblings?.has(owner) !== true && !baseStacks.includes(owner);
  const [other] = [...counts].find(([owner, count]) => isMeant(owner) && count * 2 > missing.length) ?? [];
  if (other === undefined) return [];
  const message = `stack ${other} has what would be created here, at the same addresses (${counts.get(other) ?? 0} of ${missing.length}): this stack seems to have been renamed, and everything would exist twice`;
  const fix = `if stack ${other} is now called ${stack}, add ${movedEntries(`{ from: { stack: ${other} } }`, manifest)}; if both stay, there is nothing to do`;
  return [{ code: 'stack-renamed', severity: 'warning', message, fix }];
}
