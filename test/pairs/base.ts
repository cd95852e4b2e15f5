// The world that two mechanisms begin with: a manifest of several kinds, and a few ordinary edits of it.

import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { addObject } from '../support/add-objects.ts';
import type { Chance } from '../support/chance.ts';
import { objectsOf, type Block } from '../support/document.ts';
import { applyEdits } from '../support/edits.ts';
import { tryLoad } from '../support/worlds.ts';
import { Draft, EDITS_OF_MECHANISMS, emptyDocument } from './draft.ts';

const MOST_TRIES = 20;

/** What a mechanism asks of the object that it acts upon. */
export type Wish = (kind: Kind) => boolean;

export function baseDraft(chance: Chance, wishes: readonly Wish[]): Draft {
  const kind = kindFor(chance, wishes);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const before = emptyDocument('shop');
    const focus = addObject(before, recipeOf(chance, kind));
    if (focus === undefined) continue;
    const palette = [kind, pick(chance), pick(chance)];
    for (let more = 1 + chance(3); more > 0; more -= 1) addObject(before, recipeOf(chance, palette[chance(3)]!));
    if (tryLoad(withValues(before)) === undefined) continue;
    const draft = new Draft(chance, { before, kind, focus: focus.address });
    draft.isJournalLost = chance(3) === 0;
    draft.isSideFirst = chance(2) === 0;
    edit(draft);
    return draft;
  }
  throw new Error(`no manifest with a ${kind.name}`);
}

/** A kind that both mechanisms can act upon, if there is one. */
function kindFor(chance: Chance, wishes: readonly Wish[]): Kind {
  const both = managedKinds.filter((kind) => wishes.every((fits) => fits(kind)));
  const any = both.length > 0 ? both : managedKinds.filter((kind) => wishes.some((fits) => fits(kind)));
  return any[chance(any.length)] ?? pick(chance);
}

function pick(chance: Chance): Kind {
  return managedKinds[chance(managedKinds.length)]!;
}

function recipeOf(chance: Chance, kind: Kind) {
  const fields = Array.from({ length: chance(4) }, () => ({ path: chance(9_999), variant: chance(11) }));
  return { kind: managedKinds.indexOf(kind), parent: chance(11), variant: chance(11), fields, lifecycle: 1 };
}

/** A few ordinary edits, most often one of the focus; none of them in a few worlds. */
function edit(draft: Draft): void {
  const { chance, main } = draft;
  const objects = objectsOf(main.before);
  const focus = objects.findIndex(({ address }) => address === draft.focus.before);
  const recipes = Array.from({ length: chance(4) }, (_, index) => {
    const at = index === 0 ? focus : chance(11);
    return { op: chance(999), at, other: chance(11), path: chance(9_999), variant: chance(11) };
  });
  const { second } = applyEdits(main.before, recipes, EDITS_OF_MECHANISMS);
  if (tryLoad(withValues(second)) === undefined || losesMuch(main.before, second, chance)) return;
  main.after = second;
  if (draft.inAfter(draft.focus.before) === undefined) draft.focus.after = undefined;
}

/** Most plans that lose what cannot be had again are refused, so that they say little. */
function losesMuch(before: Block, after: Block, chance: Chance): boolean {
  const kept = new Set(objectsOf(after).map(({ address, kind, block }) => `${address} ${fixedOf(kind, block)}`));
  const lost = objectsOf(before).filter(({ kind, address, block }) => !kept.has(`${address} ${fixedOf(kind, block)}`));
  return lost.some(({ kind }) => kind.irreplaceable !== undefined) && chance(5) > 0;
}

/** The values for which another one needs a new object. */
function fixedOf({ fields }: Kind, block: Block): string {
  return JSON.stringify(Object.entries(block).filter(([name]) => fields[name]?.write === 'create'));
}

/** The document with a value for each variable, for a loader that has none. */
export function withValues(doc: Block): Block {
  const variables = Object.entries((doc['variables'] ?? {}) as Block).map(([name, about]) => [
    name,
    { ...(about as Block), default: `value of ${name}` },
  ]);
  return { ...doc, variables: Object.fromEntries(variables) as Block };
}
