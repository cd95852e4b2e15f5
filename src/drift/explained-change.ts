// Whether a difference is caused only by findings: a value that refers to an object which is being replaced. Pure.

import { canonicalJson, isList, isObject, type Json } from '../core/json.ts';
import { DOLLAR, tokensOf, unescapeText } from '../core/text/template.ts';
import { splitReference } from '../catalog/address.ts';
import { ID } from '../catalog/fields/common.ts';
import type { Change } from '../plan/plan.ts';

/** An object that takes the place of another, or of several duplicates. */
interface Renewed {
  readonly ids: readonly string[];
  /** Addresses or ids of the findings that cause it. */
  readonly findings: readonly string[];
}

/** By address. */
export type RenewedObjects = Map<string, Renewed>;

/** The findings that explain the changes; undefined when the manifest contributes to them. */
export function findingsBehind(changes: readonly Change[], renewed: RenewedObjects): readonly string[] | undefined {
  if (changes.length === 0) return undefined;
  const own = changes.filter((change) => change.cause === 'config');
  const behind = own.map(({ before, after, sensitive }) => {
    const findings = sensitive ? [] : explained(before, after, renewed);
    // Two masks look alike, so a difference that is not visible has another cause.
    return findings?.length === 0 ? undefined : findings;
  });
  return union(behind);
}

function union(found: readonly (readonly string[] | undefined)[]): string[] | undefined {
  if (found.includes(undefined)) return undefined;
  return [...new Set(found.flatMap((one) => one ?? []))];
}

/** The findings that explain a change of value; none when it is equal, undefined when there is another cause. */
function explained(before: Json | undefined, after: Json, renewed: RenewedObjects): readonly string[] | undefined {
  if (isList(after)) return isList(before) ? explainedItems(before, after, renewed) : undefined;
  if (isObject(after)) {
    if (!isObject(before) || Object.keys(before).length !== Object.keys(after).length) return undefined;
    return union(Object.entries(after).map(([key, item]) => explained(before[key], item, renewed)));
  }
  if (before === after) return [];
  return typeof before === 'string' && typeof after === 'string' ? explainedText(before, after, renewed) : undefined;
}

/** In any order: some lists are sorted by id, and the ids have changed. */
function explainedItems(
  before: readonly Json[],
  after: readonly Json[],
  renewed: RenewedObjects,
): readonly string[] | undefined {
  if (before.length !== after.length) return undefined;
  const texts = new Set(after.map(canonicalJson));
  const kept = new Set(before.map(canonicalJson));
  const left = before.filter((item) => !texts.has(canonicalJson(item)));
  const found = after.filter((item) => !kept.has(canonicalJson(item)));
  return union(
    found.map((item) => {
      const at = left.findIndex((one) => explained(one, item, renewed) !== undefined);
      const [one] = at < 0 ? [] : left.splice(at, 1);
      return explained(one, item, renewed);
    }),
  );
}

interface Piece {
  /** Null for a value that is no longer known. */
  readonly text: string | null;
  readonly findings: readonly string[];
}

function explainedText(before: string, after: string, renewed: RenewedObjects): readonly string[] | undefined {
  const meant = unescapeText(before);
  const pieces = tokensOf(after).map((token): Piece | undefined => {
    if (token.is === 'text') return { text: token.text, findings: [] };
    return token.inner === DOLLAR ? { text: DOLLAR, findings: [] } : pieceOf(token.inner, meant, renewed);
  });
  const texts = pieces.map((piece) => piece?.text ?? null);
  return fits(meant, texts) ? union(pieces.map((piece) => piece?.findings)) : undefined;
}

/** The former value of a reference; undefined when it refers to something that is not renewed. */
function pieceOf(reference: string, before: string, renewed: RenewedObjects): Piece | undefined {
  const target = splitReference(reference);
  const object = renewed.get(target?.address ?? '');
  if (object === undefined) return undefined;
  const { ids, findings } = object;
  if (target?.attr !== ID) return { text: null, findings };
  const text = ids.find((id) => before.includes(id));
  return text === undefined ? undefined : { text, findings };
}

/** Whether the text can consist of these pieces. Unknown pieces are values of objects, so they contain no blanks. */
function fits(text: string, pieces: readonly (string | null)[]): boolean {
  let [at, isOpen] = [0, false];
  for (const piece of pieces) {
    if (piece === null) isOpen = true;
    else if (piece !== '') {
      const start = isOpen ? text.indexOf(piece, at + 1) : at;
      if (start < 0 || !text.startsWith(piece, start) || /\s/.test(text.slice(at, start))) return false;
      [at, isOpen] = [start + piece.length, false];
    }
  }
  const rest = text.slice(at);
  return isOpen ? /^\S+$/.test(rest) : rest === '';
}
