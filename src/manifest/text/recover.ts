// The entries of a block whose text is not valid YAML, told apart by their indentation alone, so that one that is broken
// hides none of the others. Works on lines of text; knows nothing of YAML beyond that a block's entries are indented alike.

/** A piece of a text, from the start of a line to the end of another. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** One entry of a block. */
export interface EntryText extends TextRange {
  /** Its key with its place, when the line begins with a plain or quoted one. */
  readonly key?: { readonly text: string; readonly start: number; readonly end: number };
  /** Start of the lines below the key, when nothing stands behind it on its own line. */
  readonly bodyStart?: number;
}

interface BlockText {
  readonly entries: readonly EntryText[];
  /** True when a line is indented less than the entries are: nobody knows what it belongs to. */
  readonly hasStray: boolean;
}

const ENTRY = /^( *)(?:"([^"\\\n]*)"|'([^'\n]*)'|([A-Za-z_][\w.-]*)) *:(?=[ \n\r]|$)( *(?:#[^\n]*)?\r?(?:\n|$))?/;

/** A line without any content. */
const NOTHING = /^ *(?:#.*)?\r?\n?$/;

/** The entries of a piece that is a block of keys; undefined when it does not begin with a key. */
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

/** How far a line is indented; one that a tab indents belongs to what stands above it. */
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
