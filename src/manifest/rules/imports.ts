// Checks imports against the rest of the manifest: what needs none, and what nothing uses.

import { didYouMean } from '../../core/text/closest.ts';
import type { Diagnostic, ProblemText } from '../../core/diagnostic.ts';
import { referencesIn } from '../../core/value.ts';
import { IMPORTS } from '../../catalog/address.ts';
import type { StackInput } from '../resources.ts';

/** Imports of what the stack itself names by id, and those that nothing refers to. */
export function checkImports(facts: StackInput): Diagnostic[] {
  const { imports, resources, outputs, droppedReferences, sourceMap, unknownValues } = facts;
  if (imports.length === 0) return [];
  const owners = new Map(
    resources.flatMap(({ resource: { address, lifecycle } }) =>
      [lifecycle.id, lifecycle.adopt].flatMap((id) => (id === undefined ? [] : [[id, address] as const])),
    ),
  );
  const values = [...resources.map(({ resource }) => resource.spec), ...outputs.values()];
  const used = new Set(
    [...values.flatMap(referencesIn), ...droppedReferences.map(({ reference }) => reference)].map((one) => one.address),
  );
  return imports.flatMap(({ name, address, from }): Diagnostic[] => {
    const path = [IMPORTS, name];
    const owner = 'id' in from ? owners.get(from.id) : undefined;
    if (owner !== undefined) {
      const message = `${address} imports the object of ${owner}, which is of this very stack`;
      const fix = `remove the import, and refer to \${${owner}.ATTR}`;
      return [sourceMap.error('bad-import', [...path, 'id'], { message, fix }, address)];
    }
    // An unknown part may refer to it.
    if (used.has(address) || !unknownValues.isEmpty()) return [];
    const words = { message: `nothing refers to ${address}`, fix: `remove it, or use "\${${address}.ATTR}"` };
    return [{ ...sourceMap.errorAtKey('unused-import', path, words, address), severity: 'warning' }];
  });
}

/** The problem of a reference to an import that is not there. */
export function unknownImport(address: string, { importedKinds }: Pick<StackInput, 'importedKinds'>): ProblemText {
  const fix = `declare it: imports: { ${address.split('.')[1] ?? ''}: { stack: STACK, address: ADDRESS } }`;
  return { message: `there is no import ${address}`, fix: didYouMean(address, importedKinds.keys()) ?? fix };
}
