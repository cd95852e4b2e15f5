// The block that would adopt one live object, on one line, so that it can be pasted into a manifest of any layout.

import type { LiveResource } from '../resource/snapshot.ts';
import { blockOf, createVariables } from './block.ts';
import { findReferences } from './references.ts';
import { buildSingleBlock } from './resource-block.ts';
import { flowEntry } from './yaml.ts';

export interface Adoption {
  /** `NAME: { …, lifecycle: { adopt: ID } }` */
  readonly block: string;
  /** Names of the sensitive variables that stand in it for its secrets. */
  readonly variables: readonly string[];
}

interface AdoptionPlace {
  /** The address that it would get. */
  readonly address: string;
  readonly stack: string;
  /** Objects of the manifest that it may refer to, by id. */
  readonly addresses: ReadonlyMap<string, string>;
  readonly objects: readonly LiveResource[];
}

/** Undefined for an object that a manifest cannot express. `live` has no marker. */
export function adoptionOf(
  live: LiveResource,
  { address, stack, addresses, objects }: AdoptionPlace,
): Adoption | undefined {
  const draft = buildSingleBlock(live, address, stack);
  if (draft === undefined) return undefined;
  const variables = createVariables();
  const referenceTo = findReferences([live, ...objects], addresses);
  const block = flowEntry(blockOf(draft, { referenceTo, variables, children: [] }));
  return { block, variables: variables.entries().map(({ key }) => key) };
}
