// How the value of a variable is given from outside, by its name. No shell can set a name with a hyphen.

const NAME_OF_SHELLS = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The fix for a variable without a value. It is never a flag for a secret, because others can read command lines. */
export function waysToGive(name: string, isSecret: boolean): string {
  const flag = isSecret ? '--var-file FILE' : `--var ${name}=VALUE`;
  return NAME_OF_SHELLS.test(name) ? `set EDGEFORM_VAR_${name}, or give it with ${flag}` : `give it with ${flag}`;
}

/** Where a secret is given from. */
export function outsideOf(name: string): string {
  return NAME_OF_SHELLS.test(name) ? `EDGEFORM_VAR_${name}` : '--var-file FILE';
}
