// The schema of `moved`: renames within the stack, and what comes from another one.

import type { JsonObject } from '../core/json.ts';
import { EXAMPLES } from '../catalog/examples.ts';
import { address, object, STACK_NAME } from './parts.ts';

export function movedSchema(): JsonObject {
  const { oldAddress, address: newAddress, transfer } = EXAMPLES;
  const origin = object(
    {
      stack: {
        type: 'string',
        ...STACK_NAME,
        description: 'Stack that owns the objects until then, as their markers say.',
        examples: [transfer.stack],
      },
      address: address('Address of the object in that stack; without it, everything that the stack owns.'),
    },
    ['stack'],
  );
  const from = {
    ...origin,
    type: ['string', 'object'],
    description: 'Old address, or the stack that the objects come from.',
    examples: [oldAddress, transfer],
  };
  // For editors only: the loader has better words for it.
  const forms = [
    { required: ['to'], properties: { from: { type: 'string' } } },
    { required: ['to'], properties: { from: { type: 'object', required: ['stack', 'address'] } } },
    { maxProperties: 1, properties: { from: { type: 'object', maxProperties: 1 } } },
  ];
  return {
    type: 'array',
    description: 'Renamed resources, and those that come from another stack; only their markers are rewritten.',
    examples: [[{ from: oldAddress, to: newAddress }], [{ from: transfer, to: newAddress }]],
    items: { ...object({ from, to: address('New address.') }, ['from']), oneOf: forms },
  };
}
