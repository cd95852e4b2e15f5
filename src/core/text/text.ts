// Small text functions: bytes, characters, plurals. Knows nothing of colours or terminals.

/** Length in UTF-8 bytes, the unit of most limits (§8). */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Length in Unicode code points, the unit of the limits on event subscriptions (§8). */
export function charLength(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) if (isPair(text.charCodeAt(at - 1), text.charCodeAt(at))) count -= 1;
  return count;
}

/** True for the two halves of a surrogate pair. */
function isPair(high: number, low: number): boolean {
  return high >= 0xd800 && high < 0xdc00 && low >= 0xdc00 && low < 0xe000;
}

/** Control characters except tab and line ends, bidirectional marks, line separators, and lone surrogates. */
export const UNSEEN =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\u2028\u2029\p{Cs}]/gu;

/** Characters without a width or a glyph, which no reader can see; written as the inside of a character class. */
export const BLANK =
  '\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800';

/** `U+0007`: the name of an invisible character. */
export function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

/** `%C3%A9`: the percent-encoded bytes of a character; a lone surrogate becomes the replacement character. */
export function percentEncoded(character: string): string {
  const bytes = [...new TextEncoder().encode(character)];
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}

/** `1 step`, `2 steps`. */
export function plural(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** `steps`, `addresses`. */
export function pluralOf(noun: string): string {
  return `${noun}${/(?:s|x|ch|sh)$/.test(noun) ? 'es' : 's'}`;
}

/** `84 ms`, `4.2 s`, `42 s`, `2 min 5 s`, `1 h 2 min`. */
export function duration(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `a TLS edge`, `an HTTPS edge`: abbreviations are spelled out when spoken. */
export function withArticle(noun: string): string {
  return `${/^(?:[AEFHILMNORSX][A-Z]|[aeio])/.test(noun) ? 'an' : 'a'} ${noun}`;
}
