// Replacements of parts of a text, and the lines of a text. Knows nothing of what stands there.

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

/** The line break of a text: that of its first line. */
export function lineBreakOf(text: string): string {
  return text.charAt(text.indexOf('\n') - 1) === '\r' ? '\r\n' : '\n';
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Before the line break, or at the end of the text. */
export function lineEnd(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  if (found < 0) return text.length;
  return found > at && text.charAt(found - 1) === '\r' ? found - 1 : found;
}

/** Where the next line starts, or the end of the text. */
export function nextLine(text: string, at: number): number {
  const found = text.indexOf('\n', at);
  return found < 0 ? text.length : found + 1;
}

/** Where the lines end of a block that begins in this column: the comments below it that are indented more belong to it. */
export function endOfBlock(text: string, end: number, column: number): number {
  let block = nextLine(text, end);
  for (let at = block; at < text.length;) {
    const line = text.slice(at, lineEnd(text, at));
    const indent = line.search(/\S/);
    if (indent >= 0 && (line.charAt(indent) !== '#' || indent <= column)) break;
    at = nextLine(text, at);
    if (indent >= 0) block = at;
  }
  return block;
}
