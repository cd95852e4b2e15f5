// What is left of a marker that people damaged: cut off, with a quote or a comma lost, or made a part of a line. It must not be
// taken for nothing, because the object may be ours (ADR-0017). Knows no whole markers.

const MEMBER = '(?:v|stack|address|applied|protect|replaces)';
const QUOTE = '(?:\\\\*["\'“”„‘’`]|&quot;|&#34;)';
/** What comes first in a marker, however its members are ordered and its quotes are written. */
const BEGINNING = `\\{\\s*${QUOTE}?${MEMBER}${QUOTE}?\\s*:`;

/** The name of the key or of the line with the beginning of its value. Without its brace the name is only a word. */
const WHOLE: readonly RegExp[] = [
  new RegExp(`edgeform${QUOTE}\\s*:\\s*${BEGINNING}`, 'iu'),
  new RegExp(`edgeform/v\\d+\\s*${BEGINNING}`, 'iu'),
];

/** In text that was to be a JSON object the name of the key with a brace is enough: what followed may be cut off or deleted. */
const IN_BROKEN_JSON = new RegExp(`edgeform${QUOTE}\\s*:\\s*\\{(?!\\s*\\})`, 'iu');

/** Where something stands, in text that is no JSON, that can only have been a marker; undefined when there is none. */
export function remnantIn(text: string): number | undefined {
  const patterns = /^\s*\{/u.test(text) ? [...WHOLE, IN_BROKEN_JSON] : WHOLE;
  const found = patterns.map((pattern) => text.search(pattern)).filter((at) => at >= 0);
  return found.length === 0 ? undefined : Math.min(...found);
}

const NAMED_STACK = new RegExp(
  `^[^{]{0,24}\\{[^{}]*?${QUOTE}stack${QUOTE}\\s*:\\s*${QUOTE}([a-z0-9][a-z0-9-]{0,62})${QUOTE}`,
  'u',
);

/** The stack that a damaged marker names beyond doubt: its name is whole, and stands among the marker's own members. */
export function stackNamedAt(text: string, start: number): string | undefined {
  return NAMED_STACK.exec(text.slice(start))?.[1];
}
