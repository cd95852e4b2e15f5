// The stacks of a fleet as a document: a table of all, then a section for each that has something to say. What a section says is
// the document of its view.

import type { StackView, View } from '../view/view.ts';
import { nameOf, own, type Block, type BlockOf, type Facets, type Phrase } from './blocks.ts';

/** What is left out of a document that is too long: rows and names of what is unchanged first, rows of all others last. */
const ROW_RANKS = { unchanged: 1, names: 2, others: 50 } as const;

/** More names than this are only in the table. */
const MAX_NAMES = 200;

/** The stacks, most dangerous first. */
export function fleetBlocks(
  { stacks = [], totals }: View,
  documentOf: (view: View, facets: Facets) => Block[],
): Block[] {
  const sections = new Map<StackView, BlockOf<'section'>>();
  for (const stack of stacks) {
    const { name, verdict, danger, view } = stack;
    if (danger === 0 || view === undefined) continue;
    const title = `${name}: ${verdict}`;
    const first: Block = { is: 'paragraph', only: ['text'], tone: 'strong', phrase: [own('== '), title] };
    const blocks = [first, ...documentOf(view, { Stack: name })];
    const fold = danger > 1 ? 'open' : 'closed';
    sections.set(stack, { is: 'section', title, isTarget: true, fold, rank: danger, blocks });
  }
  const all: BlockOf<'section'> = {
    is: 'section',
    title: 'Stacks with something to say',
    blocks: [...sections.values()],
  };
  return [
    ...tableBlocks(stacks, [...totals.keys()], (stack) => sections.get(stack)),
    ...(sections.size === 0 ? [] : [all]),
    ...unchangedBlocks(stacks.filter(({ danger }) => danger === 0)),
  ];
}

function tableBlocks(
  stacks: readonly StackView[],
  words: readonly string[],
  sectionOf: (stack: StackView) => BlockOf<'section'> | undefined,
): Block[] {
  if (stacks.length === 0) return [];
  const services = new Set(stacks.flatMap(({ service }) => service ?? []));
  const rows = stacks.map((stack): BlockOf<'table'>['rows'][number] => {
    const { name, verdict, tone, service, counts, danger } = stack;
    const cells: (Phrase | number)[] = [
      [nameOf(name, undefined, () => sectionOf(stack))],
      verdictCell(verdict, tone),
      ...words.map((word) => counts.get(word) ?? 0),
      ...(services.size > 1 ? [[nameOf(service ?? '')]] : []),
    ];
    return { cells, rank: danger === 0 ? ROW_RANKS.unchanged : ROW_RANKS.others + danger };
  });
  const head = ['stack', 'verdict', ...words, ...(services.size > 1 ? ['service'] : [])];
  return [{ is: 'table', noun: 'stack', head: head.map((one) => [own(one)]), rows }];
}

/** Our own words may be followed by the name of another stack. */
function verdictCell(verdict: string, tone: StackView['tone']): Phrase {
  const [, words = verdict, name] = /^(blocked by) (.*)$/s.exec(verdict) ?? [];
  return [own(words, tone), ...(name === undefined ? [] : [own(' '), nameOf(name)])];
}

/** All of them have the same verdict. */
function unchangedBlocks(stacks: readonly StackView[]): Block[] {
  const [first] = stacks;
  if (first === undefined) return [];
  const names = stacks.slice(0, MAX_NAMES).flatMap(({ name }, at) => [own(at === 0 ? '' : ', '), nameOf(name)]);
  const more = stacks.length - MAX_NAMES;
  const phrase = [...names, ...(more > 0 ? [own(` and ${more} more`)] : [])];
  const lead = `${first.verdict.charAt(0).toUpperCase()}${first.verdict.slice(1)}:`;
  return [{ is: 'paragraph', lead, phrase, tone: 'quiet', rank: ROW_RANKS.names }];
}
