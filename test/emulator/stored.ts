// Objects of the emulator, written by hand.

import { kindByIdPrefix } from '../../src/catalog/lookup.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import { Refusal } from '../../src/emulator/problem.ts';

let last = 0;

/** An object of the kind that the id says; later ones have greater numbers. */
export function storedOf(id: string, spec: Stored['spec'] = {}, more: Partial<Stored> = {}): Stored {
  last += 1;
  const kind = kindByIdPrefix(id)?.name ?? '';
  return {
    kind,
    id,
    parentId: undefined,
    number: last,
    created: '2030-01-01T00:00:00Z',
    owner: 'usr_me',
    spec,
    once: {},
    ...more,
  };
}

/** The code of a refusal; `done` when there was none. */
export function codeOf(work: () => unknown): string | undefined {
  try {
    work();
    return 'done';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
