// Which values of a live object are opaque beside its block: those where the manifest has a secret, and texts that contain a
// known one (ADR-0018). Decides what is visible only; equality is decided by content elsewhere.

import { mapObject } from '../../core/json.ts';
import { knownSecrets } from '../../core/secrets/known.ts';
import { holdsSecret, isValueObject, someLeaf, type Value, type ValueObject } from '../../core/value.ts';
import type { Kind } from '../../catalog/kind.ts';
import { hide } from '../../catalog/secrecy/secrecy.ts';
import { fieldOf } from '../../catalog/walk.ts';
import type { LiveResource } from '../../resource/snapshot.ts';

/** The object as it may be seen; the same object when all of it may be. */
export function conceal(kind: Kind, desired: ValueObject, live: LiveResource): LiveResource {
  if (!holdsSecret(desired) && !repeatsSecret(live.spec)) return live;
  const spec = mapObject(live.spec, (value, name) =>
    concealed(value, desired[name], { field: kind.fields[name], owner: `live:${live.id}`, path: [name] }),
  );
  return { ...live, spec };
}

function repeatsSecret(value: Value): boolean {
  return someLeaf(value, (leaf) => typeof leaf === 'string' && knownSecrets.holds(leaf));
}

function concealed(live: Value, desired: Value | undefined, at: Parameters<typeof hide>[1]): Value {
  if (desired === undefined || !holdsSecret(desired)) return hide(live, at, (_place, text) => knownSecrets.holds(text));
  // Items of a list have no fixed place.
  if (!isValueObject(live) || !isValueObject(desired)) return hide(live, at);
  const fields = at.field?.type === 'object' ? at.field.fields : {};
  // The service may return names in another case.
  const wanted = new Map(Object.entries(desired).map(([name, item]) => [name.toLowerCase(), item]));
  return mapObject(live, (item, name) => {
    const field = fieldOf(fields, name);
    const own = wanted.get(name.toLowerCase());
    const below = { ...at, field, path: [...at.path, name] };
    // A key may have been renamed, so beside a secret only those of the manifest are seen.
    return own === undefined && field === undefined ? hide(item, below) : concealed(item, own, below);
  });
}
