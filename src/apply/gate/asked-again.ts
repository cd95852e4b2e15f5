// Rules of the plan that are asked again of what is known when a write is sent (ADR-0047). Pure.

import { kindsUsing } from '../../catalog/users.ts';
import type { Kind } from '../../catalog/kind.ts';
import { sameEntries } from '../../core/equal.ts';
import type { Json } from '../../core/json.ts';
import { Secret } from '../../core/secrets/secret.ts';
import type { Step } from '../../plan/plan.ts';
import { attribute } from '../../resource/resolve.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { UseBy } from '../../resource/uses.ts';

/** An imported object whose values a write carries. */
export interface ImportSeen {
  /** `imports.NAME`. */
  readonly address: string;
  /** The values that the manifest uses. */
  readonly attrs: readonly string[];
  /** True for one that is found by its marker: another marker makes it another object. */
  readonly isByMarker: boolean;
  /** What the plan was made with. */
  readonly before: LiveResource;
  /** Undefined when it no longer exists. */
  readonly now: LiveResource | undefined;
}

/** What others use is not deleted. */
export function inUse(kind: Kind, name: string, users: readonly UseBy[] | undefined): string | undefined {
  if (kindsUsing(kind).length === 0) return undefined;
  if (users === undefined) return `nothing was asked about what uses ${name}`;
  const [first] = users;
  if (first === undefined) return undefined;
  const { user, use } = first;
  const owner = user.marker === undefined ? '' : ` (${user.marker.address} of stack ${user.marker.stack})`;
  return `${name} was taken into use since the plan was made: ${user.id}${owner} ${use.what}`;
}

/** A value of an import is sent as it is now. */
export function outdatedImport({ imports = [] }: Step, seen: readonly ImportSeen[] = []): string | undefined {
  const read = new Set(seen.map(({ address }) => address));
  const unread = imports.find((address) => !read.has(address));
  if (unread !== undefined) return `${unread} was not read before its value was sent`;
  for (const one of seen) {
    const why = whatChanged(one);
    if (why !== undefined) return `${one.address} (${one.before.id}) ${why}`;
  }
  return undefined;
}

function whatChanged({ attrs, isByMarker, before, now }: ImportSeen): string | undefined {
  if (now === undefined) return 'no longer exists';
  const [was, is] = [before.marker, now.marker];
  if (isByMarker && (was?.stack !== is?.stack || was?.address !== is?.address))
    return `no longer has the marker of ${was?.address ?? ''} of stack ${was?.stack ?? ''}`;
  const changed = attrs.filter((attr) => !sameEntries(plain(before, attr), plain(now, attr)));
  return changed.length === 0 ? undefined : `was changed since the plan was made: ${changed.join(', ')}`;
}

function plain(live: LiveResource, attr: string): Json {
  const value = attribute(live, attr);
  return value instanceof Secret ? value.reveal() : (value ?? null);
}
