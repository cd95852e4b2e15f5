// Steps that remove an object from the stack: deletions, the delete step of a replacement, releases.

import { METADATA } from '../../catalog/fields/common.ts';
import { kindByName } from '../../catalog/lookup.ts';
import { objectPath } from '../../catalog/path.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import type { Loss, Reason } from '../step-facts.ts';
import { describeDeleted } from './deleted-object.ts';
import type { ReturnedOnceLoss } from './returned-once.ts';
import { exposuresOfRemoval } from './exposures.ts';
import { RELEASED } from './reason.ts';
import { BARE_DRAFT, draftKey, type StepDraft, type Successor } from './step-draft.ts';
import { escapeText } from '../../core/text/template.ts';
import { idsIn } from '../../resource/references.ts';
import { patchRequest } from './requests.ts';
import { nameOf } from '../policies/policy.ts';
import { uniqueKeys } from '../../resource/uniques.ts';

/** What the replacement of an object loses. */
export function lossOfReplacement(live: LiveResource, once: ReturnedOnceLoss | undefined): Loss {
  const { irreplaceable, loss = 'its id changes' } = kindByName(live.kind);
  return { code: lossCode(live, once), cost: once?.loss ?? irreplaceable ?? loss, live_id: live.id, children: [] };
}

/** What the deletion of an object loses. */
function lossOfDeletion(live: LiveResource, children: readonly LiveResource[], once?: ReturnedOnceLoss): Loss {
  const { irreplaceable, loss = irreplaceable ?? 'it cannot be restored' } = kindByName(live.kind);
  return { code: lossCode(live, once), cost: loss, live_id: live.id, children: children.map(nameOf) };
}

function lossCode({ kind, isRedundant }: LiveResource, once: ReturnedOnceLoss | undefined): Loss['code'] {
  if (isRedundant === true) return 'redundant';
  if (once?.is === 'lost') return 'never-stored';
  return kindByName(kind).irreplaceable === undefined ? 'object' : 'irreplaceable';
}

interface RemovalInput {
  readonly live: LiveResource;
  /** If it is not the address in its marker. */
  readonly address?: string;
  readonly children: readonly LiveResource[];
  readonly reason: Reason;
  /** The object whose marker says that it replaced this one. */
  readonly successor?: Successor;
  /** The state of a value that is returned once and that may not be stored. */
  readonly once?: ReturnedOnceLoss | undefined;
}

/**
 * Deletes an object with its children: their references are dropped, and their unique values are released. Several objects may
 * have the same address.
 */
export function removalOf({
  live,
  address = nameOf(live),
  children,
  reason,
  successor,
  once,
}: RemovalInput): StepDraft {
  const kind = kindByName(live.kind);
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
    exposures: exposuresOfRemoval(kind, address, live),
    loss: lossOfDeletion(live, children, once),
    deletes: [describeDeleted(live, address), ...children.map((child) => describeDeleted(child))],
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
    reason: RELEASED,
    source: null,
    requests: [patchRequest(kind, live, { [METADATA]: escapeText(live.userMetadata) })],
  };
}
