// The stacks of a fleet as a document: a table of all, then a section for each that has something to say. What a section says is
// the document of its view. Stacks of which the same is shown are one row and one section.

import { plural } from '../../core/text/text.ts';
import { groupStacks, type StackGroup } from '../view/stack-groups.ts';
import type { StackView, View } from '../view/view.ts';
import { nameOf, own, RANKS, type Block, type BlockOf, type Phrase } from './blocks.ts';
import type { Shown } from './folds.ts';

/** Of a document that is too long, rows of what is unchanged are left out first, and rows of what is wrong or lost last. */
const ROW_RANKS = { names: 0.9, unchanged: 1, changed: 50, dangerous: 90 } as const;

/** A row names at most this many stacks; all are named in the section. */
const MAX_NAMES = 3;

/** From this danger on, something is wrong or lost. */
const DANGEROUS = 3;

/** The stacks, most dangerous first. */
export function fleetBlocks({ stacks = [], totals }: View, documentOf: (view: View, shown: Shown) => Block[]): Block[] {
  const groups = groupStacks(stacks);
  const shown: Shown = new Set();
  const sections = new Map(groups.flatMap((group) => sectionOf(group, (view) => documentOf(view, shown))));
  if (groups.length === 0) return [];
  const table = tableOf(
    groups,
    [...totals].flatMap(([word, count]) => (count > 0 ? [word] : [])),
    sections,
  );
  const others = groups.filter((group) => !sections.has(group) && group.members.length > MAX_NAMES);
  return [
    table,
    ...(sections.size === 0
      ? []
      : [{ is: 'section', title: 'Stacks with something to say', blocks: [...sections.values()] } as const]),
    ...others.map(namesSection),
  ];
}

/** A section for those that have something to say. */
function sectionOf(
  group: StackGroup,
  documentOf: (view: View) => Block[],
): (readonly [StackGroup, BlockOf<'section'>])[] {
  const { first, members, view } = group;
  const { name, result, danger } = first;
  if (danger === 0 || view === undefined) return [];
  const title = `${members.length === 1 ? name : plural(members.length, 'stack')}: ${result}`;
  const line: Block = { is: 'paragraph', only: ['text'], tone: 'strong', phrase: [own('== '), title] };
  const names = members.length === 1 ? [] : [{ ...namesOf(group), rank: RANKS.note }];
  const blocks = [line, ...names, ...documentOf(view)];
  return [
    [group, { is: 'section', title, isTarget: true, fold: danger > 1 ? 'open' : 'closed', rank: danger, blocks }],
  ];
}

/** All names of stacks without a section, where a row has no room for them. */
function namesSection(group: StackGroup): Block {
  const title = `${plural(group.members.length, 'stack')}: ${group.first.result}`;
  return { is: 'section', title, fold: 'closed', blocks: [{ ...namesOf(group), rank: ROW_RANKS.names }] };
}

function namesOf({ first: { service, result }, members }: StackGroup): BlockOf<'names'> {
  const place = service === undefined ? [] : [own(' at '), nameOf(service)];
  const names = members.map(({ name }) => ({ text: name }));
  return {
    is: 'names',
    noun: 'name',
    phrase: [own(`${plural(members.length, 'stack')} (${result})`), ...place],
    names,
  };
}

function tableOf(
  groups: readonly StackGroup[],
  words: readonly string[],
  sections: ReadonlyMap<StackGroup, BlockOf<'section'>>,
): Block {
  const hasWaves = groups.some(({ first: { wave } }) => wave !== undefined);
  const isOne = new Set(groups.flatMap(({ first: { service } }) => service ?? [])).size < 2;
  const rows = groups.map((group): BlockOf<'table'>['rows'][number] => {
    const { service = '', danger, wave = 1 } = group.first;
    const cells: (Phrase | number)[] = [
      stackCell(group, () => sections.get(group)),
      ...(hasWaves ? [wave] : []),
      resultCell(group.first),
      ...words.map((word) => group.counts.get(word) ?? 0),
      ...(isOne ? [] : [[nameOf(service)]]),
    ];
    return { cells, rank: rankOf(danger) };
  });
  const head = ['stack', ...(hasWaves ? ['wave'] : []), 'verdict', ...words, ...(isOne ? [] : ['service'])].map(
    (one) => [own(one)],
  );
  return { is: 'table', noun: 'stack', head, rows };
}

/** `blocked by shop`, or `not attempted after wave 1` */
function resultCell({ result, by, after, tone }: StackView): Phrase {
  const stoppedBy = by === undefined ? [] : [own(' by '), nameOf(by)];
  return [own(result, tone), ...stoppedBy, ...(after === undefined ? [] : [own(` after wave ${after}`)])];
}

function rankOf(danger: StackView['danger']): number {
  if (danger === 0) return ROW_RANKS.unchanged;
  return danger < DANGEROUS ? ROW_RANKS.changed : ROW_RANKS.dangerous + danger;
}

/** `web-1, web-2 and 98 more` */
function stackCell({ members }: StackGroup, to: () => BlockOf<'section'> | undefined): Phrase {
  const some = members.length <= MAX_NAMES ? members : members.slice(0, MAX_NAMES - 1);
  const names = some.flatMap(({ name }, at) => [...(at === 0 ? [] : [own(', ')]), nameOf(name, undefined, to)]);
  const more = members.length - some.length;
  return [...names, ...(more > 0 ? [own(` and ${more} more`)] : [])];
}
