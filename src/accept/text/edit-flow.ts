// Adds to, removes from and moves what stands in brackets.

import { groupBy } from '../../core/group.ts';
import { commentsIn, removeLines } from './comments.ts';
import type { Addition, Editing, Member, Members } from './editing.ts';
import { inlineEntry, inlineText } from './written.ts';

/** A member with what stands behind it. */
interface Place extends Member {
  /** True where a comma follows. */
  readonly hasComma: boolean;
  /** Behind it and its comma. */
  readonly behind: number;
  /** True where nothing else but a comment stands on its lines. */
  readonly isOnLines: boolean;
}

/** True when it is done; false where a comment would have no place. */
export function editFlow({ spot, members, additions }: Members, editing: Editing): boolean {
  const places = members.map((member, index) => placeOf(member, members[index + 1]?.start ?? spot.end - 1, editing));
  const lastKept = places.findLastIndex(({ isKept }) => isKept);
  const firstKept = places.find(({ isKept }) => isKept);
  if (firstKept === undefined && additions.length > 0) return false;
  const added = withOrigins(additions, members, places);
  const origins = new Set(added.map(({ origin }) => origin));
  const endsWithComma = places.at(-1)?.hasComma === true;
  const behind = groupBy(added, ({ after }) => after);
  const isDone = places.map((place, index) => {
    const isLast = index >= lastKept && !endsWithComma;
    if (place.isKept)
      return addBehind(place, { added: behind.get(index) ?? [], isLast, isEnd: index === places.length - 1 }, editing);
    return removePlace(place, { before: isLast ? places[index - 1] : undefined, isMoved: origins.has(place) }, editing);
  });
  const isBegun = firstKept === undefined || addBefore(firstKept, behind.get(-1) ?? [], editing);
  return isBegun && isDone.every((done) => done);
}

interface Added extends Addition {
  readonly origin: Place | undefined;
}

/** Where each stood that moves. */
function withOrigins(additions: readonly Addition[], members: readonly Member[], places: readonly Place[]): Added[] {
  const placeByMember = new Map(members.map((member, index) => [member, places[index]]));
  return additions.map((addition) => ({ ...addition, origin: addition.from && placeByMember.get(addition.from) }));
}

function placeOf(member: Member, next: number, editing: Editing): Place {
  const { text, lines } = editing;
  const comma = commaIn(member.end, next, editing);
  const behind = comma ?? member.end;
  const rest = text.slice(behind, lines.endOf(behind)).trimStart();
  const isOnLines =
    lines.isFirst(member.start) &&
    (rest === '' || rest.startsWith('#')) &&
    commentsIn(editing, member.end, behind).length === 0;
  return { ...member, hasComma: comma !== undefined, behind, isOnLines };
}

/** Behind the comma in a part without values. */
function commaIn(start: number, end: number, editing: Editing): number | undefined {
  let from = start;
  for (const comment of [...commentsIn(editing, start, end), { start: end, end }]) {
    const found = editing.text.slice(from, comment.start).indexOf(',');
    if (found >= 0) return from + found + 1;
    from = comment.end;
  }
  return undefined;
}

interface Leaving {
  /** The place before it, where none follows that stays. */
  readonly before: Place | undefined;
  readonly isMoved: boolean;
}

/** With its lines, or the blanks beside it. */
function removePlace(place: Place, { before, isMoved }: Leaving, editing: Editing): boolean {
  const { text, lines, splices } = editing;
  if (place.isOnLines) {
    const part = { start: lines.startOf(place.start), end: lines.nextAfter(place.behind) };
    if (isMoved) splices.push({ ...part, text: '' });
    else removeLines(part, editing);
    return true;
  }
  let { start, behind: end } = place;
  if (before !== undefined && text.slice(before.behind, start).trim() === '' && !lines.isFirst(start))
    start = before.behind;
  else {
    const rest = text.slice(end, lines.endOf(end));
    const blanks = rest.length - rest.trimStart().length;
    if (blanks < rest.length && rest.charAt(blanks) !== '#') end += blanks;
    else if (blanks === rest.length && !lines.isFirst(start)) start = text.slice(0, start).trimEnd().length;
  }
  splices.push({ start, end, text: '' });
  return commentsIn(editing, start, end).length === 0;
}

interface Behind {
  readonly added: readonly Added[];
  /** True where no comma follows the last of them. */
  readonly isLast: boolean;
  /** True where nothing else stands behind the place. */
  readonly isEnd: boolean;
}

function addBehind(place: Place, { added, isLast, isEnd }: Behind, editing: Editing): boolean {
  const { lines, notation, splices } = editing;
  const { start, end, behind, hasComma, isOnLines } = place;
  if (added.length === 0) {
    if (hasComma && isLast) splices.push({ start: behind - 1, end: behind, text: '' });
    return true;
  }
  const isBroken = isOnLines || (isEnd && lines.isFirst(start));
  const gap = isBroken ? notation.lineBreak + lines.indentAt(start) : ' ';
  const written = added.map((one, index) => {
    const comma = isLast && index === added.length - 1 ? '' : ',';
    return `${gap}${writtenMember(one, lines.indentAt(start), editing)}${comma}${commentOf(one.origin, editing)}`;
  });
  if (!hasComma) splices.push({ start: end, end, text: ',' });
  const at = isOnLines ? lines.endOf(behind) : behind;
  splices.push({ start: at, end: at, text: written.join('') });
  return isOnLines || added.every(({ origin }) => commentOf(origin, editing) === '');
}

function addBefore({ start }: Place, added: readonly Added[], editing: Editing): boolean {
  const { lines, notation, splices } = editing;
  const indent = lines.indentAt(start);
  const isBroken = lines.isFirst(start);
  const gap = isBroken ? notation.lineBreak + indent : ' ';
  for (const one of added)
    splices.push({
      start,
      end: start,
      text: `${writtenMember(one, indent, editing)},${commentOf(one.origin, editing)}${gap}`,
    });
  return isBroken || added.every(({ origin }) => commentOf(origin, editing) === '');
}

/** What ends the line of a member that moves, with the blanks before it. */
function commentOf(place: Place | undefined, { text, lines }: Editing): string {
  return place?.isOnLines === true ? text.slice(place.behind, lines.endOf(place.behind)).trimEnd() : '';
}

function writtenMember({ key, value, origin }: Added, indent: string, { text, notation }: Editing): string {
  if (origin !== undefined) return text.slice(origin.start, origin.end);
  return key === undefined ? inlineText(value, notation, indent) : inlineEntry(key, value, notation, indent);
}
