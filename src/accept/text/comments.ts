// Comments of a text, and the lines that go without them.

import { countWhile } from '../../core/bisect.ts';
import type { Editing } from './editing.ts';
import type { Comment } from './layout.ts';

/** Those that begin in a part of the text. */
export function commentsIn({ comments }: Pick<Editing, 'comments'>, start: number, end: number): readonly Comment[] {
  const before = (at: number) => countWhile(comments.length, (index) => (comments[index]?.start ?? 0) < at);
  return comments.slice(before(start), before(end));
}

/** A part of a text. */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Takes whole lines away, and leaves the comments that have lines of their own. */
export function removeLines({ start, end }: Part, editing: Editing): void {
  const { lines, splices } = editing;
  const alone = commentsIn(editing, start, end).filter(({ isAlone }) => isAlone);
  let from = start;
  for (const comment of alone) {
    splices.push({ start: from, end: lines.startOf(comment.start), text: '' });
    from = lines.nextAfter(comment.start);
  }
  splices.push({ start: from, end, text: '' });
}
