// Adds to and removes from what stands on lines of its own.

import type { Editing, Member, Members } from './editing.ts';
import { endOfBlock, lineStart } from './splice.ts';
import { inlineText, linesOfEntry } from './written.ts';

/** True when it is done; false where a member that goes, or before which another one comes, is not the first on its line. */
export function editLines({ members, additions }: Members, editing: Editing): boolean {
  const { text } = editing;
  const [first] = members;
  const firstKept = members.find(({ isKept }) => isKept);
  if (first === undefined || firstKept === undefined) return false;
  const isOnOwnLine = ({ start }: Member) => text.slice(lineStart(text, start), start).trim() === '';
  const isBefore = additions.some(({ after }) => members[after] === undefined);
  const moved = [...members.filter(({ isKept }) => !isKept), ...(isBefore ? [firstKept] : [])];
  if (!moved.every(isOnOwnLine)) return false;
  const column = first.start - lineStart(text, first.start);
  removeMembers(members, column, editing);
  for (const addition of additions) {
    const place = members[addition.after];
    const at = place === undefined ? lineStart(text, firstKept.start) : endOfBlock(text, place.end, column);
    addLines(linesOf(addition, column, editing), at, editing);
  }
  return true;
}

function removeMembers(members: readonly Member[], column: number, { text, notation, splices }: Editing): void {
  for (const { start, end, isKept } of members)
    if (!isKept) splices.push({ start: lineStart(text, start), end: endOfBlock(text, end, column), text: '' });
  const goesLast = members[members.findLastIndex(({ isKept }) => isKept) + 1];
  const end = members.at(-1)?.end ?? 0;
  if (goesLast === undefined || text.endsWith('\n') || endOfBlock(text, end, column) < text.length) return;
  // The text ends with what goes, and has no last line break.
  const at = lineStart(text, goesLast.start);
  splices.push({ start: at - notation.lineBreak.length, end: at, text: '' });
}

function linesOf({ key, value }: Members['additions'][number], column: number, { notation }: Editing): string[] {
  const indent = ' '.repeat(column);
  return key === undefined ? [`${indent}- ${inlineText(value, notation, indent)}`] : linesOfEntry(key, value, indent);
}

function addLines(lines: readonly string[], at: number, { text, notation, splices }: Editing): void {
  const written = lines.join(notation.lineBreak);
  const isBehindAll = at === text.length && !text.endsWith('\n');
  splices.push({ start: at, end: at, text: isBehindAll ? notation.lineBreak + written : written + notation.lineBreak });
}
