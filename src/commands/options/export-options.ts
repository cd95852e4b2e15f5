// The scope of an export, from its flags.

import { usageError } from '../../core/failure.ts';
import type { Scope } from '../../export/select.ts';
import { DEFAULT_STACK } from './options.ts';
import { requireStackName } from './stack-name.ts';
import type { Settings } from './settings.ts';

type ScopeSettings = Pick<Settings, 'exportedStack' | 'unmanaged' | 'all' | 'exportedKinds' | 'exportedNames'>;

/** The selected objects, and the stack of the new manifest. */
export function exportScope(settings: ScopeSettings): Scope {
  const { exportedStack: stack, unmanaged, all, exportedKinds, exportedNames } = settings;
  if (unmanaged && all) throw usageError('--unmanaged and --all exclude each other', 'keep one of them');
  if (stack === undefined && !unmanaged && !all)
    throw usageError('no objects were selected for export', 'add one of --stack NAME, --unmanaged and --all');
  const of = all ? 'all' : unmanaged ? 'unmanaged' : 'stack';
  const only = { kinds: exportedKinds.map(({ name }) => name), names: exportedNames };
  return { of, stack: requireStackName(stack ?? DEFAULT_STACK), only };
}
