// `--allow-loss` and `--allow-opening` for a stack of a fleet: ENTRY:ADDRESS names the stack, because an address alone says nothing about it.

import { parseAddress } from '../../catalog/address.ts';
import { didYouMean } from '../../core/text/closest.ts';
import { usageError, type Failure } from '../../core/failure.ts';

/** A consent: the entry of the fleet file, undefined for an address alone, and the address. */
interface Consent {
  readonly entry: string | undefined;
  readonly address: string;
}

function parseConsent(given: string): Consent {
  const colon = given.indexOf(':');
  if (colon < 0) return { entry: undefined, address: given };
  return { entry: given.slice(0, colon), address: given.slice(colon + 1) };
}

/** Those that name no stack. */
export function withoutEntry(given: readonly string[]): string[] {
  return given.filter((text) => parseConsent(text).entry === undefined);
}

/** The addresses of one stack; one that names no stack is about the only stack of the run. */
export function consentsOf(name: string, given: readonly string[]): string[] {
  return given.map(parseConsent).flatMap(({ entry = name, address }) => (entry === name ? [address] : []));
}

/** A consent that names no entry of the fleet file, or no address. */
export function consentProblems(flag: string, given: readonly string[], names: readonly string[]): Failure[] {
  return given.flatMap((text): Failure[] => {
    const { entry, address } = parseConsent(text);
    if (entry === undefined) return [];
    const what = `${flag} ${text}`;
    if (!names.includes(entry))
      return [
        usageError(
          `${what}: the fleet has no stack ${entry}`,
          didYouMean(entry, names) ?? 'use a name of the fleet file',
        ),
      ];
    if (parseAddress(address) !== undefined) return [];
    return [
      usageError(
        `${what}: ${address} is not the address of a resource`,
        'use the address of a resource, as the plan names it',
      ),
    ];
  });
}
