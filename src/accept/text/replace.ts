// Another value in the place of a whole one.

import type { Json, Path } from '../../core/json.ts';
import { commentsIn, removeLines } from './comments.ts';
import type { Editing } from './editing.ts';
import type { Spot } from './layout.ts';
import { blockText, inlineText } from './written.ts';

/** A value in a text. */
export interface Placed {
  readonly spot: Spot;
  readonly path: Path;
}

export function holdsShared({ isShared, entries, items }: Spot): boolean {
  return isShared || items.some(holdsShared) || entries.some(({ value }) => holdsShared(value));
}

/** Refused where that would take a comment that stays; where a part of the value stays, none may go. */
export function replace({ spot, path }: Placed, next: Json, isPartKept: boolean, editing: Editing): void {
  const { lines, notation, splices, refused } = editing;
  const { style, start, end } = spot;
  if (holdsShared(spot)) refused.push({ path, reason: 'shared' });
  const written = inlineText(next, notation, lines.indentAt(start), spot);
  const isDone = () => {
    if (style === 'block-text') return replaceText(spot, next, written, editing);
    if (style === 'block-map' || style === 'block-list') return replaceBlock(spot, written, isPartKept, editing);
    splices.push({ start, end, text: style === 'empty' ? ` ${written}` : written });
    return commentsIn(editing, start, end).length === 0;
  };
  if (!isDone()) refused.push({ path, reason: 'form' });
}

/** A text with lines below its header, and the comment that ends the header. */
function replaceText({ start, end }: Spot, next: Json, written: string, editing: Editing): boolean {
  const { text, lines, notation, splices } = editing;
  const lineBelow = text
    .slice(lines.endOf(start), end)
    .split('\n')
    .find((line) => line.trim() !== '');
  const below = lineBelow ?? '';
  const [header = written, ...rest] = blockText(next, below.slice(0, below.length - below.trimStart().length)) ?? [];
  const head = text.slice(start, lines.endOf(start));
  const [comment, ...others] = commentsIn(editing, start, end);
  const bare = head.slice(0, (comment?.start ?? start + head.length) - start).trimEnd();
  const made = [header + head.slice(bare.length).trimEnd(), ...rest];
  splices.push({ start, end, text: made.join(notation.lineBreak) });
  return others.length === 0;
}

/** What stands beside the key or dash stays there. */
function replaceBlock({ start, end, after }: Spot, written: string, isPartKept: boolean, editing: Editing): boolean {
  const { text, lines, splices } = editing;
  if (after === undefined) {
    splices.push({ start, end, text: written });
    return commentsIn(editing, start, end).length === 0;
  }
  const line = text.slice(after, lines.endOf(after));
  const [comment] = commentsIn(editing, after, after + line.length);
  const bare = line.slice(0, comment && comment.start - after).trimEnd();
  splices.push({ start: after, end: after + bare.length, text: ` ${written}` });
  const below = { start: lines.nextAfter(after), end: lines.nextAfter(end) };
  if (below.start < below.end) removeLines(below, editing);
  return !isPartKept || commentsIn(editing, below.start, below.end).every(({ isAlone }) => isAlone);
}
