// How a message names the object that the `lifecycle` of a resource names.

import type { Lifecycle } from '../../manifest/manifest.ts';

/** `is pinned to ID`, or what it is where the object is not ours yet. */
export function namesObject(lifecycle: Lifecycle | undefined, id: string): string {
  return `${lifecycle?.adopt === id ? 'is to adopt' : 'is pinned to'} ${id}`;
}
