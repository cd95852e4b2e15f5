// Narrows a plan to named addresses and what they refer to. Never widens it to deletions.

import type { DesiredResource } from '../manifest/manifest.ts';
import { addressesIn } from './references.ts';

/** The resources to plan: all, or the targets with their children, parents and everything they refer to. */
export function withTargets(
  resources: readonly DesiredResource[],
  targets: readonly string[],
): readonly DesiredResource[] {
  if (targets.length === 0) return resources;
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
