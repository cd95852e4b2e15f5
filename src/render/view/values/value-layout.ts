// Where the value of a field is shown. Whether the order of a list counts is known here, from the catalogue, for every format.

import { findKind } from '../../../catalog/lookup.ts';
import { fieldAt } from '../../../catalog/walk.ts';
import type { RenderOptions } from '../../render-options.ts';
import type { ValueLayout } from './value.ts';
import type { Blocked } from '../../../plan/plan.ts';

/** The place of what is at the dotted path of a kind. The order of a list counts unless the catalogue says otherwise. */
export function layoutOf(kind: string, path: string, style: RenderOptions): ValueLayout {
  const field = fieldAt(findKind(kind)?.fields ?? {}, path.split('.'));
  const isSet = field?.type === 'list' && field.order === 'ignored';
  return { width: style.width, full: style.detail === 'full', ordered: !isSet };
}

/** What is blocked, in words: a field of an object, or all of it. */
export function blockedPlace({ address, path }: Pick<Blocked, 'address' | 'path'>, joint: string): string {
  return path === '' ? address : `${address}${joint}${path}`;
}
