// The sections of a plan that was compared with a revision: what this change causes first, what was pending already folded below it,
// and what was changed outside apart. How steps are drawn is for the document.

import { countText, type ComparedView } from '../view/compared.ts';
import type { PartName, View } from '../view/view.ts';
import { nameOf, own, RANKS, signOf, type Block, type BlockOf, type Phrase } from './blocks.ts';

type Folds = readonly BlockOf<'fold'>[];

/** Draws a part of a view like a whole one, with the folds of its items. */
type Draw = (part: View, folds: Folds) => readonly Block[];

type Compared = View & { readonly compared: ComparedView };

export function isCompared(view: View): view is Compared {
  return view.compared !== undefined;
}

/** What the change loses, and then what was pending already. */
export function comparedLosses(
  view: Compared,
  folds: Folds,
  draw: (part: View, folds: Folds, title?: string) => Block[],
): Block[] {
  const [own, others] = [true, false].map((isOwn) => {
    const places = [...view.items.keys()].filter((index) => (view.items[index]?.part === 'this change') === isOwn);
    return partAt(view, folds, places);
  });
  if (own === undefined || others === undefined) return [];
  const pending = draw(...others, 'Deletes and replacements that were pending already');
  return [...draw(...own, 'Deletes and replacements of this change'), ...pending.filter(({ is }) => is === 'list')];
}

/** The steps of each part, and what is no longer planned. */
export function comparedSteps(view: Compared, folds: Folds, draw: Draw): Block[] {
  const { parts, former, rev } = view.compared;
  const sections = parts.flatMap(({ name, items, totals }): Block[] => {
    const [part, partFolds] = partAt(view, folds, items);
    const title = `${titleOf(name)}: ${countText([...totals])}`;
    const head: Block = { is: 'paragraph', only: ['text'], tone: 'strong', phrase: [own(title)] };
    const blocks = [head, ...draw({ ...part, totals }, partFolds).flatMap(untitled)];
    return [{ is: 'section', title, blocks, ...(name === 'this change' ? {} : { fold: 'closed' }) }];
  });
  return [...sections, ...formerBlocks(former, rev)];
}

/** The title of the part says what its steps are. */
function untitled(block: Block): readonly Block[] {
  return block.is === 'section' && block.fold === undefined ? block.blocks : [block];
}

function partAt(view: View, folds: Folds, places: readonly number[]): readonly [View, Folds] {
  const items = places.flatMap((index) => view.items[index] ?? []);
  return [{ ...view, items }, places.flatMap((index) => folds[index] ?? [])];
}

function titleOf(name: PartName): string {
  return { 'this change': 'This change', 'already pending': 'Already pending', drifted: 'Changed outside' }[name];
}

function formerBlocks(former: ComparedView['former'], rev: string): Block[] {
  if (former.length === 0) return [];
  const head: Phrase = [own('No longer planned; '), nameOf(rev), own(' would do it:')];
  const entries = former.map((one) => ({ phrase: [signOf(one), own(' '), nameOf(one.address, one.live_id)] }));
  return [
    { is: 'paragraph', phrase: head },
    { is: 'list', noun: 'step', rank: RANKS.note, entries },
  ];
}
