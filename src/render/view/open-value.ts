// How far a value in manifest text goes on. The text may be broken YAML, so a line belongs to the value above unless it
// clearly does not: what a secret was pasted as, at whatever indent, is part of it.

export interface OpenValue {
  /** Indentation of its key; what is shallower may end it. */
  readonly indentation: string;
  /** The quote that is still to be closed. */
  readonly quote: string | undefined;
  /** How many brackets are still to be closed. */
  readonly depth: number;
  /** What a line needs to end it: nothing but a key, a key that is no deeper, or one that is also known. */
  readonly endsAt: 'any key' | 'next key' | 'known key';
}

/** A value whose first line holds this much of it; a name that only reads like a secret may begin a block. */
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

/** The value after one more line, or undefined when the line is none of it. */
export function continueValue(open: OpenValue, line: string, isKnown: (key: string) => boolean): OpenValue | undefined {
  const { quote, depth, endsAt } = open;
  if (quote !== undefined) return { ...open, quote: openQuote(quote + line) };
  if (depth > 0) return { ...open, depth: depth + depthOf(line) };
  if (isOpenBlock(line)) return { ...open, quote: BEGIN };
  const key = keyOf(line);
  if (key !== undefined && endsAt === 'any key') return undefined;
  if (line.trim() === '' || isInside(open, line)) return open;
  if (/^(?:---|\.\.\.)(?:\s|$)/.test(line)) return undefined;
  // Once a value has left its place, what looks like a key may be a line of it.
  if (key === undefined)
    return { ...open, endsAt: 'known key', depth: isBracket(line.trim()) ? Math.max(0, depthOf(line)) : 0 };
  return endsAt === 'next key' || isKnown(key) ? undefined : open;
}

/** A list may stand at the indent of its key. Blanks and tabs cannot be compared. */
function isInside({ indentation }: OpenValue, line: string): boolean {
  const own = /^\s*/.exec(line)?.[0] ?? '';
  return !indentation.startsWith(own) || (own === indentation && /^\s*-\s/.test(line));
}

/** What stands before the key, with blanks in place of signs. */
function indentationOf(line: string): string {
  return (/^\s*(?:[-?]\s+)*/.exec(line)?.[0] ?? '').replace(/[-?]/g, ' ');
}

function keyOf(line: string): string | undefined {
  const found = /^\s*(?:[-?]\s+)*(?:"([^"]+)"\s*:|'([^']+)'\s*:|([\w./$-]+)\s*:(?=\s|$))/.exec(line);
  return found?.slice(1).find(Boolean);
}

/** A block that was pasted ends as it says, whatever its lines look like. */
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

/** How many more brackets are opened than closed, beside quoted text. */
export function depthOf(text: string): number {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'/g, '');
  return bare.replace(/[^[{]/g, '').length - bare.replace(/[^\]}]/g, '').length;
}
