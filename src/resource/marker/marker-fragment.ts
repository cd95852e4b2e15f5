// What is left of a marker that people damaged: cut off, quoted, moved into another value, or made a part of a line. It must
// not be taken for nothing, because the object may be ours (ADR-0017). Knows no whole markers.

import { topLevelKinds } from '../../catalog/lookup.ts';

const MEMBER = '(?:v|stack|address|applied|protect|replaces)';
const QUOTE = '(?:\\\\*["\'“”„‘’`]|&quot;|&#34;)';
/** What comes first in a marker, however its members are ordered and its quotes are written. */
const BEGINNING = `\\{\\s*${QUOTE}?${MEMBER}${QUOTE}?\\s*:`;

const WORD = (word: string) => `${QUOTE}${word}${QUOTE}\\s*:\\s*`;
const ADDRESS = `(?:${topLevelKinds.map(({ manifestKey }) => manifestKey).join('|')})\\.[\\w.-]{1,200}${QUOTE}`;
const STACK = `${WORD('stack')}${QUOTE}[a-z0-9-]{1,63}${QUOTE}`;
/** Three members that only a marker has together, whatever became of its name: in our order, or sorted. */
const NAMELESS: readonly RegExp[] = [
  new RegExp(`${STACK}\\s*,\\s*${WORD('address')}${QUOTE}${ADDRESS}\\s*,\\s*${WORD('applied')}\\{`, 'u'),
  new RegExp(
    `${WORD('address')}${QUOTE}${ADDRESS}\\s*,\\s*${WORD('applied')}\\{[^{}]*\\}\\s*,[^{}]{0,200}${STACK}`,
    'u',
  ),
];
/** What is left of one that was cut off up to its address. */
const CUT_IN_FRONT = new RegExp(`^[^{}]{0,120}${ADDRESS}\\s*,\\s*${WORD('applied')}\\{`, 'u');

/** The name of the key with the beginning of its value: as JSON, quoted once more, as YAML, or inside another value. */
const WHOLE: readonly RegExp[] = [
  new RegExp(`edgeform${QUOTE}?\\s*:\\s*${BEGINNING}`, 'iu'),
  new RegExp(`edgeform/v\\d+\\s*${BEGINNING}`, 'iu'),
];

/** In text that is no JSON object a part is enough, because the rest may have been cut off. */
const PARTS: readonly RegExp[] = [
  new RegExp(`^[ \\t]*(?:-[ \\t]*)?edgeform\\s*:\\s*(?:-\\s*)?${MEMBER}\\s*:`, 'imu'),
  /^[ \t]*edgeform\/(?:v\d*)?[ \t]*$/mu,
];

/** In text that was to be a JSON object the name of the key is enough. */
const IN_BROKEN_JSON: readonly RegExp[] = [/edgeform\\*["'“”„‘’`]\s*(?::|$)/iu, /["']edgeform$/u];

function patternsFor(text: string, isJsonObject: boolean): readonly RegExp[] {
  if (isJsonObject) return WHOLE;
  return /^\s*\{/u.test(text) ? [...WHOLE, ...PARTS, ...IN_BROKEN_JSON] : [...WHOLE, ...PARTS];
}

/** Where something stands that can only have been a marker; undefined when there is none. Beside one that has its name, none lacks it. */
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

/** The stack that a damaged marker names beyond doubt: its name is whole, and stands among the marker's own members. */
export function stackNamedAt(text: string, start: number): string | undefined {
  return NAMED_STACK.exec(text.slice(start))?.[1];
}
