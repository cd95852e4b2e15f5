// What is said when a stack has nothing to destroy. The name of a stack without a manifest here may have a letter wrong, so the
// stacks that own objects there are named.

import { compareText } from '../../core/json.ts';
import { didYouMean } from '../../core/text/closest.ts';
import { escapeControls } from '../../core/text/escape-controls.ts';
import { plural } from '../../core/text/text.ts';
import type { Plan } from '../../plan/plan.ts';

/** The rest is counted. */
const MAX_NAMED = 10;

/** `isTyped`: the name stands on the command line alone. */
export function nothingToDestroy({ stack, service, unmanaged }: Plan, isTyped: boolean): string {
  const nothing = `Nothing to destroy: stack ${escapeControls(stack)} owns no objects at ${escapeControls(service)}`;
  const hint = isTyped ? hintAt(stack, ownersIn(unmanaged)) : '';
  return hint === '' ? `${nothing}.` : `${nothing}; ${hint}`;
}

/** An owner is a stack and an address. */
function ownersIn(unmanaged: Plan['unmanaged']): readonly string[] {
  const stacks = unmanaged.flatMap(({ owner }) => (owner === null ? [] : owner.slice(0, owner.indexOf(':'))));
  return [...new Set(stacks)].sort(compareText).map((name) => escapeControls(name));
}

function hintAt(stack: string, owners: readonly string[]): string {
  if (owners.length === 0) return '';
  const near = didYouMean(stack, owners);
  if (near !== undefined) return near;
  const more = owners.length > MAX_NAMED ? `, and ${owners.length - MAX_NAMED} more` : '';
  return `${plural(owners.length, 'stack')} ${owners.length === 1 ? 'owns' : 'own'} objects there: ${owners.slice(0, MAX_NAMED).join(', ')}${more}.`;
}
