// Splits a block of invalid YAML into entries by indentation alone, so that a broken entry does not hide the others. Works on
// lines of text; assumes only that the entries of a block have the same indentation.

/** A part of a text, from the start of one line to the end of another. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface EntryText extends TextRange {
  /** Its key and position, if the line begins with a plain or quoted key. */
  readonly key?: { readonly text: string; readonly start: number; readonly end: number };
  /** Start of the lines below the key, if nothing follows it on its own line. */
  readonly bodyStart?: number;
}

export interface BlockText {
  readonly entries: readonly EntryText[];
  /** True when a line is indented less than the entries, so that its parent is unknown. */
  readonly hasStray: boolean;
}

const ENTRY = /^( *)(?:"([^"\\\n]*)"|'([^'\n]*)'|([A-Za-z_][\w.-]*)) *:(?=[ \n\r]|$)( *(?:#[^\n]*)?\r?(?:\n|$))?/;

/** A line without content. */
const NOTHING = /^ *(?:#.*)?\r?\n?$/;

/** The entries of a block; undefined when the text does not begin with a key. */
export function entriesIn(text: string, { start, end }: TextRange): BlockText | undefined {
  const entries: EntryText[] = [];
  let indent: number | undefined;
  let hasStray = false;
  for (let at = start; at < end;) {
    const next = text.indexOf('\n', at) + 1;
    const lineEnd = next === 0 || next > end ? end : next;
    const line = text.slice(at, lineEnd);
    const depth = depthOf(line);
    const own = depth === (indent ?? depth) ? entryAt(line, at) : undefined;
    const isNothing = NOTHING.test(line);
    if (!isNothing && indent === undefined && own?.key === undefined) return undefined;
    if (!isNothing) {
      indent ??= depth;
      if (own !== undefined) entries.push(own);
      else hasStray ||= depth < indent;
    }
    at = lineEnd;
  }
  const ends = [...entries.slice(1).map((entry) => entry.start), end];
  return entries.length === 0
    ? undefined
    : { entries: entries.map((entry, index) => ({ ...entry, end: ends[index] ?? end })), hasStray };
}

/** The indentation of a line; one indented by a tab belongs to the entry above it. */
function depthOf(line: string): number {
  return /^ *\t/.test(line) ? Infinity : line.search(/[^ ]/);
}

function entryAt(line: string, at: number): EntryText {
  const found = ENTRY.exec(line);
  if (found === null) return { start: at, end: at };
  const [whole, spaces = '', double, single, plain, rest] = found;
  const start = at + spaces.length;
  const text = double ?? single ?? plain ?? '';
  const length = text.length + (plain === undefined ? 2 : 0);
  return {
    start: at,
    end: at,
    key: { text, start, end: start + length },
    ...(rest !== undefined && { bodyStart: at + whole.length }),
  };
}
