// Names of environment variables that a shell can set, and that forges take. A name of the manifest may have hyphens beside.

/** Environment variables that begin so are values of variables. */
export const PREFIX_OF_VALUES = 'EDGEFORM_VAR_';

const NAME_OF_SHELLS = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** The name with _ for each hyphen. */
export function nameForShells(name: string): string {
  return name.replaceAll('-', '_');
}

/** Whether a shell can set an environment variable of this name. */
export function isNameOfShells(name: string): boolean {
  return NAME_OF_SHELLS.test(name);
}
