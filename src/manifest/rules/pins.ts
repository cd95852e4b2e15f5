// Ids under `lifecycle`: an object of the service is one resource, so two blocks that name it contradict each other.

import type { Diagnostic, SourceRange } from '../../core/diagnostic.ts';
import { compareRanges } from '../../core/diagnostic.ts';
import type { StackInput } from '../resources.ts';

interface PinnedBlock {
  readonly id: string;
  readonly address: string;
  readonly range: SourceRange;
}

/** Every id that a second block names. */
export function checkPins({ resources, sourceMap }: StackInput): Diagnostic[] {
  const pins = resources.flatMap(({ resource: { address, lifecycle }, path }): PinnedBlock[] => {
    const key = lifecycle.id === undefined ? 'adopt' : 'id';
    const id = lifecycle[key];
    return id === undefined ? [] : [{ id, address, range: sourceMap.value([...path, 'lifecycle', key]) }];
  });
  const first = new Map<string, PinnedBlock>();
  return pins
    .sort((a, b) => compareRanges(a.range, b.range))
    .flatMap((pin): Diagnostic[] => {
      const other = first.get(pin.id);
      if (other === undefined) {
        first.set(pin.id, pin);
        return [];
      }
      return [
        {
          code: 'bad-lifecycle',
          severity: 'error',
          message: `${pin.id} is the object of ${other.address} and of ${pin.address}`,
          range: pin.range,
          fix: 'only one block can be the object; give the other its own id, or none',
          address: pin.address,
          related: [{ message: 'first named here', range: other.range }],
        },
      ];
    });
}
