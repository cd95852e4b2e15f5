// Consents for a stack of a fleet: ENTRY:ADDRESS names the stack, because an address alone says nothing about it.

import { parseAddress } from '../../catalog/address.ts';
import { didYouMean } from '../../core/text/closest.ts';
import { usageError, type Failure } from '../../core/failure.ts';

/** The options whose addresses may have the name of a stack before them, as they are given. */
export interface Consents {
  readonly allowLoss: readonly string[];
  readonly allowOpening: readonly string[];
}

/** Each with its flag. */
function byFlag({ allowLoss, allowOpening }: Consents): (readonly [flag: string, given: readonly string[]])[] {
  return [
    ['--allow-loss', allowLoss],
    ['--allow-opening', allowOpening],
  ];
}

/** The flags of those that are given. */
export function consentFlags(consents: Consents): string[] {
  return byFlag(consents).flatMap(([flag, given]) => (given.length > 0 ? [flag] : []));
}

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
export function withoutEntry({ allowLoss, allowOpening }: Consents): Consents {
  const isBare = (given: string) => parseConsent(given).entry === undefined;
  return { allowLoss: allowLoss.filter(isBare), allowOpening: allowOpening.filter(isBare) };
}

/** The addresses of one stack; one that names no stack is about the only stack of the run. */
export function consentsOf(name: string, { allowLoss, allowOpening }: Consents): Consents {
  const addressHere = (given: string) => {
    const { entry = name, address } = parseConsent(given);
    return entry === name ? [address] : [];
  };
  return { allowLoss: allowLoss.flatMap(addressHere), allowOpening: allowOpening.flatMap(addressHere) };
}

/** Consents that name no entry of the fleet file, or no address. */
export function consentProblems(consents: Consents, names: readonly string[]): Failure[] {
  return byFlag(consents).flatMap(([flag, given]) =>
    given.flatMap((text) => problemOf(`${flag} ${text}`, parseConsent(text), names) ?? []),
  );
}

function problemOf(what: string, { entry, address }: Consent, names: readonly string[]): Failure | undefined {
  if (entry === undefined) return undefined;
  if (!names.includes(entry))
    return usageError(
      `${what}: the fleet has no stack ${entry}`,
      didYouMean(entry, names) ?? 'use a name of the fleet file',
    );
  if (parseAddress(address) !== undefined) return undefined;
  return usageError(
    `${what}: ${address} is not the address of a resource`,
    'use the address of a resource, as the plan names it',
  );
}
