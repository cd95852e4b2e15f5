// A rewritten text that can map each part back to its position in the original.

import type { Span } from './matcher.ts';
import { countWhile } from '../bisect.ts';

export interface View {
  readonly text: string;
  /** Where a part of this text is in the original. */
  readonly sourceOf: (span: Span) => Span;
}

/** A rewritten part: its position here, and its position in the text before. */
interface Edit extends Span {
  readonly at: number;
  readonly size: number;
  readonly placeOf: PlaceOf | undefined;
}

/** Maps a position in a rewritten token to the part of the token that it comes from. */
type PlaceOf = (position: number) => Span;

/** A way to rewrite tokens. Without `spansIn`, each character maps to its whole token. */
export interface TextRewrite {
  readonly tokens: RegExp;
  readonly change: (token: string) => string;
  readonly spansIn?: (token: string) => PlaceOf | undefined;
}

/** The text unchanged. */
export function plainView(text: string): View {
  return { text, sourceOf: (span) => span };
}

/** The text with every token rewritten; undefined when there is none. The mapping is built on first use. */
export function rewritten(view: View, way: TextRewrite): View | undefined {
  const text = view.text.replace(way.tokens, way.change);
  if (text === view.text) return undefined;
  let edits: readonly Edit[] | undefined;
  const sourceOf = ({ start, end }: Span) => {
    edits ??= editsOf(view.text, way);
    return view.sourceOf({ start: unitAt(edits, start).start, end: unitAt(edits, end - 1).end });
  };
  return { text, sourceOf };
}

function editsOf(text: string, { tokens, change, spansIn }: TextRewrite): Edit[] {
  let gained = 0;
  return [...text.matchAll(tokens)].map(({ 0: token, index }) => {
    const at = index + gained;
    const size = change(token).length;
    gained += size - token.length;
    return { start: index, end: index + token.length, at, size, placeOf: spansIn?.(token) };
  });
}

/** Where the character at a position comes from. */
function unitAt(edits: readonly Edit[], position: number): Span {
  const edit = edits[countWhile(edits.length, (index) => (edits[index]?.at ?? 0) <= position) - 1];
  if (edit === undefined) return { start: position, end: position + 1 };
  const behind = position - edit.at - edit.size;
  if (behind >= 0) return { start: edit.end + behind, end: edit.end + behind + 1 };
  const place = edit.placeOf?.(position - edit.at);
  return place === undefined ? edit : { start: edit.start + place.start, end: edit.start + place.end };
}
