// What a plan does to who gets in, by address.

import type { FieldExposure } from '../resource/exposure.ts';

/**
 * What a step does to who gets in (record 0101): `opens`, more can; `closes`, fewer can; `changes`, others can, and nobody can tell
 * whether they are more.
 */
export interface Exposure extends FieldExposure {
  readonly address: string;
}

/** Those that are the doing of these steps. */
export function exposuresAmong(
  exposures: readonly Exposure[],
  steps: readonly { readonly address: string }[],
): Exposure[] {
  const addresses = new Set(steps.map(({ address }) => address));
  return exposures.filter(({ address }) => addresses.has(address));
}
