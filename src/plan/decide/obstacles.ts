// What an update cannot do to a field: remove a value without an operation for it, or send a field whole without losing an
// unreadable secret in it (ADR-0018).

import type { Field } from '../../catalog/field.ts';
import type { Capability } from '../../catalog/kind.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { FieldDiff } from '../../resource/diff.ts';
import type { Blocked } from '../plan.ts';

/** How a value is removed. */
export function howToRemove(field: Field, on: ReadonlySet<Capability>): 'delete' | 'clear' | 'switch-off' | 'none' {
  if (field.remove !== undefined && on.has('module-delete')) return 'delete';
  if (field.module) return 'switch-off';
  return typeof field.default === 'object' ? 'clear' : 'none';
}

/** Everything that prevents an update from changing the field; empty when it can. */
export function updateObstacles(
  { name, field, send, unsendable }: FieldDiff,
  { live, capabilities }: { readonly live: LiveResource; readonly capabilities: ReadonlySet<Capability> },
): Pick<Blocked, 'path' | 'reason'>[] {
  if (send !== undefined) {
    const why = `\`ignore_changes\` keeps this secret as it is and the service does not return it, so sending ${name} would remove it`;
    const way = 'put the secret into the manifest, or remove its path from `ignore_changes`';
    return unsendable.map((path) => ({ path, reason: `${why}; ${way}` }));
  }
  const removal = howToRemove(field, capabilities);
  if (removal === 'none') {
    const reason = `the service has no operation that removes ${name}; name it in the manifest, or list it in lifecycle.ignore_changes`;
    return [{ path: name, reason }];
  }
  if (removal !== 'switch-off') return [];
  const why = `${name} can only be switched off by sending it whole, and the service does not return this secret, so that would remove it`;
  const way = `keep ${name} in the manifest, with the secret and \`enabled: false\`, or remove it by hand`;
  const unread = live.writeOnly.filter((path) => path.startsWith(`${name}.`));
  return unread.map((path) => ({ path, reason: `${why}; ${way}` }));
}
