// Steps that take an object away, or our marker off it: deletions, the old half of a replacement, releases.

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

/** What a replacement loses, in words. */
export function lossOf(kind: Kind): string {
  return kind.irreplaceable ?? kind.loss ?? 'its id changes';
}

interface RemovalInput {
  readonly live: LiveResource;
  /** Where it is not that of its marker. */
  readonly address?: string;
  /** Objects that go with it. */
  readonly children: readonly LiveResource[];
  readonly reason: string;
  /** The object whose marker says that it took the place of this one. */
  readonly successor?: Successor;
}

/**
 * One object goes, with all that is inside it: what that refers to is let go, and what it holds is free. Several
 * may have the same address.
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

/** Takes our marker off an object without touching anything else. */
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
