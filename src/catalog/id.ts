// What an identifier looks like (§2: a prefix and an opaque rest), checked for the whole text wherever one comes in.

import { lazy } from '../core/lazy.ts';
import { patternOf } from '../core/text/pattern.ts';
import { isSegment, LONGEST_SEGMENT, SEGMENT_CHARACTER } from '../core/text/segment.ts';
import { findKind, topLevelKinds } from './lookup.ts';
import type { RefTarget } from './field.ts';
import type { Kind } from './kind.ts';

/** What ids begin with: a prefix that the specification shows, or else any, as an assumed one is no rule. */
type IdRule = Pick<Kind, 'idPrefix' | 'isPrefixAssumed'>;

/** For people: the form of an id. The specification shows no alphabet, so this one is wide (ADR-0020). */
export function idForm(rule: IdRule): string {
  const start = prefixIn(rule);
  const rest = 'followed by letters, digits, "-", "_", "." or "~"';
  return start === '' ? `an id: a prefix such as ${rule.idPrefix}, ${rest}` : `an id that starts with ${start} ${rest}`;
}

/** True for an id: something follows its prefix, also where it begins several, and nothing in it could change the path that it stands in. */
export function isId(rule: IdRule, text: string): boolean {
  const start = prefixIn(rule);
  const isPrefixed =
    start === '' ? patternOf(anyId()).test(text) : text.startsWith(start) && text.length > start.length;
  return isPrefixed && !/^[a-z]+_$/.test(text) && isSegment(text);
}

/** The same as a regular expression for JSON Schema. */
export function idPattern(rule: IdRule): string {
  const start = prefixIn(rule);
  return start === '' ? anyId() : `^${start}${SEGMENT_CHARACTER}{1,${LONGEST_SEGMENT - start.length}}$`;
}

/** An id with any prefix but those that the specification shows (§2), of kinds and of objects that are only referred to. */
const anyId = lazy(() => {
  const shown = [...topLevelKinds.map(({ idPrefix }) => idPrefix), 'bkdhr_', 'ec_', 'usr_'];
  return `^(?!${shown.join('|')})(?=.{1,${LONGEST_SEGMENT}}$)[a-z]+_${SEGMENT_CHARACTER}+$`;
});

function prefixIn({ idPrefix, isPrefixAssumed }: IdRule): string {
  return isPrefixAssumed === true ? '' : idPrefix;
}

/** What ids that a field takes begin with, of which no one covers another. */
export function idRulesOf({ kinds: names, prefixes, isPrefixAssumed }: RefTarget): IdRule[] {
  const all = [...prefixes, ...names.flatMap((name) => findKind(name)?.idPrefix ?? [])];
  const shortest = [...new Set(all)].filter((one) => !all.some((other) => other !== one && one.startsWith(other)));
  return shortest.map((idPrefix) => ({ idPrefix, ...(isPrefixAssumed && { isPrefixAssumed }) }));
}
