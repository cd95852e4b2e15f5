// The form of an identifier (§2: a prefix and an opaque rest). An id is always checked whole, wherever it comes from.

import { lazy } from '../core/lazy.ts';
import { patternOf } from '../core/text/pattern.ts';
import { isSegment, LONGEST_SEGMENT, SEGMENT_CHARACTER } from '../core/text/segment.ts';
import type { Field, RefTarget } from './field.ts';
import { kinds } from './kinds/index.ts';
import { findKind, topLevelKinds } from './lookup.ts';
import { allFields } from './walk.ts';
import type { Kind } from './kind.ts';

/** The prefix of ids: one that the specification shows, or any, because an assumed prefix is not a rule. */
type IdRule = Pick<Kind, 'idPrefix' | 'isPrefixAssumed'>;

/** The form of an id in words. The specification shows no alphabet, so ours is wide (ADR-0020). */
export function idForm(rule: IdRule): string {
  const start = prefixIn(rule);
  const rest = 'followed by letters, digits, "-", "_", "." or "~"';
  return start === '' ? `an id: a prefix such as ${rule.idPrefix}, ${rest}` : `an id that starts with ${start} ${rest}`;
}

/** True for an id: text follows its prefix, even if several prefixes match, and no character could change the path that it is part of. */
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

/** An id with any prefix except the documented ones (§2), including those of objects that are only referred to. */
const anyId = lazy(() => {
  const shown = [...topLevelKinds.map(({ idPrefix }) => idPrefix), 'bkdhr_', 'ec_', 'usr_'];
  return `^(?!${shown.join('|')})(?=.{1,${LONGEST_SEGMENT}}$)[a-z]+_${SEGMENT_CHARACTER}+$`;
});

function prefixIn({ idPrefix, isPrefixAssumed }: IdRule): string {
  return isPrefixAssumed === true ? '' : idPrefix;
}

/** The prefixes of ids that a field accepts, without those that another one covers. */
export function idRulesOf({ kinds: names, prefixes, isPrefixAssumed }: RefTarget): IdRule[] {
  const all = [...prefixes, ...names.flatMap((name) => findKind(name)?.idPrefix ?? [])];
  const shortest = [...new Set(all)].filter((one) => !all.some((other) => other !== one && one.startsWith(other)));
  return shortest.map((idPrefix) => ({ idPrefix, ...(isPrefixAssumed && { isPrefixAssumed }) }));
}

/** The prefixes of all ids that the catalogue knows: of its kinds, and of what their fields refer to. */
export const knownIdPrefixes = lazy((): ReadonlySet<string> => {
  const referred = kinds
    .flatMap(({ fields }) => allFields(fields))
    .flatMap(({ field }) => refOf(field)?.prefixes ?? []);
  return new Set([...kinds.map(({ idPrefix }) => idPrefix), ...referred]);
});

function refOf(field: Field): RefTarget | undefined {
  if (field.type === 'list') return refOf(field.items);
  return field.type === 'string' ? field.ref : undefined;
}
