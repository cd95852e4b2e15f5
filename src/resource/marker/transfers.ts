// Moves between stacks: which object of another stack a manifest takes, and at which address. Pure.

import type { Marker } from '../snapshot.ts';
import { destinationsOf, renamedBy, type Move } from './moves.ts';

/** An entry of `moved` that names another stack. */
export interface Transfer {
  /** The stack that the objects belong to. */
  readonly stack: string;
  /** Undefined for all objects of that stack, which keep their addresses. */
  readonly ends: Move | undefined;
}

/** What decides about transfers; a manifest is one. */
export interface TransferScope {
  readonly moved: readonly Move[];
  readonly transfers: readonly Transfer[];
  readonly resources: readonly { readonly address: string }[];
}

/** Stack and address in a marker. */
export type MarkedAs = Pick<Marker, 'stack' | 'address'>;

/** The address of the manifest that an object of another stack comes to; undefined when no entry takes it, or no block wants it. */
export type Destination = (marker: MarkedAs) => string | undefined;

/** Builds `Destination`. An entry of its own counts before one of the whole stack, and renames lead on from either. */
export function transferDestination({ moved, transfers, resources }: TransferScope): Destination {
  if (transfers.length === 0) return () => undefined;
  const wanted = new Set(resources.map(({ address }) => address));
  const [whole, single] = [new Set<string>(), new Map<string, Map<string, string>>()];
  for (const { stack, ends } of transfers) {
    if (ends === undefined) whole.add(stack);
    else single.set(stack, (single.get(stack) ?? new Map<string, string>()).set(ends.from, ends.to));
  }
  const ahead = destinationsOf(moved);
  return ({ stack, address }) => {
    const named = renamedBy(single.get(stack) ?? new Map(), address);
    const starts = whole.has(stack) ? [...named, address] : named;
    return starts.flatMap((start) => [start, ...ahead(start)]).find((one) => wanted.has(one));
  };
}
