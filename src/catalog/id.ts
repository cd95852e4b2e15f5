// What an identifier looks like (§2: a prefix and an opaque rest), checked for the whole text wherever one comes in.

import { isSegment, LONGEST_SEGMENT, SEGMENT_CHARACTER } from '../core/text/segment.ts';
import { findKind } from './lookup.ts';
import type { RefTarget } from './field.ts';

/** For people: the form of an id with the prefix. The specification shows no alphabet, so this one is wide (ADR-0020). */
export function idForm(prefix: string): string {
  return `an id that starts with ${prefix} followed by letters, digits, "-", "_", "." or "~"`;
}

/** True for an id with the prefix: something follows it, also where it begins several prefixes, and nothing in it could change the path that it stands in. */
export function isId(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && text.length > prefix.length && !/^[a-z]+_$/.test(text) && isSegment(text);
}

/** The same as a regular expression for JSON Schema. */
export function idPattern(prefix: string): string {
  return `^${prefix}${SEGMENT_CHARACTER}{1,${LONGEST_SEGMENT - prefix.length}}$`;
}

/** The prefixes of the ids that a field takes. */
export function prefixesOf({ kinds, prefixes }: RefTarget): readonly string[] {
  return [...prefixes, ...kinds.flatMap((name) => findKind(name)?.idPrefix ?? [])];
}
