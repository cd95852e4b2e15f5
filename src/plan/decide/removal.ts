// Steps that remove an object from the stack: deletions, the delete step of a replacement, releases.

import { METADATA } from '../../catalog/fields/common.ts';
import type { Kind } from '../../catalog/kind.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { objectPath } from '../../catalog/path.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { BARE_DRAFT, draftKey, type StepDraft, type Successor } from './step-draft.ts';
import { escapeText } from '../../core/text/template.ts';
import { withChildren } from '../../core/text/text.ts';
import { idsIn } from '../../resource/references.ts';
import { patchRequest } from './requests.ts';
import { nameOf } from '../policies/policy.ts';
import { uniqueKeys } from '../../resource/uniques.ts';

export function lossOf(kind: Kind): string {
  return kind.irreplaceable ?? kind.loss ?? 'its id changes';
}

interface RemovalInput {
  readonly live: LiveResource;
  /** If it is not the address in its marker. */
  readonly address?: string;
  readonly children: readonly LiveResource[];
  readonly reason: string;
  /** The object whose marker says that it replaced this one. */
  readonly successor?: Successor;
}

/**
 * Deletes an object with its children: their references are dropped, and their unique values are released. Several objects may
 * have the same address.
 */
export function removalOf({ live, address = nameOf(live), children, reason, successor }: RemovalInput): StepDraft {
  const kind = kindByName(live.kind);
  const loss = `${live.id} is deleted: ${kind.loss ?? kind.irreplaceable ?? 'it cannot be restored'}`;
  const lost = [live, ...children];
  return {
    ...BARE_DRAFT,
    key: `${draftKey(address, 'delete')} ${live.id}`,
    action: 'delete',
    address,
    kind,
    live,
    reason,
    source: null,
    loss: withChildren(loss, children.map(nameOf)),
    ...(children.length > 0 && { children: children.map((child) => child.id) }),
    ...(successor !== undefined && { successor }),
    requests: [{ method: 'DELETE', path: objectPath(kind, live.id, live.parentId) }],
    drops: lost.flatMap((one) => idsIn(kindByName(one.kind).fields, one.spec)),
    releases: lost.flatMap((one) => uniqueKeys(kindByName(one.kind), one.spec, one.parentId)),
  };
}

/** Removes our marker from an object and touches nothing else. */
export function release(live: LiveResource): StepDraft {
  const kind = kindByName(live.kind);
  const address = nameOf(live);
  return {
    ...BARE_DRAFT,
    key: `${draftKey(address, 'release')} ${live.id}`,
    action: 'release',
    address,
    kind,
    live,
    reason: 'listed under `removed` with destroy: false',
    source: null,
    requests: [patchRequest(kind, live, { [METADATA]: escapeText(live.userMetadata) })],
  };
}
