// How the value of a variable is given from outside, by its name. No shell can set a name with a hyphen.

import { isNameOfShells } from '../../core/text/name-of-shells.ts';

/** The fix for a variable without a value. */
export type WaysToGive = (name: string, isSecret: boolean) => string;

/** That of a manifest alone. It is never a flag for a secret, because others can read command lines. */
export function waysToGive(name: string, isSecret: boolean): string {
  const flag = isSecret ? '--var-file FILE' : `--var ${name}=VALUE`;
  return isNameOfShells(name) ? `set EDGEFORM_VAR_${name}, or give it with ${flag}` : `give it with ${flag}`;
}

/** Where a secret is given from. */
export function outsideOf(name: string): string {
  return isNameOfShells(name) ? `EDGEFORM_VAR_${name}` : '--var-file FILE';
}
