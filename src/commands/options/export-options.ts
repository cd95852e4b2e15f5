// The scope of an export, from its flags: exactly one of them selects objects.

import { isStackName } from '../../catalog/address.ts';
import { usageError } from '../../core/failure.ts';
import type { Scope } from '../../export/select.ts';
import { DEFAULT_STACK } from './options.ts';
import type { Settings } from './settings.ts';

type ScopeSettings = Pick<Settings, 'exportedStack' | 'exportName' | 'unmanaged' | 'all'>;

/** The selected objects, and the stack of the new manifest. */
export function exportScope({ exportedStack: stack, unmanaged, all, exportName: name }: ScopeSettings): Scope {
  const given = [stack !== undefined, unmanaged, all].filter(Boolean).length;
  if (given > 1) throw usageError('--stack, --unmanaged and --all exclude each other', 'keep one of them');
  if (given === 0)
    throw usageError('no objects were selected for export', 'add one of --stack NAME, --unmanaged and --all');
  if (stack !== undefined && name !== undefined)
    throw usageError('--name can only be used with objects that no stack owns', 'remove it');
  const chosen = stack ?? name ?? DEFAULT_STACK;
  if (!isStackName(chosen))
    throw usageError(`"${chosen}" is not a valid stack name`, 'use lower-case letters, digits and hyphens');
  return { of: stack !== undefined ? 'stack' : all ? 'all' : 'unmanaged', stack: chosen };
}
