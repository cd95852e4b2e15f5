// The name of a stack on a command line.

import { isStackName } from '../../catalog/address.ts';
import { usageError } from '../../core/failure.ts';

export function requireStackName(stack: string): string {
  if (isStackName(stack)) return stack;
  throw usageError(`"${stack}" is not a valid stack name`, 'use lower-case letters, digits and hyphens');
}
