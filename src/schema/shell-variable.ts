// Variables in the notation of shells and pipelines, which a manifest does not fill in.

const SHELL_VARIABLE = /\$([A-Za-z_][A-Za-z0-9_]*)/;

/** What to write in place of the first one; undefined for a text without any. */
export function shellVariableFix(text: string): string | undefined {
  const name = SHELL_VARIABLE.exec(text)?.[1];
  if (name === undefined) return undefined;
  return `$${name} is not filled in: write \${var.${name}}, and declare it with variables: { ${name}: {} }`;
}
