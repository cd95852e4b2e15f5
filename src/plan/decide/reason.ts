// Why a step has its action: a code and its parts for programs, and the same in words for people. All of these words are here.

import { plural } from '../../core/text/text.ts';
import type { Reason } from '../step-facts.ts';

export const NOT_IN_SERVICE: Reason = { code: 'not-in-service', text: 'not in the service' };
export const METADATA_DIFFERS: Reason = { code: 'metadata', text: 'its metadata differs' };
export const REPLACED: Reason = { code: 'replaced', text: 'the old object of a replacement' };
export const UNFINISHED_REPLACEMENT: Reason = { code: 'replaced', text: 'the old object of an unfinished replacement' };
export const DESTROYED: Reason = { code: 'destroyed', text: 'the stack is destroyed' };
export const NOT_IN_MANIFEST: Reason = { code: 'not-in-manifest', text: 'no longer in the manifest' };
export const RELEASED: Reason = { code: 'released', text: 'listed under `removed` with destroy: false' };

export function parentReplaced(parent: string): Reason {
  return { code: 'parent-replaced', text: 'its parent is replaced', addresses: [parent] };
}

export function deletedOutside(evidence: string): Reason {
  return { code: 'deleted-outside', text: `deleted outside: ${evidence}` };
}

/** `2 values differ` */
export function differs(fields: readonly string[]): Reason {
  const count = fields.length;
  const text = `${plural(count, 'value')} ${count === 1 ? 'differs' : 'differ'}`;
  return { code: 'differs', text, fields };
}

export function createOnly(fields: readonly string[]): Reason {
  return { code: 'create-only', text: `${fields.join(', ')} cannot be changed after creation`, fields };
}

export function adoptedBy(lifecycleKey: 'adopt' | 'id'): Reason {
  return { code: 'adopted', text: `adopted by \`lifecycle.${lifecycleKey}\`` };
}

export function adoptedFrom(stack: string): Reason {
  return { code: 'adopted', text: `adopted from stack ${stack}`, stack };
}

/** `moved` brings an object from another stack, where it may have another address. */
export function movedFrom(from: { readonly stack: string; readonly address: string }, to: typeof from): Reason {
  const before = from.address === to.address ? '' : `${from.address} of `;
  const text = `moved from ${before}stack ${from.stack} to stack ${to.stack}`;
  return { code: 'moved', text, addresses: [from.address], stack: from.stack };
}

export function renamedFrom(address: string): Reason {
  return { code: 'renamed', text: `renamed from ${address}`, addresses: [address] };
}

export function protectionSwitched(isOn: boolean): Reason {
  return { code: 'protection', text: `protection is switched ${isOn ? 'on' : 'off'}` };
}

export function storedValue(field: string): Reason {
  return {
    code: 'not-recorded',
    text: `its ${field} is stored, but its marker does not record that yet`,
    fields: [field],
  };
}

export function notRecorded(fields: readonly string[]): Reason {
  const text = `already as in the manifest, but not recorded in its marker yet: ${fields.join(', ')}`;
  return { code: 'not-recorded', text, fields };
}

export function neverStored(field: string): Reason {
  return { code: 'never-stored', text: `its ${field} was never stored`, fields: [field] };
}

/** `text` says what is not known about the storage of the field. */
export function unclearStorage(field: string, text: string): Reason {
  return { code: 'unclear-storage', text: `it is not known whether ${text}`, fields: [field] };
}

/** A live object that is not the one of its address; `address` has another. */
export function notOfAddress(address: string): Reason {
  return { code: 'duplicate', text: `${address} is the object of this address`, addresses: [address] };
}

export function exclusiveParent(parent: string): Reason {
  return { code: 'foreign-child', text: `not in the manifest, and ${parent} is exclusive`, addresses: [parent] };
}

/** `waiting` are the addresses of the steps that need the value that is given up. */
export function detachedFor(waiting: readonly string[]): Reason {
  const text = `is detached first, so that ${waiting.join(', ')} can go on`;
  return { code: 'detached', text, addresses: waiting };
}
