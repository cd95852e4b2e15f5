// A text and what it shall say → the text that says it, with every other byte as it was. Knows no manifest.
//
//   edge:                          edge:
//     hostports:   # public          hostports:   # public
//       - a:443                        - a:443
//       - b:443    # old      →        - c:443    # old
//     description: 'one'             description: 'two'
//                                    pool: { size: 2 }
//
// Values are replaced where they stand, in their quotes. Entries are added behind the one before them, and removed with the
// comments inside and beside them; comments on lines above stay. What the new text says is read back: if it is not exactly what
// was wanted, there is no new text.

import { isList, isObject, type Json, type JsonObject, type Path } from '../../core/json.ts';
import { parseDocuments } from '../../manifest/text/parse.ts';
import { editFlow } from './edit-flow.ts';
import type { Editing, Member, Members } from './editing.ts';
import { layoutOf, type Spot } from './layout.ts';
import { editLines } from './edit-lines.ts';
import { aligned, sameValue } from './align.ts';
import { lineBreakOf, lineEnd, lineStart, spliced } from './splice.ts';
import { blockText, inlineText } from './written.ts';

interface TextToEdit {
  readonly name: string;
  /** Without a byte order mark. */
  readonly text: string;
}

/** The text, or the paths that cannot be edited: what stands there has an anchor, an alias or a tag; none if the form is not known. */
export type EditedText =
  | { readonly text: string; readonly shared?: undefined }
  | { readonly text?: undefined; readonly shared: readonly Path[] };

/** The text that says this; values that are the same stay as they are written. */
export function editText({ name, text }: TextToEdit, wanted: JsonObject): EditedText {
  const [file, ...others] = parseDocuments(name, text);
  const layout = layoutOf(text);
  if (layout === undefined || others.length > 0) return { shared: [] };
  const notation = { isJson: /\.json$/i.test(name), lineBreak: lineBreakOf(text) };
  const editing: Editing = { text, notation, splices: [], shared: [] };
  editValue({ spot: layout, path: [] }, file.json, wanted, editing);
  if (editing.shared.length > 0) return { shared: editing.shared };
  const made = spliced(text, editing.splices);
  const [again, ...more] = parseDocuments(name, made);
  const isWanted = more.length === 0 && again.diagnostics.length === 0 && sameValue(again.json, wanted);
  return isWanted ? { text: made } : { shared: [] };
}

/** A value in a text. */
export interface Placed {
  readonly spot: Spot;
  readonly path: Path;
}

function editValue(at: Placed, now: Json, next: Json, editing: Editing): void {
  if (sameValue(now, next)) return;
  const { spot } = at;
  if (spot.isShared) editing.shared.push(at.path);
  else if (isObject(now) && isObject(next) && isMapSpot(spot)) editMap(at, now, next, editing);
  else if (isList(now) && isList(next) && isListSpot(spot)) editList(at, now, next, editing);
  else replace(at, next, editing);
}

function isMapSpot({ style }: Spot): boolean {
  return style === 'block-map' || style === 'flow-map';
}

function isListSpot({ style }: Spot): boolean {
  return style === 'block-list' || style === 'flow-list';
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
  const added = Object.keys(next).filter((key) => !Object.hasOwn(now, key));
  const names = Object.keys(next);
  const additions = added.map((key) => {
    const before = names.slice(0, names.indexOf(key)).findLast((name) => Object.hasOwn(now, name));
    return { after: lastIndex(members, before), key, value: next[key] ?? null };
  });
  const inside = (key: string): Sides => [now[key] ?? null, next[key] ?? null];
  editMembers(
    at,
    next,
    { members, additions, inside, edit: spot.style === 'flow-map' ? editFlow : editLines },
    editing,
  );
}

type Sides = readonly [now: Json, next: Json];

/** The members of a map or a list, by their keys or indices. */
interface Inside extends Members {
  readonly members: readonly (Member & { readonly key: string })[];
  readonly inside: (key: string) => Sides;
  readonly edit: typeof editFlow;
}

/** What is inside first: what is added behind it comes after that. Where that is not possible, the whole value is replaced. */
function editMembers(at: Placed, next: Json, { members, additions, inside, edit }: Inside, editing: Editing): void {
  const { splices, shared } = editing;
  const [before, noted] = [splices.length, shared.length];
  for (const { key, spot, isKept } of members) {
    const below = { spot, path: [...at.path, key] };
    if (isKept) editValue(below, ...inside(key), editing);
    else if (holdsShared(spot)) shared.push(below.path);
  }
  if (members.some(({ isKept }) => isKept) && edit({ members, additions }, editing)) return;
  splices.length = before;
  shared.length = noted;
  replace(at, next, editing);
}

/** Behind that member, or behind the last one that stays. */
function lastIndex(
  members: readonly { readonly key: string; readonly isKept: boolean }[],
  key: string | undefined,
): number {
  const found = key === undefined ? -1 : members.findIndex((one) => one.key === key);
  return found >= 0 ? found : members.findLastIndex(({ isKept }) => isKept);
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
  editMembers(
    at,
    next,
    { members, additions, inside, edit: spot.style === 'flow-list' ? editFlow : editLines },
    editing,
  );
}

function holdsShared({ isShared, entries, items }: Spot): boolean {
  return isShared || items.some(holdsShared) || entries.some(({ value }) => holdsShared(value));
}

/** Another value in the place of the whole one. */
function replace({ spot, path }: Placed, next: Json, { text, notation, splices, shared }: Editing): void {
  const { style, start, end, after } = spot;
  if (holdsShared(spot)) shared.push(path);
  const line = text.slice(lineStart(text, start), lineEnd(text, start));
  const indent = line.slice(0, line.length - line.trimStart().length);
  const written = inlineText(next, notation, indent, spot);
  if (style === 'empty') splices.push({ start, end, text: ` ${written}` });
  else if (style === 'block-text') {
    const below =
      text
        .slice(lineEnd(text, start), end)
        .split('\n')
        .find((one) => one.trim() !== '') ?? '';
    const lines = blockText(next, below.slice(0, below.length - below.trimStart().length));
    splices.push({ start, end, text: lines?.join(notation.lineBreak) ?? written });
  } else if (style === 'block-map' || style === 'block-list') {
    const isBelow = after !== undefined && lineEnd(text, after) < start;
    // What stands beside the key stays there.
    const rest = isBelow ? lineEnd(text, after) : (after ?? start);
    if (after !== undefined)
      splices.push({ start: after, end: after, text: ` ${written}` }, { start: rest, end, text: '' });
    else splices.push({ start, end, text: written });
  } else splices.push({ start, end, text: written });
}
