// The stacks of a fleet as a document: a table of all, then a section for each that has something to say. What a section says is
// the document of its view.

import type { StackView, View } from '../view/view.ts';
import { nameOf, own, type Block, type BlockOf, type Phrase } from './blocks.ts';

/** Of a document that is too long, rows of what is unchanged are left out first, and rows of all others last. */
const ROW_RANKS = { unchanged: 1, others: 50 } as const;

/** The stacks, most dangerous first. */
export function fleetBlocks({ stacks = [], totals }: View, documentOf: (view: View) => Block[]): Block[] {
  const sections = new Map<StackView, BlockOf<'section'>>();
  for (const stack of stacks) {
    const { name, result, danger, view } = stack;
    if (danger === 0 || view === undefined) continue;
    const title = `${name}: ${result}`;
    const first: Block = { is: 'paragraph', only: ['text'], tone: 'strong', phrase: [own('== '), title] };
    const blocks = [first, ...documentOf(view)];
    const fold = danger > 1 ? 'open' : 'closed';
    sections.set(stack, { is: 'section', title, isTarget: true, fold, rank: danger, blocks });
  }
  if (stacks.length === 0) return [];
  const words = [...totals.keys()];
  const isOne = new Set(stacks.flatMap(({ service }) => service ?? [])).size < 2;
  const rows = stacks.map((stack): BlockOf<'table'>['rows'][number] => {
    const { name, result, by, tone, service = '', counts, danger } = stack;
    const cells: (Phrase | number)[] = [
      [nameOf(name, undefined, () => sections.get(stack))],
      [own(result, tone), ...(by === undefined ? [] : [own(' by '), nameOf(by)])],
      ...words.map((word) => counts.get(word) ?? 0),
      ...(isOne ? [] : [[nameOf(service)]]),
    ];
    return { cells, rank: danger === 0 ? ROW_RANKS.unchanged : ROW_RANKS.others + danger };
  });
  const head = ['stack', 'verdict', ...words, ...(isOne ? [] : ['service'])].map((one) => [own(one)]);
  const table: Block = { is: 'table', noun: 'stack', head, rows };
  if (sections.size === 0) return [table];
  return [table, { is: 'section', title: 'Stacks with something to say', blocks: [...sections.values()] }];
}
