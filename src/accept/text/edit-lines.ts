// Adds to, removes from and moves what stands on lines of its own.

import { removeLines } from './comments.ts';
import type { Addition, Editing, Member, Members } from './editing.ts';
import { inlineText, linesOfEntry } from './written.ts';

/** True when it is done; false where a member that goes, or before which another one comes, is not the first on its line. */
export function editLines({ members, additions }: Members, editing: Editing): boolean {
  const { lines } = editing;
  const [first] = members;
  const firstKept = members.find(({ isKept }) => isKept);
  if (first === undefined || firstKept === undefined) return false;
  const isBefore = additions.some(({ after }) => members[after] === undefined);
  const gone = members.filter(({ isKept }) => !isKept);
  const touched = isBefore ? [...gone, firstKept] : gone;
  if (!touched.every(({ start }) => lines.isFirst(start))) return false;
  removeMembers(gone, new Set(additions.map(({ from }) => from)), editing);
  const column = first.start - lines.startOf(first.start);
  for (const addition of additions) {
    const place = members[addition.after];
    const at = place === undefined ? lines.startOf(firstKept.start) : lines.endOfBlock(place.end, column);
    const written = linesOf(addition, column, editing).map((line) => line + editing.notation.lineBreak);
    editing.splices.push({ start: at, end: at, text: written.join('') });
  }
  return true;
}

/** Lines that move take the comments between them along. */
function removeMembers(gone: readonly Member[], moved: ReadonlySet<Member | undefined>, editing: Editing): void {
  const { lines, splices } = editing;
  for (const member of gone) {
    const part = { start: lines.startOf(member.start), end: lines.nextAfter(member.end) };
    if (moved.has(member)) splices.push({ ...part, text: '' });
    else removeLines(part, editing);
  }
}

function linesOf({ key, value, from }: Addition, column: number, { text, lines, notation }: Editing): string[] {
  if (from !== undefined) return [text.slice(lines.startOf(from.start), lines.endOf(from.end))];
  const indent = ' '.repeat(column);
  return key === undefined ? [`${indent}- ${inlineText(value, notation, indent)}`] : linesOfEntry(key, value, indent);
}
