// A cursor over a text read line by line, for `plain.ts`. Knows lines, indentation and comments, not values.

import type { Offsets } from './lines.ts';

const DECLINED = new Error('not plain');

/** Stops: the text is not plain enough to be read here. */
export function decline(): never {
  throw DECLINED;
}

/** The result of `read`, or undefined when it declines. */
export function unlessDeclined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error === DECLINED) return undefined;
    throw error;
  }
}

/** Codes of structural characters. */
export const CHARACTER = {
  newline: 0x0a,
  blank: 0x20,
  quote: 0x22,
  hash: 0x23,
  apostrophe: 0x27,
  comma: 0x2c,
  dash: 0x2d,
  bracket: 0x5b,
  closingBracket: 0x5d,
  brace: 0x7b,
  pipe: 0x7c,
  closingBrace: 0x7d,
} as const;

const { newline, blank, hash, dash } = CHARACTER;

/** A cursor that only moves forward. */
export class Cursor {
  readonly text: string;
  at = 0;
  /** Column of the first character of the line. */
  indent = 0;

  constructor(text: string) {
    this.text = text;
  }

  isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  code(): number {
    return this.text.charCodeAt(this.at);
  }

  isDash(): boolean {
    return this.code() === dash && this.text.charCodeAt(this.at + 1) === blank;
  }

  /** Moves past the match of a sticky pattern at this position. */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }

  isAt(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  skipBlanks(): void {
    while (this.code() === blank) this.at++;
  }

  lineEnd(at = this.at): number {
    const end = this.text.indexOf('\n', at);
    return end < 0 ? this.text.length : end;
  }

  /** Moves from the start of a line to the next one that is neither blank nor a comment. */
  nextLine(): void {
    const { text } = this;
    for (let start = this.at; start < text.length; start = this.lineEnd() + 1) {
      this.at = start;
      this.skipBlanks();
      if (this.isAtEnd()) break;
      if (this.code() === newline || this.code() === hash) continue;
      this.indent = this.at - start;
      return;
    }
    this.at = text.length;
    this.indent = 0;
  }

  /** After a value, only a comment may follow on its line. */
  endLine(): void {
    const start = this.at;
    this.skipBlanks();
    if (this.code() === hash && this.at > start) this.at = this.lineEnd();
    if (!this.isAtEnd() && this.code() !== newline) decline();
    this.at = Math.min(this.at + 1, this.text.length);
    this.nextLine();
  }

  /** Skips blanks, and line ends where these are insignificant; returns the code of the next character. */
  gap(isWide: boolean): number {
    while (this.code() === blank || (isWide && this.code() === newline)) this.at++;
    return this.code();
  }

  /** Range of a key that begins here. It is as long as its name, because keys have no escapes here. */
  keyRange(start: number, name: string): Offsets {
    const code = this.text.charCodeAt(start);
    const isQuoted = code === CHARACTER.quote || code === CHARACTER.apostrophe;
    return [start, start + name.length + (isQuoted ? 2 : 0)];
  }
}
