// Steps that take an object away, or our marker off it: deletions, the old half of a replacement, releases.

import type { Kind } from '../catalog/kind.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { LiveResource } from '../live/snapshot.ts';
import type { Draft } from './draft.ts';
import { leftoverKey } from './draft.ts';
import { escapeText } from './placeholder.ts';
import { idsIn } from './references.ts';
import { deleteRequest, updateRequests } from './requests.ts';
import { uniqueKeys } from './uniques.ts';

/** What a replacement loses, in words. */
export function lossOf(kind: Kind): string {
  return kind.irreplaceable ?? kind.loss ?? 'its id changes';
}

/** One object goes, whatever is inside it. */
export function removalOf(kind: Kind, address: string, live: LiveResource, reason: string): Draft {
  return {
    key: leftoverKey(address, 'delete', live.id),
    action: 'delete',
    address,
    kind,
    live,
    reason,
    source: null,
    loss: `${live.id} is deleted: ${kind.loss ?? kind.irreplaceable ?? 'it cannot be had back'}`,
    changes: [],
    requests: [deleteRequest(kind, live)],
    needs: [],
    lets: idsIn(kind.fields, live.spec),
    refers: [],
    takes: [],
    frees: uniqueKeys(kind, live.spec, live.parentId),
    after: [],
  };
}

/** The deletion of an object that the stack owns and the manifest no longer has. `inside` are objects that go with it. */
export function deletion(live: LiveResource, inside: readonly LiveResource[], reason: string): Draft {
  const kind = kindByName(live.kind);
  const draft = removalOf(kind, live.marker?.address ?? live.id, live, reason);
  // What children refer to is let go with them, and what they hold is free.
  const lets = [...draft.lets, ...inside.flatMap((child) => idsIn(kindByName(child.kind).fields, child.spec))];
  if (inside.length === 0) return { ...draft, lets };
  const names = inside.map((child) => child.marker?.address ?? child.id).join(', ');
  return {
    ...draft,
    lets,
    frees: [
      ...draft.frees,
      ...inside.flatMap((child) => uniqueKeys(kindByName(child.kind), child.spec, child.parentId)),
    ],
    inside: inside.map((child) => child.id),
    loss: `${draft.loss ?? ''}; with it go ${names}`,
  };
}

/** Takes our marker off an object without touching anything else. */
export function release(live: LiveResource): Draft {
  const kind = kindByName(live.kind);
  const address = live.marker?.address ?? live.id;
  return {
    key: leftoverKey(address, 'release', live.id),
    action: 'release',
    address,
    kind,
    live,
    reason: 'listed under `removed` with destroy: false',
    source: null,
    changes: [],
    requests: updateRequests({
      target: { kind, address, parent: undefined },
      live,
      effective: live.spec,
      diffs: [],
      metadata: escapeText(live.userMetadata),
      capabilities: new Set(),
      gone: new Set(),
    }).requests,
    needs: [],
    lets: [],
    refers: [],
    takes: [],
    frees: [],
    after: [],
  };
}
