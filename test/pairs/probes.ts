// Secrets of every world: texts that no output may hold.

import { SECRETS } from '../support/document.ts';

export const API_KEY = 'probe-key-5f0c2b7e91d84a63';
/** Sensitive variables of every world, and their values in its environment. */
export const PROBES: ReadonlyMap<string, string> = new Map(
  ['hidden', ...Array.from({ length: SECRETS }, (_, index) => `secret${index}`)].map((name, index) => [
    name,
    `probe-${name}-${'9d3e71ab'.repeat(index + 1)}`,
  ]),
);

export function probeOf(name: string): string {
  return PROBES.get(name) ?? '';
}
