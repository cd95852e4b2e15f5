// What happens to a resource, or what was found about it: one line that says the most, and everything else below.

import { groupItems, type ItemGroup } from '../view/likeness.ts';
import { lossText } from '../view/loss.ts';
import { isDangerous, placeText, type Item, type ItemObject, type View } from '../view/view.ts';
import { nameOf, own, RANKS, signOf, type Block, type BlockOf, type Phrase } from './blocks.ts';

/** With more items than this, only those that lose something are open; and so of those that were pending before a change. */
const MAX_OPEN = 30;
/** More findings than this are folded. */
const FEW_FINDINGS = 5;
/** A line names at most this many fields. */
const MAX_FIELDS = 6;

/** An entry of a document: items of which the same is shown. */
export interface Entry extends ItemGroup {
  readonly fold: BlockOf<'fold'>;
}

/** What the sections before have shown, by likeness. */
export type Shown = Set<string>;

/** The entries of a view, in order. */
export function entriesOf({ is, items }: View, shown: Shown): Entry[] {
  const groups = groupItems(items);
  const entries: Entry[] = [];
  const placeOf = new Map(
    groups.flatMap(({ members }, at) => members.flatMap(({ steps }) => steps.map(({ id }) => [id, at] as const))),
  );
  const foldOfStep = (id: string) => entries[placeOf.get(id) ?? -1]?.fold;
  for (const group of groups) {
    const { likeness = '', children = [], part } = group.first;
    const isNew = part === undefined || part === 'this change';
    entries.push({
      ...group,
      fold: {
        is: 'fold',
        noun: is === 'drift' ? 'finding' : 'resource',
        rank: RANKS.row,
        phrase: [signOf(group.first), own(' '), ...headOf(group)],
        inside: children,
        hint: hintOf(group.first),
        meta: group.members.length === 1 ? metaOf(group.first, foldOfStep) : [],
        isOpen: (groups.length <= MAX_OPEN && isNew) || isDangerous(group.first),
        isKept: isDangerous(group.first),
        isRepeated: shown.has(likeness),
        blocks: [...namesBlocks(group, foldOfStep), ...blocksOf(group.first), ...findingBlocks(group)],
      },
    });
    if (likeness !== '') shown.add(likeness);
  }
  return entries;
}

/** The resource, or how many there are. */
function headOf({ first, members }: ItemGroup): Phrase {
  if (members.length === 1) return [nameOf(first.address, first.live_id)];
  return [own(`${members.length} `), nameOf(first.plural)];
}

type FoldOfStep = (id: string) => BlockOf<'fold'> | undefined;

/** The resources of an entry about several. */
function namesBlocks({ first, members }: ItemGroup, foldOfStep: FoldOfStep): Block[] {
  if (members.length === 1 || first.fingerprint !== undefined || first.objects !== undefined) return [];
  const names = members.map((item) => ({ text: item.address, id: item.live_id, meta: metaOf(item, foldOfStep) }));
  return [{ is: 'names', noun: 'name', phrase: [], names }];
}

/** Each finding of an entry about several has a line of its own, in every stack, with its fingerprint. */
function findingBlocks({ first, members }: ItemGroup): Block[] {
  const phrases =
    first.objects !== undefined
      ? members.flatMap((item) => item.objects?.map((object) => objectOf(item, object)) ?? [])
      : members.length > 1 && first.fingerprint !== undefined
        ? members.map((item) => foundOf(item, item.fingerprint))
        : [];
  if (phrases.length === 0) return [];
  const isFolded = phrases.length > FEW_FINDINGS;
  return [
    { is: 'list', noun: 'finding', rank: RANKS.detail, isFolded, entries: phrases.map((phrase) => ({ phrase })) },
  ];
}

/** The fields and who changed them, or the reason, and what apply does about a finding. */
function hintOf({ why, repair, fields, causes }: Item): Phrase {
  const changes = [namesOf(fields), ...causes.map((one) => [own(`${one.words}: `), ...namesOf(one.fields)])];
  const shown = changes.filter((part) => part.length > 0);
  const reason: Phrase[] = shown.length > 0 || why === undefined ? [] : [[why]];
  return joined([...shown, ...reason, ...(repair === undefined ? [] : [[own('apply: '), repair]])], '; ');
}

function foundOf({ address, live_id }: Pick<Item, 'address' | 'live_id'>, fingerprint = ''): Phrase {
  return [nameOf(address, live_id), own('  '), nameOf(fingerprint)];
}

function objectOf({ address }: Item, { stack, live_id, fingerprint }: ItemObject): Phrase {
  return [nameOf(stack), own(': '), ...foundOf({ address, live_id }, fingerprint)];
}

function joined(parts: readonly Phrase[], separator: string): Phrase {
  return parts.flatMap((part, index) => (index === 0 ? part : [own(separator), ...part]));
}

function namesOf(list: readonly string[]): Phrase {
  const more = list.length - MAX_FIELDS;
  const shown = joined(
    list.slice(0, MAX_FIELDS).map((name) => [nameOf(name)]),
    ', ',
  );
  return [...shown, ...(more > 0 ? [own(` and ${more} more`)] : [])];
}

/** `s3 after s1, s2 · edgeform.yaml:8:3 · last applied from 0123456789ab`, or the fingerprint of a finding. */
function metaOf({ steps, place, fingerprint, appliedFrom }: Item, foldOfStep: FoldOfStep): Phrase {
  const parts: Phrase[] = [
    ...steps.map(({ id, phase, after }) => {
      const others = joined(
        after.map((other) => [nameOf(other, undefined, () => foldOfStep(other))]),
        ', ',
      );
      return [nameOf(`${id}${phase}`), ...(after.length === 0 ? [] : [own(' after '), ...others])];
    }),
    ...(place === undefined ? [] : [[nameOf(placeText(place))]]),
    ...(appliedFrom === undefined ? [] : [[own('last applied from '), nameOf(appliedFrom)]]),
    ...(fingerprint === undefined ? [] : [[own('fingerprint: '), nameOf(fingerprint)]]),
  ];
  return joined(parts, ' · ');
}

/** The reason, losses, repair and consequences, then every difference and request. */
function blocksOf({ why, loses, allowedBy = [], children = [], repair, notes, lines, requests, isNew }: Item): Block[] {
  const said = (lead: string, text: string | undefined, rest = {}): Block[] =>
    text === undefined ? [] : [{ is: 'paragraph', lead, phrase: [text], ...rest }];
  return [
    ...said('why:', why),
    ...said('loses:', loses === undefined ? undefined : lossText(loses, lines.length === 0 ? children : []), {
      tone: 'bad',
      only: ['text', 'html'],
    }),
    // In Markdown, the children are on the first line.
    ...said('loses:', loses, { only: ['markdown'] }),
    ...(allowedBy.length === 0 ? [] : [{ is: 'paragraph', phrase: [`allowed by ${allowedBy.join(', ')}`] } as const]),
    ...said('apply:', repair),
    ...notes.map((note): Block => ({ is: 'paragraph', phrase: [note] })),
    ...(lines.length === 0 ? [] : [{ is: 'diff', lines, isNew } as const]),
    ...(requests.length === 0 ? [] : [{ is: 'code', noun: 'request', lines: requests } as const]),
  ];
}
