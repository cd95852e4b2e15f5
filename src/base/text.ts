// Small text measures: bytes, characters, closest name, plurals. Knows nothing of colours or terminals.

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

/** The candidate nearest to the word by edit distance, when near enough to be a likely typo. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { name: string; distance: number } | undefined;
  for (const name of candidates) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance <= limit && (best === undefined || distance < best.distance)) best = { name, distance };
  }
  return best?.name;
}

function editDistance(a: string, b: string): number {
  let before: readonly number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      current[j] = Math.min(swap, substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
