// The sections of a plan that was compared with a revision: what this change causes first, what was pending already folded below it,
// and what was changed outside apart. How steps are drawn is for the document.

import { partition } from '../../core/group.ts';
import { countText, type ComparedView } from '../view/compared.ts';
import type { PartName, View } from '../view/view.ts';
import { nameOf, own, RANKS, signOf, type Block, type Phrase } from './blocks.ts';
import type { Entry } from './folds.ts';

type Compared = View & { readonly compared: ComparedView };

export function isCompared(view: View): view is Compared {
  return view.compared !== undefined;
}

/** What the change loses, and then what was pending already. */
export function comparedLosses(
  losses: readonly Entry[],
  draw: (losses: readonly Entry[], title?: string) => Block[],
): Block[] {
  const [caused, pending] = partition(losses, ({ first }) => first.part === 'this change');
  return [
    ...titled('Deletes and replacements of this change', caused, draw),
    ...(pending.length === 0 ? [] : titled('Deletes and replacements that were pending already', pending, draw)),
  ];
}

/** A log has no sections, so a line there says which losses they are. */
function titled(
  title: string,
  losses: readonly Entry[],
  draw: (losses: readonly Entry[], title?: string) => Block[],
): Block[] {
  const head: Block = { is: 'paragraph', only: ['text'], tone: 'strong', phrase: [own(title)] };
  return losses.length === 0 ? draw(losses, title) : [head, ...draw(losses, title)];
}

/** The steps of each part besides those that are lost, and what is no longer planned. */
export function comparedSteps(
  { compared: { parts, former, rev } }: Compared,
  entries: readonly Entry[],
  draw: (entries: readonly Entry[]) => Block[],
): Block[] {
  const sections = parts.flatMap(({ name, totals }): Block[] => {
    const title = `${titleOf(name)}: ${countText([...totals])}`;
    const head: Block = { is: 'paragraph', only: ['text'], tone: 'strong', phrase: [own(title)] };
    const drawn = draw(entries.filter(({ first }) => first.part === name)).flatMap(untitled);
    if (drawn.length === 0) return [];
    return [{ is: 'section', title, blocks: [head, ...drawn], ...(name === 'this change' ? {} : { fold: 'closed' }) }];
  });
  return [...sections, ...formerBlocks(former, rev)];
}

/** The title of the part says what its steps are. */
function untitled(block: Block): readonly Block[] {
  return block.is === 'section' && block.fold === undefined ? block.blocks : [block];
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
