// Comments of a text, and the lines that go without them.

import { countWhile } from '../../core/bisect.ts';
import type { Editing } from './editing.ts';

export interface Comment {
  /** Of its number sign. */
  readonly start: number;
  readonly end: number;
  /** True for one on a line of its own; another one ends the line of something. */
  readonly isAlone: boolean;
}

/** Those that begin in a part of the text. */
export function commentsIn({ comments }: Pick<Editing, 'comments'>, start: number, end: number): readonly Comment[] {
  const before = (at: number) => countWhile(comments.length, (index) => (comments[index]?.start ?? 0) < at);
  return comments.slice(before(start), before(end));
}

/** A part of a text. */
export interface Part {
  readonly start: number;
  readonly end: number;
}

/** Takes whole lines away, in their order, and leaves the comments that have lines of their own. */
export function removeLines(parts: readonly Part[], editing: Editing): void {
  for (const part of parts.flatMap((one) => withoutComments(one, editing))) editing.splices.push({ ...part, text: '' });
}

function withoutComments({ start, end }: Part, editing: Editing): Part[] {
  const { lines } = editing;
  const kept = commentsIn(editing, start, end).filter(({ isAlone }) => isAlone);
  const starts = [start, ...kept.map((comment) => lines.nextAfter(comment.start))];
  const ends = [...kept.map((comment) => lines.startOf(comment.start)), end];
  return starts.map((from, index) => ({ start: from, end: ends[index] ?? end })).filter((one) => one.start < one.end);
}
