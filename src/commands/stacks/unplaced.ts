// Stacks of a fleet that a run leaves out, and whose service is not known, because its settings are not those of this run: each may be at
// the service of any stack of the run. Unknown is not none.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { groupBy } from '../../core/group.ts';
import type { FleetStack } from '../../fleet/fleet.ts';
import type { Manifest } from '../../manifest/manifest.ts';

export interface UnplacedStack {
  readonly name: string;
  readonly manifest: Manifest;
  /** Why its service is not known. */
  readonly why: readonly Diagnostic[];
}

/** Every import and every move that names a stack of the run: what it names must stay, or must not, if it is at the same service. */
export function unknownLinks(unplaced: readonly UnplacedStack[], stacks: readonly FleetStack[]): Diagnostic[] {
  const inRun = groupBy(stacks, ({ run }) => run.manifest.stack);
  return unplaced.flatMap(({ name, manifest, why }) =>
    linksOf(manifest).flatMap(({ verb, stack, range }) => {
      const [other] = inRun.get(stack) ?? [];
      if (other === undefined) return [];
      const what = `${name} is left out, and it is not known whether it ${verb} ${other.name} at the same service`;
      return why.map((one): Diagnostic => ({ ...one, message: `${what}: ${one.message}`, range: range() }));
    }),
  );
}

function linksOf({ imports, transfers }: Manifest) {
  return [
    ...imports.flatMap(({ from, range }) => ('id' in from ? [] : [{ verb: 'imports from', stack: from.stack, range }])),
    ...transfers.map(({ stack, range }) => ({ verb: 'takes objects from', stack, range: () => range })),
  ];
}
