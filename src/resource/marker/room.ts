// Whether the user's text and the ownership marker fit into the metadata together (§8), and how much of it is left. Pure.

import { byteLength, charLength } from '../../core/text.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import type { Kind } from '../../catalog/kind.ts';
import { writeMarker } from './owner.ts';
import type { Marker } from '../snapshot.ts';

/** Words about a text that is too long. */
export interface NoRoom {
  readonly expected: string;
  readonly got: string;
  readonly fix: string;
}

/** Why text and marker do not fit; undefined when they do. */
export function noRoomFor(kind: Kind, user: string, marker: Marker): NoRoom | undefined {
  const field = kind.fields[METADATA];
  if (field?.type !== 'string') return undefined;
  const inChars = field.maxChars !== undefined;
  const limit = field.maxChars ?? field.maxBytes ?? Infinity;
  const measure = inChars ? charLength : byteLength;
  const used = measure(writeMarker(user, marker));
  if (used <= limit) return undefined;
  const own = measure(user);
  const left = limit - (used - own);
  const unit = inChars ? 'characters' : 'bytes';
  return {
    expected: `at most ${left} ${unit}, because the ownership marker takes the rest of ${limit}`,
    got: `${own} ${unit}`,
    fix: `shorten it by ${own - left} ${unit}`,
  };
}
