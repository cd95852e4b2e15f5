// A text as it reads once parts of it are written in another way, with the way back to where each part stands.

import type { Span } from './matcher.ts';
import { countWhile } from '../bisect.ts';

export interface View {
  readonly text: string;
  /** Where in the first text a part of this one stands. */
  readonly sourceOf: (span: Span) => Span;
}

/** A part that was rewritten: its place here, and its place in the text before. */
interface Edit extends Span {
  readonly at: number;
  readonly size: number;
  readonly placeOf: PlaceOf | undefined;
}

/** Where in a token a unit of what it became comes from. */
type PlaceOf = (position: number) => Span;

/** A way to rewrite tokens. A unit comes from its whole token where nothing else is said. */
export interface TextRewrite {
  readonly tokens: RegExp;
  readonly change: (token: string) => string;
  readonly spansIn?: (token: string) => PlaceOf | undefined;
}

/** The text as it is. */
export function plainView(text: string): View {
  return { text, sourceOf: (span) => span };
}

/** The text with every token changed; undefined when none is. The way back is only made when it is asked for. */
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

/** Where the unit at a position comes from. */
function unitAt(edits: readonly Edit[], position: number): Span {
  const edit = edits[countWhile(edits.length, (index) => (edits[index]?.at ?? 0) <= position) - 1];
  if (edit === undefined) return { start: position, end: position + 1 };
  const behind = position - edit.at - edit.size;
  if (behind >= 0) return { start: edit.end + behind, end: edit.end + behind + 1 };
  const place = edit.placeOf?.(position - edit.at);
  return place === undefined ? edit : { start: edit.start + place.start, end: edit.start + place.end };
}
