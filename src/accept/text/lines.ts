// The lines of a text. Knows nothing of what stands there.

import { countWhile } from '../../core/bisect.ts';

/** The line break of a text: that of its first line. */
export function lineBreakOf(text: string): string {
  return text.charAt(text.indexOf('\n') - 1) === '\r' ? '\r\n' : '\n';
}

/** Places in a text by their lines; found in steps that do not grow with the length of a line. */
export class Lines {
  readonly text: string;
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.text = text;
    this.#starts = starts;
  }

  startOf(at: number): number {
    return this.#starts[this.#lineAt(at)] ?? 0;
  }

  /** Before the line break, or at the end of the text. */
  endOf(at: number): number {
    const next = this.#starts[this.#lineAt(at) + 1];
    if (next === undefined) return this.text.length;
    return next - 2 >= at && this.text.charAt(next - 2) === '\r' ? next - 2 : next - 1;
  }

  /** Where the next line starts, or the end of the text. */
  nextAfter(at: number): number {
    return this.#starts[this.#lineAt(at) + 1] ?? this.text.length;
  }

  /** The blanks before the first character of a line. */
  indentAt(at: number): string {
    const line = this.text.slice(this.startOf(at), this.endOf(at));
    return line.slice(0, line.length - line.trimStart().length);
  }

  /** True where nothing but blanks stands before it on its line. */
  isFirst(at: number): boolean {
    return this.text.slice(this.startOf(at), at).trimStart() === '';
  }

  /** Where the lines end of a block that begins in this column: the comments below it that are indented more belong to it. */
  endOfBlock(end: number, column: number): number {
    const { text } = this;
    let block = this.nextAfter(end);
    for (let at = block; at < text.length;) {
      const line = text.slice(at, this.endOf(at));
      const indent = line.search(/\S/);
      if (indent >= 0 && (line.charAt(indent) !== '#' || indent <= column)) break;
      at = this.nextAfter(at);
      if (indent >= 0) block = at;
    }
    return block;
  }

  #lineAt(at: number): number {
    return countWhile(this.#starts.length, (line) => (this.#starts[line] ?? 0) <= at) - 1;
  }
}
