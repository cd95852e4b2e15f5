// Cuts a block of invalid YAML into its entries by indentation alone, so that a broken entry does not hide the others.

/** A part of a text, from the start of one line to the end of another. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** An entry: a line with a key, and all lines up to the next such line with the same indentation. */
export interface EntryText extends TextRange {
  /** Where the key ends, after its ":". */
  readonly keyEnd: number;
  /** Start of the lines below the key, if nothing follows it on its own line. */
  readonly bodyStart?: number;
  /** True when it has a line that is not indented more than its key, so that it may hide another entry. */
  readonly hasStray: boolean;
}

const ENTRY = /^( *)(?:"[^"\\\n]*"|'[^'\n]*'|\w[\w.-]*) *:(?=[ \r\n]|$)/;
const NO_VALUE = /^ *(?:#.*)?\r?\n?$/;

/** The entries of a block; none when its first line has no key. */
export function entriesIn(text: string, { start, end }: TextRange): readonly EntryText[] {
  const entries: (EntryText & { end: number; hasStray: boolean })[] = [];
  let indent: number | undefined;
  for (let at = start; at < end;) {
    const lineEnd = endOfLine(text, at, end);
    const line = text.slice(at, lineEnd);
    const last = entries.at(-1);
    const [head = '', spaces = ''] = ENTRY.exec(line) ?? [];
    if (head !== '' && spaces.length === (indent ?? spaces.length)) {
      indent = spaces.length;
      const hasBody = NO_VALUE.test(line.slice(head.length)) && lineEnd < end;
      const keyEnd = at + head.length;
      entries.push({ start: at, end: lineEnd, keyEnd, hasStray: false, ...(hasBody && { bodyStart: lineEnd }) });
    } else if (last !== undefined) {
      last.end = lineEnd;
      last.hasStray ||= isStray(line, indent ?? 0);
    } else if (!NO_VALUE.test(line)) return [];
    at = lineEnd;
  }
  return entries;
}

function endOfLine(text: string, at: number, end: number): number {
  const next = text.indexOf('\n', at) + 1;
  return next === 0 || next > end ? end : next;
}

/** True for a line with content that is not indented more than the entries; a tab belongs to the entry above it. */
function isStray(line: string, indent: number): boolean {
  return !NO_VALUE.test(line) && !/^ *\t/.test(line) && line.search(/[^ ]/) <= indent;
}
