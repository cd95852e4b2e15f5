// Finds the remains of a damaged marker: truncated, quoted, moved into another value, or part of a line. They must not be
// ignored, because the object may be ours (ADR-0017). Does not handle intact markers.

import { topLevelKinds } from '../../catalog/lookup.ts';

const MEMBER = '(?:v|stack|address|applied|protect|replaces)';
const QUOTE = '(?:\\\\*["\'“”„‘’`]|&quot;|&#34;)';
/** The beginning of a marker, with any order of members and any kind of quotes. */
const BEGINNING = `\\{\\s*${QUOTE}?${MEMBER}${QUOTE}?\\s*:`;

const WORD = (word: string) => `${QUOTE}${word}${QUOTE}\\s*:\\s*`;
const ADDRESS = `(?:${topLevelKinds.map(({ manifestKey }) => manifestKey).join('|')})\\.[\\w.-]{1,200}${QUOTE}`;
const STACK = `${WORD('stack')}${QUOTE}[a-z0-9-]{1,63}${QUOTE}`;
/** Three members that occur together only in a marker, even without its name: in our order, or sorted. */
const NAMELESS: readonly RegExp[] = [
  new RegExp(`${STACK}\\s*,\\s*${WORD('address')}${QUOTE}${ADDRESS}\\s*,\\s*${WORD('applied')}\\{`, 'u'),
  new RegExp(
    `${WORD('address')}${QUOTE}${ADDRESS}\\s*,\\s*${WORD('applied')}\\{[^{}]*\\}\\s*,[^{}]{0,200}${STACK}`,
    'u',
  ),
];
/** A marker that lost everything before its address. */
const CUT_IN_FRONT = new RegExp(`^[^{}]{0,120}${ADDRESS}\\s*,\\s*${WORD('applied')}\\{`, 'u');

/** The marker's key and the beginning of its value: as JSON, quoted once more, as YAML, or inside another value. */
const WHOLE: readonly RegExp[] = [
  new RegExp(`edgeform${QUOTE}?\\s*:\\s*${BEGINNING}`, 'iu'),
  new RegExp(`edgeform/v\\d+\\s*${BEGINNING}`, 'iu'),
];

/** Text that is not a JSON object: a part is enough, because the rest may be missing. */
const PARTS: readonly RegExp[] = [
  new RegExp(`^[ \\t]*(?:-[ \\t]*)?edgeform\\s*:\\s*(?:-\\s*)?${MEMBER}\\s*:`, 'imu'),
  /^[ \t]*edgeform\/(?:v\d*)?[ \t]*$/mu,
];

/** Text that looks like broken JSON: the key is enough. */
const IN_BROKEN_JSON: readonly RegExp[] = [/edgeform\\*["'“”„‘’`]\s*(?::|$)/iu, /["']edgeform$/u];

function patternsFor(text: string, isJsonObject: boolean): readonly RegExp[] {
  if (isJsonObject) return WHOLE;
  return /^\s*\{/u.test(text) ? [...WHOLE, ...PARTS, ...IN_BROKEN_JSON] : [...WHOLE, ...PARTS];
}

/** Where a text must have been a marker. `isNamed`: ignore nameless ones. */
export function markerFragmentIn(text: string, isJsonObject: boolean, isNamed = false): number | undefined {
  const nameless = isNamed ? [] : isJsonObject ? NAMELESS : [...NAMELESS, CUT_IN_FRONT];
  const found = [...patternsFor(text, isJsonObject), ...nameless]
    .map((pattern) => text.search(pattern))
    .filter((at) => at >= 0);
  return found.length === 0 ? undefined : Math.min(...found);
}

const NAMED_STACK = new RegExp(
  `^(?:[^{]{0,24}\\{[^{}]*?)?${QUOTE}stack${QUOTE}\\s*:\\s*${QUOTE}([a-z0-9][a-z0-9-]{0,62})${QUOTE}`,
  'u',
);

/** The stack that a damaged marker certainly names: its name is intact and is among the marker's own members. */
export function stackNamedAt(text: string, start: number): string | undefined {
  return NAMED_STACK.exec(text.slice(start))?.[1];
}
