// Seeded mistakes of one file as rows.

import type { Mutant, Tests, Worlds } from './mutants.ts';
import type { Find } from './mutation.ts';

/** The name; the function, or '' for the whole file; the place; and what stands there instead, if it is not just left out. */
type Row = readonly [name: string, where: string, find: Find, to?: string];

/** Mistakes in one file that the same tests or worlds must notice. */
export function mistakes(file: string, noticed: Tests | Worlds, rows: readonly Row[]): Mutant[] {
  return rows.map(([name, where, find, to]) => ({
    name,
    file,
    ...(where !== '' && { in: where }),
    find,
    ...(to !== undefined && { to }),
    ...noticed,
  }));
}
