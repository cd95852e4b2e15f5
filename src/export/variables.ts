// Secrets never stand in a manifest: each becomes a declared variable with a name of its own.

import type { ResourceBlock } from './resource-block.ts';
import type { TreeEntry } from './yaml.ts';

/** An empty set of variables. */
export function createVariables() {
  const declared = new Map<string, { readonly kind: string; readonly entry: TreeEntry }>();
  return {
    /** Declares a variable for the secret at a path and gives the expression for it. */
    declare: ({ address, kind }: ResourceBlock, path: readonly string[]) => {
      const name = freeName(`${address.split('.').at(-1) ?? ''}_${path.at(-1) ?? ''}`, declared);
      const root = kind.parent?.kind ?? kind.name;
      const description = `${path.join('.')} of ${address}`;
      const value = {
        entries: [
          { key: 'sensitive', value: true },
          { key: 'description', value: description },
        ],
      };
      declared.set(name, { kind: root, entry: { key: name, value } });
      return `\${var.${name}}`;
    },
    /** Declarations so far of one kind, or of all. */
    entries: (kind?: string) =>
      [...declared.values()].filter((one) => kind === undefined || one.kind === kind).map((one) => one.entry),
    count: () => declared.size,
  };
}

/** A name that an environment variable can have, too. */
function freeName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const name = wanted.replaceAll('-', '_');
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}
