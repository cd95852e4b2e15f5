// A text as it reads once parts of it are written in another way, with the way back to where each part stands.

import type { Span } from './matcher.ts';

export interface View {
  readonly text: string;
  /** Where in the first text a part of this one stands. */
  readonly sourceOf: (span: Span) => Span;
}

/** A part that was rewritten: its place here, and its place in the text before. */
interface Edit extends Span {
  readonly at: number;
  readonly size: number;
}

/** The text as it is. */
export function plainView(text: string): View {
  return { text, sourceOf: (span) => span };
}

/** The text with every token changed; undefined when none is. The way back is only made when it is asked for. */
export function rewritten(view: View, tokens: RegExp, change: (token: string) => string): View | undefined {
  const text = view.text.replace(tokens, change);
  if (text === view.text) return undefined;
  let edits: readonly Edit[] | undefined;
  const sourceOf = ({ start, end }: Span) => {
    edits ??= editsOf(view.text, tokens, change);
    return view.sourceOf({ start: unitAt(edits, start).start, end: unitAt(edits, end - 1).end });
  };
  return { text, sourceOf };
}

function editsOf(text: string, tokens: RegExp, change: (token: string) => string): Edit[] {
  let gained = 0;
  return [...text.matchAll(tokens)].map(({ 0: token, index }) => {
    const edit = { start: index, end: index + token.length, at: index + gained, size: change(token).length };
    gained += edit.size - token.length;
    return edit;
  });
}

/** Where the unit at a position comes from. */
function unitAt(edits: readonly Edit[], position: number): Span {
  const edit = lastNotBehind(edits, position);
  if (edit === undefined) return { start: position, end: position + 1 };
  const behind = position - edit.at - edit.size;
  return behind < 0 ? edit : { start: edit.end + behind, end: edit.end + behind + 1 };
}

function lastNotBehind(edits: readonly Edit[], position: number): Edit | undefined {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((edits[middle]?.at ?? 0) <= position) low = middle + 1;
    else high = middle;
  }
  return edits[low - 1];
}
