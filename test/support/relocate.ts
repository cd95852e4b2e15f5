// Moves objects of a document to other addresses, and takes out what refers to an address that is gone.

import type { Json } from '../../src/core/json.ts';
import { isList, isObject } from '../../src/core/json.ts';
import { formatAddress } from '../../src/catalog/address.ts';
import type { Field, Fields } from '../../src/catalog/field.ts';
import { topLevelKinds } from '../../src/catalog/lookup.ts';
import type { Block, Declared } from './document.ts';
import { objectsOf, sectionOf } from './document.ts';

interface Move {
  readonly from: string;
  readonly to: string;
}

/** Gives the object another name; references follow. */
export function renamed(
  doc: Block,
  declared: Declared,
  { name, isMoved }: { readonly name: string; readonly isMoved: boolean },
): string {
  const to = formatAddress(declared.kind, name, declared.parent?.address);
  delete declared.section[declared.name];
  declared.section[name] = declared.block;
  relocated(doc, { from: declared.address, to }, isMoved);
  return `rename ${declared.address} to ${to}${isMoved ? ', moved' : ''}`;
}

/** Puts a child into another parent. */
export function moveBlock(
  doc: Block,
  declared: Declared,
  { home, name, isMoved }: { readonly home: Declared; readonly name: string; readonly isMoved: boolean },
): string | undefined {
  const section = sectionOf(home.block, declared.kind);
  if (section[name] !== undefined) return undefined;
  const to = formatAddress(declared.kind, name, home.address);
  delete declared.section[declared.name];
  section[name] = declared.block;
  relocated(doc, { from: declared.address, to }, isMoved);
  return `put ${declared.address} into ${home.address}${isMoved ? ', moved' : ''}`;
}

function relocated(doc: Block, { from, to }: Move, isMoved: boolean): void {
  const before = (doc['moved'] as Move[] | undefined) ?? [];
  const { moved: _, ...rest } = doc;
  const text = JSON.stringify(rest).replaceAll(`\${${from}.`, `\${${to}.`);
  for (const key of Object.keys(doc)) delete doc[key];
  Object.assign(doc, JSON.parse(text));
  const moves = follow(before, { from, to }, isMoved);
  if (moves.length > 0) doc['moved'] = moves.map((move) => ({ ...move }));
}

/** Two renames of one object are one; a rename without `moved` forgets the earlier one. */
function follow(before: readonly Move[], { from, to }: Move, isMoved: boolean): Move[] {
  const earlier = before.find((move) => move.to === from);
  const others = before.filter((move) => move.to !== from);
  return isMoved ? [...others, { from: earlier?.from ?? from, to }] : others;
}

/** The document with `lifecycle.adopt` for the addresses that it has. */
export function withAdoptions(doc: Block, pairs: readonly (readonly [string, string])[]): Block {
  const copy = structuredClone(doc);
  const ids = new Map(pairs);
  for (const { address, block } of objectsOf(copy)) {
    const adopt = ids.get(address);
    const lifecycle = isObject(block['lifecycle']) ? block['lifecycle'] : {};
    if (adopt !== undefined) block['lifecycle'] = { ...lifecycle, adopt };
  }
  return copy;
}

/** Takes out every reference to the address and to what is inside it. */
export function withoutReferences(doc: Block, address: string): void {
  const isGone = (text: string) => text.includes(`\${${address}.`);
  for (const declared of objectsOf(doc)) {
    const own = clean(declared.kind.fields, declared.block, isGone);
    for (const key of Object.keys(declared.block))
      if (declared.kind.fields[key] !== undefined) delete declared.block[key];
    Object.assign(declared.block, own);
  }
  const outputs = Object.entries((doc['outputs'] as Block | undefined) ?? {}).filter(
    ([, text]) => !isGone(String(text)),
  );
  if (outputs.length === 0) delete doc['outputs'];
  else doc['outputs'] = Object.fromEntries(outputs);
}

function clean(fields: Fields, block: Block, isGone: (text: string) => boolean): Block {
  return Object.fromEntries(
    Object.entries(block).flatMap(([name, value]): [string, Json][] => {
      const field = fields[name];
      const kept = field === undefined ? undefined : cleanValue(field, value, isGone);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
}

/** A required id becomes a literal one of somebody else; everything else goes. */
function cleanValue(field: Field, value: Json, isGone: (text: string) => boolean): Json | undefined {
  if (typeof value === 'string') {
    if (!isGone(value)) return value;
    const prefix = field.type === 'string' ? field.ref?.prefixes.find(isElsewhere) : undefined;
    return prefix === undefined ? undefined : `${prefix}gone`;
  }
  if (field.type === 'list' && isList(value)) {
    return value.flatMap((item) => cleanValue(field.items, item, isGone) ?? []);
  }
  if (field.type === 'object' && isObject(value)) return clean(field.fields, { ...value }, isGone);
  return value;
}

function isElsewhere(prefix: string): boolean {
  return !topLevelKinds.some((kind) => kind.idPrefix === prefix);
}
