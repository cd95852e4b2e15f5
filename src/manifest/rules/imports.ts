// Imports of what the stack itself names by its id, which need none.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { IMPORTS } from '../../catalog/address.ts';
import type { StackInput } from '../resources.ts';

export function checkImports({ imports, resources, sourceMap }: StackInput): Diagnostic[] {
  const owners = new Map(
    resources.flatMap(({ resource: { address, lifecycle } }) =>
      [lifecycle.id, lifecycle.adopt].flatMap((id) => (id === undefined ? [] : [[id, address] as const])),
    ),
  );
  return imports.flatMap(({ name, address, from }): Diagnostic[] => {
    const owner = 'id' in from ? owners.get(from.id) : undefined;
    if (owner === undefined) return [];
    const message = `${address} imports the object of ${owner}, which is of this very stack`;
    const fix = `remove the import, and refer to \${${owner}.ATTR}`;
    return [sourceMap.error('bad-import', [IMPORTS, name, 'id'], { message, fix }, address)];
  });
}
