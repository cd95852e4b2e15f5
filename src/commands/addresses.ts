// Addresses on the command line: one that is nowhere is wrong usage, with the one that was probably meant.

import { closest } from '../base/closest.ts';
import type { Diagnostic } from '../base/diagnostic.ts';
import { EXIT } from './exit.ts';
import { CommandFailure } from './failure.ts';

export interface GivenAddresses {
  readonly option: '--target' | '--allow-replace' | '--resolve';
  readonly addresses: readonly string[];
}

/** Fails with every address that is not among the known ones; `where` says where those are. */
export function checkAddresses(given: readonly GivenAddresses[], known: ReadonlySet<string>, where: string): void {
  const problems = given.flatMap(({ option, addresses }) =>
    addresses
      .filter((address) => !known.has(address))
      .map((address): Diagnostic => {
        const near = closest(address, known);
        const message = `${option} ${address}: there is no such address in ${where}`;
        const fix = near === undefined ? 'give the address of a block of the manifest' : `did you mean "${near}"?`;
        return { code: 'bad-usage', severity: 'error', message, fix };
      }),
  );
  if (problems.length > 0) throw new CommandFailure(EXIT.usage, problems);
}
