// Adds to and removes from what stands in brackets.

import type { Json } from '../../core/json.ts';
import type { Editing, Member, Members } from './editing.ts';
import { lineStart } from './splice.ts';
import { inlineEntry, inlineText } from './written.ts';

/** True when it is done. */
export function editFlow({ members, additions }: Members, editing: Editing): boolean {
  removeMembers(members, editing);
  const firstKept = members.find(({ isKept }) => isKept);
  for (const { after, key, value } of additions) {
    const place = members[after] ?? firstKept;
    if (place === undefined) return false;
    const { gap, indent } = gapAt(place, editing);
    const written = writtenMember(key, value, indent, editing);
    const { start, end } = place;
    if (after >= 0) editing.splices.push({ start: end, end, text: `,${gap}${written}` });
    else editing.splices.push({ start, end: start, text: `${written},${gap}` });
  }
  return true;
}

/** What goes takes the comma behind it along, and at the end the one before it. */
function removeMembers(members: readonly Member[], { splices }: Editing): void {
  const lastKept = members.findLastIndex(({ isKept }) => isKept);
  for (const [index, { isKept, start, end }] of members.entries()) {
    if (isKept) continue;
    if (index < lastKept) splices.push({ start, end: members[index + 1]?.start ?? end, text: '' });
    else splices.push({ start: members[index - 1]?.end ?? start, end, text: '' });
  }
}

/** What stands between two members: a blank, or a line break where each is the first on its line. */
function gapAt({ start }: Member, { text, notation }: Editing) {
  const begin = text.slice(lineStart(text, start), start);
  const indent = begin.slice(0, begin.length - begin.trimStart().length);
  return { gap: begin.trim() === '' ? notation.lineBreak + indent : ' ', indent };
}

function writtenMember(key: string | undefined, value: Json, indent: string, { notation }: Editing): string {
  return key === undefined ? inlineText(value, notation, indent) : inlineEntry(key, value, notation, indent);
}
