// Whether the user's text and the ownership marker fit into the metadata together (§8), and how much room is left. Pure.

import { METADATA } from '../../catalog/fields/common.ts';
import { plural } from '../../core/text/text.ts';
import type { Kind } from '../../catalog/kind.ts';
import { textLimit } from '../../catalog/text-limits.ts';
import { writeMarker } from './marker-codec.ts';
import type { Marker } from '../snapshot.ts';

/** A problem text about metadata that is too long. */
interface MetadataOverflow {
  readonly expected: string;
  readonly got: string;
  readonly fix: string;
}

/** Why text and marker do not fit; undefined when they do. */
export function metadataOverflow(kind: Kind, user: string, marker: Marker): MetadataOverflow | undefined {
  const field = kind.fields[METADATA];
  if (field?.type !== 'string') return undefined;
  const { most, unit, measure } = textLimit(field);
  const used = measure(writeMarker(user, marker));
  if (used <= most) return undefined;
  const own = measure(user);
  const left = most - (used - own);
  return {
    expected: `at most ${plural(left, unit)}, because the ownership marker takes the rest of ${most}`,
    got: plural(own, unit),
    fix: `shorten it by ${plural(own - left, unit)}`,
  };
}
