// Checks the options of a run: reports unknown addresses with the one that was probably meant, and invalid numbers and ids.

import { parseAddress } from '../catalog/address.ts';
import { idForm, isId } from '../catalog/id.ts';
import { didYouMean } from '../core/text/closest.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure, usageError } from '../core/failure.ts';
import { notedAddresses } from './execution/noted.ts';
import type { RunInput, RunOptions } from './run.ts';

/** The options of a run that contain addresses, and the names that callers use. */
const NAMES = { targets: 'targets', allowLoss: 'allowLoss', allowOpening: 'allowOpening', resolutions: 'resolutions' };
type Option = keyof typeof NAMES;

interface KnownAddresses {
  readonly addresses: readonly string[];
  /** Addresses in the journal, which resolutions may use, too. */
  readonly noted?: readonly string[] | undefined;
  /** True for addresses that an unknown part may contain. */
  readonly mayHave?: (address: string) => boolean;
}

export function unknownAddresses(
  given: Readonly<Record<Option, readonly string[]>>,
  { addresses, noted = [], mayHave = () => false }: KnownAddresses,
  names: Readonly<Record<Option, string>> = NAMES,
): readonly Diagnostic[] {
  return (Object.keys(NAMES) as Option[]).flatMap((option) => {
    if (option === 'allowLoss' || option === 'allowOpening')
      return notAddresses(given[option], names[option], addresses);
    const [known, where] =
      option === 'resolutions'
        ? [[...addresses, ...noted], 'the manifest or the journal']
        : [addresses, 'the manifest'];
    const there = new Set(known);
    const wrong = given[option].filter((one) => !there.has(one) && (parseAddress(one) === undefined || !mayHave(one)));
    return wrong.flatMap((address) => {
      const fix = didYouMean(address, known) ?? 'use the address of a resource in the manifest';
      return usageError(`${names[option]} ${address}: ${where} has no such address`, fix).diagnostics;
    });
  });
}

/** What is lost or uncovered may have no block any more, so only the form of its address can be checked. */
function notAddresses(given: readonly string[], name: string, known: readonly string[]): readonly Diagnostic[] {
  const wrong = given.filter((address) => parseAddress(address) === undefined);
  return wrong.flatMap((address) => {
    const fix = didYouMean(address, known) ?? 'use the address of a resource, as the plan names it';
    return usageError(`${name} ${address}: this is not the address of a resource`, fix).diagnostics;
  });
}

/** Fails with every invalid option of a run, before any request. */
export function checkOptions({ manifest, options, platform }: RunInput): void {
  const { targets, allowLoss, allowOpening = [], resolutions, journal } = options;
  const known = manifest.resources.map(({ address }) => address);
  const noted = resolutions.length === 0 ? [] : notedAddresses(journal, platform);
  const resolved = noted === undefined ? [] : resolutions.map(({ address }) => address);
  const problems = [
    ...wrongNumbers(options),
    ...unknownAddresses({ targets, allowLoss, allowOpening, resolutions: resolved }, { addresses: known, noted }),
    ...resolutions.flatMap(({ address, as }) => {
      const kind = parseAddress(address)?.kind;
      if (as === 'absent' || (kind !== undefined && isId(kind, as.id))) return [];
      const fix = kind ? `give ${idForm(kind)}` : 'give absent';
      return usageError(`resolutions ${address}: this is not an id of the resource`, fix).diagnostics;
    }),
  ];
  if (problems.length > 0) throw new Failure('usage', problems);
}

/** Comparisons with NaN are all false, so a limit that is not a number would be no limit. */
function wrongNumbers({ concurrency, settleMs, deadlineMs = 0, allowDeletes = 0 }: RunOptions): readonly Diagnostic[] {
  const rows = [
    ['concurrency', concurrency, 1],
    ['settleMs', settleMs, 0],
    ['deadlineMs', deadlineMs, 0],
    ['allowDeletes', allowDeletes === 'all' ? 0 : allowDeletes, 0],
  ] as const;
  return rows.flatMap(([name, value, least]) =>
    value >= least ? [] : usageError(`${name} is not a number`, `give a number of at least ${least}`).diagnostics,
  );
}
