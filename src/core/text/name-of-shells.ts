// Names of environment variables that a shell can set, and that forges take. A name of the manifest may have hyphens beside.

const NAME_OF_SHELLS = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a shell can set an environment variable of this name. */
export function isNameOfShells(name: string): boolean {
  return NAME_OF_SHELLS.test(name);
}
