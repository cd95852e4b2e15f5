// Narrows a plan to the given addresses and what they refer to. Never adds deletions.

import type { DesiredResource, Manifest } from '../manifest/manifest.ts';
import type { Match } from './match/match.ts';
import { addressesIn } from '../resource/references.ts';

/** The match for the targets; the whole match without targets. */
export function selectTargets(all: Match, { resources }: Manifest, targets: readonly string[]): Match {
  if (targets.length === 0) return all;
  const wanted = new Set(withTargets(resources, targets).map((resource) => resource.address));
  return {
    ...all,
    pairs: all.pairs.filter(({ desired }) => wanted.has(desired.address)),
    held: all.held.filter(({ desired }) => wanted.has(desired.address)),
    duplicates: new Map([...all.duplicates].filter(([address]) => wanted.has(address))),
    diagnostics: all.diagnostics.filter(({ address }) => address === null || wanted.has(address)),
  };
}

/** The targets with their children, parents and everything they refer to. */
function withTargets(resources: readonly DesiredResource[], targets: readonly string[]): readonly DesiredResource[] {
  const byAddress = new Map(resources.map((resource) => [resource.address, resource]));
  const wanted = new Set<string>();
  const queue = resources
    .filter((r) => targets.some((target) => r.address === target || r.parent === target))
    .map((r) => r.address);
  for (let address = queue.pop(); address !== undefined; address = queue.pop()) {
    const resource = byAddress.get(address);
    if (resource === undefined || wanted.has(address)) continue;
    wanted.add(address);
    queue.push(...addressesIn(resource.spec), ...(resource.parent === undefined ? [] : [resource.parent]));
  }
  return resources.filter((resource) => wanted.has(resource.address));
}
