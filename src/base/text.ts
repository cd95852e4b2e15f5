// Small text measures: bytes, characters, plurals. Knows nothing of colours or terminals.

/** Length in UTF-8 bytes, the unit of most limits (§8). */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Length in Unicode code points, the unit of the limits of event subscriptions (§8). */
export function charLength(text: string): number {
  return Array.from(text).length;
}

/** `1 step`, `2 steps`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
