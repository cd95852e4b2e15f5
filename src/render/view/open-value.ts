// How many lines a value in manifest text spans. The text may be broken YAML, so a line belongs to the value above unless it
// clearly does not: a pasted secret is part of it at any indentation.

export interface OpenValue {
  /** Indentation of its key; a line indented less may end it. */
  readonly indentation: string;
  /** The quote that is not closed yet. */
  readonly quote: string | undefined;
  /** The number of open brackets. */
  readonly depth: number;
  /** What ends it: any key, a key that is no deeper, or only a known one. */
  readonly endsAt: 'any key' | 'next key' | 'known key';
}

/** A value, given its part on the first line; a name that only sounds like a secret may begin a block. */
export function openValue(line: string, value: string, mayBeBlock: boolean): OpenValue {
  const text = value.replace(/^(?:[!&]\S*\s*)+/, '');
  const isBelow = /^(?:[|>#].*)?$/.test(text);
  const ends = isBelow ? 'known key' : 'next key';
  return {
    indentation: indentationOf(line),
    quote: openQuote(text),
    depth: isBracket(text) ? depthOf(text) : 0,
    endsAt: mayBeBlock && /^(?:#.*)?$/.test(text) ? 'any key' : ends,
  };
}

/** The value after one more line, or undefined when the line is not part of it. */
export function continueValue(open: OpenValue, line: string, isKnown: (key: string) => boolean): OpenValue | undefined {
  const { quote, depth, endsAt } = open;
  if (quote !== undefined) return { ...open, quote: openQuote(quote + line) };
  if (depth > 0) return { ...open, depth: depth + depthOf(line) };
  if (isOpenBlock(line)) return { ...open, quote: BEGIN };
  const key = keyOf(line);
  if (key !== undefined && endsAt === 'any key') return undefined;
  if (line.trim() === '' || isInside(open, line)) return open;
  if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) return undefined;
  // After a line that is not indented enough, a line that looks like a key may still be part of it.
  if (key === undefined)
    return { ...open, endsAt: 'known key', depth: isBracket(line.trim()) ? Math.max(0, depthOf(line)) : 0 };
  return endsAt === 'next key' || isKnown(key) ? undefined : open;
}

/** A list may have the indentation of its key. Blanks and tabs cannot be compared. */
function isInside({ indentation }: OpenValue, line: string): boolean {
  const own = /^\s*/.exec(line)?.[0] ?? '';
  return !indentation.startsWith(own) || (own === indentation && /^\s*-\s/.test(line));
}

/** The text before the key, with other characters as blanks. */
function indentationOf(line: string): string {
  return (/^\s*(?:[-?]\s+)*/.exec(line)?.[0] ?? '').replace(/[-?]/g, ' ');
}

function keyOf(line: string): string | undefined {
  const found = /^\s*(?:[-?]\s+)*(?:"([^"]+)"\s*:|'([^']+)'\s*:|([\w./$-]+)\s*:(?=\s|$))/.exec(line);
  return found?.slice(1).find(Boolean);
}

/** A pasted block ends at its end line, whatever its other lines look like. */
export const BEGIN = '-----BEGIN';

function isOpenBlock(text: string): boolean {
  return text.includes(BEGIN) && !text.includes('-----END');
}

function openQuote(text: string): string | undefined {
  if (isOpenBlock(text)) return BEGIN;
  if (text.startsWith('"')) return /^"(?:[^"\\]|\\.)*"/.test(text) ? undefined : '"';
  if (text.startsWith("'")) return /^'(?:[^']|'')*'(?!')/.test(text) ? undefined : "'";
  return undefined;
}

function isBracket(text: string): boolean {
  return /^[[{]/.test(text);
}

/** The number of brackets left open, not counting quoted text. */
export function depthOf(text: string): number {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g, '');
  return bare.replace(/[^[{]/g, '').length - bare.replace(/[^\]}]/g, '').length;
}
