// A text and what it shall say → the text that says it, with every other byte as it was. Knows no manifest.
//
//   edge:                          edge:
//     hostports:   # public          hostports:   # public
//       - a:443                        - a:443
//       - b:443    # old      →        - c:443    # old
//     description: 'one'             description: 'two'
//                                    pool: { size: 2 }
//
// Values are replaced where they stand, in their quotes. Entries are added behind the one before them, and items that move take their
// lines along. A comment goes only with the line that it ends; a comment on lines of its own stays where it is. Where it would have
// no place, the value is refused. What the new text says is read back: if it is not exactly what was wanted, there is no new text.

import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseDocuments } from '../../manifest/text/parse.ts';
import { aligned, sameValue } from './align.ts';
import { editFlow } from './edit-flow.ts';
import { editLines } from './edit-lines.ts';
import { commentsIn } from './comments.ts';
import type { Addition, Editing, Member, Members, Refused } from './editing.ts';
import { commentsOf, layoutOf, type Spot } from './layout.ts';
import { lineBreakOf, Lines } from './lines.ts';
import { holdsShared, replace, type Placed } from './replace.ts';
import { spliced } from './splice.ts';
import type { Notation } from './written.ts';

interface TextToEdit {
  readonly name: string;
  /** Without a byte order mark. */
  readonly text: string;
}

/** The text, or what cannot be edited; nothing by name if the form of the whole text is not known. */
export type EditedText =
  | { readonly text: string; readonly refused?: undefined }
  | { readonly text?: undefined; readonly refused: readonly Refused[] };

/** The text that says this; values that are the same stay as they are written. */
export function editText({ name, text }: TextToEdit, wanted: JsonObject): EditedText {
  const [file, ...others] = parseDocuments(name, text);
  if (others.length > 0) return { refused: [] };
  const isJson = /\.json$/i.test(name);
  const lineBreak = lineBreakOf(text);
  // Each line ends with a line break while it is edited.
  const last = text.endsWith('\n') ? '' : lineBreak;
  const editing = editingOf(text + last, { isJson, lineBreak });
  const layout = layoutOf(editing.text);
  if (layout === undefined) return { refused: [] };
  editValue({ spot: layout, path: [] }, file.json, wanted, editing);
  if (editing.refused.length > 0) return { refused: editing.refused };
  const whole = spliced(editing.text, editing.splices);
  const made = whole.slice(0, whole.length - last.length);
  const [again, ...more] = parseDocuments(name, made);
  const isWanted = more.length === 0 && again.diagnostics.length === 0 && sameValue(again.json, wanted);
  return isWanted ? { text: made } : { refused: [] };
}

function editingOf(text: string, notation: Notation): Editing {
  return { text, lines: new Lines(text), comments: commentsOf(text), notation, splices: [], refused: [] };
}

function editValue(at: Placed, now: Json, next: Json, editing: Editing): void {
  if (sameValue(now, next)) return;
  const { spot } = at;
  if (spot.isShared) editing.refused.push({ path: at.path, reason: 'shared' });
  else if (isObject(now) && isObject(next) && isMapSpot(spot)) editMap(at, now, next, editing);
  else if (isList(now) && isList(next) && isListSpot(spot)) editList(at, now, next, editing);
  else replace(at, next, false, editing);
}

function isMapSpot({ style }: Spot): boolean {
  return style === 'block-map' || style === 'flow-map';
}

function isListSpot({ style }: Spot): boolean {
  return style === 'block-list' || style === 'flow-list';
}

type Sides = readonly [now: Json, next: Json];

/** The members of a map or a list, by their keys or indices. */
interface Inside extends Members {
  readonly members: readonly NamedMember[];
  readonly inside: (key: string) => Sides;
}

interface NamedMember extends Member {
  readonly key: string;
}

function editMap(at: Placed, now: JsonObject, next: JsonObject, editing: Editing): void {
  const { spot } = at;
  const members = spot.entries.map(({ key, start, value }) => ({
    key,
    start,
    end: value.end,
    spot: value,
    isKept: Object.hasOwn(next, key),
  }));
  const inside = (key: string): Sides => [now[key] ?? null, next[key] ?? null];
  editMembers(at, next, { spot, members, additions: addedEntries(members, now, next), inside }, editing);
}

/** Each stands behind the entry before it that stays, or behind the last one. */
function addedEntries(members: readonly NamedMember[], now: JsonObject, next: JsonObject): Addition[] {
  const indices = new Map(members.map(({ key }, index) => [key, index]));
  const last = members.findLastIndex(({ isKept }) => isKept);
  let after = last;
  return Object.entries(next).flatMap(([key, value]) => {
    if (!Object.hasOwn(now, key)) return [{ after, key, value }];
    after = indices.get(key) ?? last;
    return [];
  });
}

function editList(at: Placed, now: readonly Json[], next: readonly Json[], editing: Editing): void {
  const { spot } = at;
  const { pairs, additions } = aligned(now, next);
  const wanted = new Map(pairs);
  const members = spot.items.map((item, index) => ({
    key: String(index),
    start: item.after === undefined ? item.start : item.after - 1,
    end: item.end,
    spot: item,
    isKept: wanted.has(index),
  }));
  const inside = (key: string): Sides => [now[Number(key)] ?? null, next[wanted.get(Number(key)) ?? -1] ?? null];
  const added = additions.map((one) => ({ ...one, from: members[one.from ?? -1] }));
  editMembers(at, next, { spot, members, additions: added, inside }, editing);
}

/** What is inside first: what is added behind it comes after that. Where that is not possible, the whole value is replaced. */
function editMembers(at: Placed, next: Json, { inside, ...change }: Inside, editing: Editing): void {
  const { splices, refused } = editing;
  const { members } = change;
  const [before, noted] = [splices.length, refused.length];
  for (const { key, spot, isKept } of members) {
    const below = { spot, path: [...at.path, key] };
    if (isKept) editValue(below, ...inside(key), editing);
    else if (holdsShared(spot)) refused.push({ path: below.path, reason: 'shared' });
  }
  if (canEditMembers(change, editing) && editorOf(change)(change, editing)) return;
  splices.length = before;
  refused.length = noted;
  replace(
    at,
    next,
    members.some(({ isKept }) => isKept),
    editing,
  );
}

/** Where none stays, only comments keep brackets apart. */
function canEditMembers({ members, additions, spot: { style, start, end } }: Members, editing: Editing): boolean {
  if (members.some(({ isKept }) => isKept)) return true;
  const isFlow = style === 'flow-map' || style === 'flow-list';
  return isFlow && additions.length === 0 && commentsIn(editing, start, end).length > 0;
}

function editorOf({ spot: { style } }: Members): typeof editFlow {
  return style === 'flow-map' || style === 'flow-list' ? editFlow : editLines;
}
