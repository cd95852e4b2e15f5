// Why the object that `lifecycle` names by its id is not the object of the block, in words.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { DesiredResource, Pin } from '../../manifest/manifest.ts';
import type { LiveResource } from '../../resource/snapshot.ts';

/** `why` ends a sentence that begins with the block and the id. */
export interface PinProblem {
  readonly why: string;
  readonly fix: string;
  readonly code?: Diagnostic['code'];
}

const CORRECT = 'correct the id, or remove it from `lifecycle`';

export function noSuchObject({ kind }: DesiredResource): PinProblem {
  return { why: `but no ${kindByName(kind).title} has that id`, fix: CORRECT };
}

export function pinnedTwice({ lifecycle }: DesiredResource, other: string): PinProblem {
  const verb = lifecycle.pin?.by === 'adopt' ? 'does' : 'is';
  return {
    why: `as ${verb} ${other}; an object has one address only`,
    fix: 'remove the id from one of the two blocks',
  };
}

/** `what` is wrong with the marker of the object, or of its parent. */
export function unreadableMarker({ markerProblem }: LiveResource, what: string): PinProblem {
  return markerProblem === undefined
    ? { why: `whose parent has an ownership marker that ${what}`, fix: 'restore that marker first' }
    : { why: `whose ownership marker ${what}, and names another stack`, fix: 'restore it there first' };
}

export function otherParent({ parent = '' }: DesiredResource): PinProblem {
  return { why: `whose parent is not ${parent}`, fix: CORRECT };
}

/** `own` is the stack's object at the address already, which an adoption never pushes out. */
export function occupied(own: LiveResource): PinProblem {
  return {
    code: 'address-occupied',
    why: `but has ${own.id} already; an object is adopted only at an address that has none`,
    fix: `remove \`adopt\` from \`lifecycle\` to keep ${own.id}, or adopt the other object under an address of its own`,
  };
}

export function notPinned(
  { address, lifecycle }: DesiredResource,
  id: string,
  { why, fix, code = 'pinned-not-found' }: PinProblem,
): Diagnostic {
  const message = `${address} ${namesObject(lifecycle.pin, id)}, ${why}`;
  return { code, severity: 'error', address, message, fix };
}

export function pinOutdated({ address, lifecycle }: DesiredResource, id: string, successor: LiveResource): Diagnostic {
  const message = `${address} ${namesObject(lifecycle.pin, id)}, but ${successor.id} has taken its place`;
  return { code: 'pin-outdated', severity: 'warning', address, message, fix: 'remove the id from `lifecycle`' };
}

/** `is pinned to ID`, or `asks to adopt ID` if the object is not ours yet. */
export function namesObject(pin: Pin | undefined, id: string): string {
  return `${pin?.by === 'adopt' ? 'asks to adopt' : 'is pinned to'} ${id}`;
}
