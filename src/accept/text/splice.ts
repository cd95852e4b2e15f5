// Replacements of parts of a text. Knows nothing of what stands there.

/** A part of a text, and what takes its place. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with every part replaced; parts must not overlap. What is inserted at one place stands in the order given. */
export function spliced(text: string, splices: readonly Splice[]): string {
  const inOrder = [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: piece } of inOrder) {
    pieces.push(text.slice(at, start), piece);
    at = Math.max(at, end);
  }
  return pieces.join('') + text.slice(at);
}
