// What happens to a resource, or what was found about it: one line that says the most, and everything else below.

import { lossText } from '../view/loss.ts';
import { placeText, type Item, type View } from '../view/view.ts';
import { nameOf, own, RANKS, signOf, type Block, type BlockOf, type Phrase } from './blocks.ts';

/** With more items than this, only those that lose something are open; and so of those that were pending before a change. */
const MAX_OPEN = 30;
/** A line names at most this many fields. */
const MAX_FIELDS = 6;

/** The fold of each item, in order. */
export function foldsOf({ is, items }: View): BlockOf<'fold'>[] {
  const folds: BlockOf<'fold'>[] = [];
  const places = new Map(items.flatMap(({ steps }, index) => steps.map(({ id }) => [id, index] as const)));
  const foldOfStep = (id: string) => folds[places.get(id) ?? -1];
  for (const item of items) {
    const { address, live_id, loses, part } = item;
    folds.push({
      is: 'fold',
      noun: is === 'drift' ? 'finding' : 'resource',
      rank: RANKS.row,
      phrase: [signOf(item), own(' '), nameOf(address, live_id)],
      hint: hintOf(item),
      meta: metaOf(item, foldOfStep),
      isOpen: (items.length <= MAX_OPEN && (part === undefined || part === 'this change')) || loses !== undefined,
      isKept: loses !== undefined,
      blocks: blocksOf(item),
    });
  }
  return folds;
}

/** The fields and who changed them, or the reason, and what apply does about a finding. */
function hintOf({ why, repair, fields, causes }: Item): Phrase {
  const changes = [namesOf(fields), ...causes.map((one) => [own(`${one.words}: `), ...namesOf(one.fields)])];
  const shown = changes.filter((part) => part.length > 0);
  const reason: Phrase[] = shown.length > 0 || why === undefined ? [] : [[why]];
  return joined([...shown, ...reason, ...(repair === undefined ? [] : [[own('apply: '), repair]])], '; ');
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

/** `s3 after s1, s2 · edgeform.yaml:8:3`, or the fingerprint of a finding. */
function metaOf({ steps, place, fingerprint }: Item, foldOfStep: (id: string) => BlockOf<'fold'> | undefined): Phrase {
  const parts: Phrase[] = [
    ...steps.map(({ id, phase, after }) => {
      const others = joined(
        after.map((other) => [nameOf(other, undefined, () => foldOfStep(other))]),
        ', ',
      );
      return [nameOf(`${id}${phase}`), ...(after.length === 0 ? [] : [own(' after '), ...others])];
    }),
    ...(place === undefined ? [] : [[nameOf(placeText(place))]]),
    ...(fingerprint === undefined ? [] : [[own('fingerprint: '), nameOf(fingerprint)]]),
  ];
  return joined(parts, ' · ');
}

/** The reason, losses, repair and consequences, then every difference and request. */
function blocksOf({ why, loses, children = [], repair, notes, lines, requests, isNew }: Item): Block[] {
  const said = (lead: string, text: string | undefined, rest = {}): Block[] =>
    text === undefined ? [] : [{ is: 'paragraph', lead, phrase: [text], ...rest }];
  return [
    ...said('why:', why),
    ...said('loses:', loses === undefined ? undefined : lossText(loses, children), { tone: 'bad' }),
    ...said('apply:', repair),
    ...notes.map((note): Block => ({ is: 'paragraph', phrase: [note] })),
    ...(lines.length === 0 ? [] : [{ is: 'diff', lines, isNew } as const]),
    ...(requests.length === 0 ? [] : [{ is: 'code', noun: 'request', lines: requests } as const]),
  ];
}
