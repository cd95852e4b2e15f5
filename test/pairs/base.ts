// The world that two mechanisms begin with: a manifest of several kinds, and a few ordinary edits of it.

import type { Kind } from '../../src/catalog/kind.ts';
import { managedKinds } from '../../src/catalog/lookup.ts';
import { addObject } from '../support/add-objects.ts';
import type { Chance } from '../support/chance.ts';
import type { Block } from '../support/document.ts';
import { applyEdits, type EditName } from '../support/edits.ts';
import { tryLoad } from '../support/worlds.ts';
import { Draft, emptyDocument } from './draft.ts';

/** Edits that are mechanisms of their own here. */
const MECHANISMS: readonly EditName[] = [
  'moveChild',
  'renameMoved',
  'rename',
  'release',
  'lifecycle',
  'secret',
  'addObject',
];
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

/** Up to two ordinary edits, and none of them in a third of the worlds. */
function edit(draft: Draft): void {
  const { chance, main } = draft;
  const recipes = Array.from({ length: chance(3) }, () => {
    return { op: chance(999), at: chance(11), other: chance(11), path: chance(9_999), variant: chance(11) };
  });
  const { second } = applyEdits(main.before, recipes, MECHANISMS);
  if (tryLoad(withValues(second)) === undefined) return;
  main.after = second;
  if (draft.inAfter(draft.focus.before) === undefined) draft.focus.after = undefined;
}

/** The document with a value for each variable, for a loader that has none. */
export function withValues(doc: Block): Block {
  const variables = Object.entries((doc['variables'] ?? {}) as Block).map(([name, about]) => [
    name,
    { ...(about as Block), default: `value of ${name}` },
  ]);
  return { ...doc, variables: Object.fromEntries(variables) as Block };
}
