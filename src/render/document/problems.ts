// A problem as an entry of a list: what happened, where, what was expected and got, and how to fix or allow it.

import type { Problem } from '../view/view.ts';
import { nameOf, own, type Block, type BlockOf, type Phrase } from './blocks.ts';

export function problemEntry({
  group,
  code,
  text,
  address,
  place,
  frame,
  addresses,
  related,
  details,
}: Problem): BlockOf<'list'>['entries'][number] {
  const isNamed = address === undefined || text.startsWith(`${address} `);
  const name: Phrase = code === undefined ? [] : [own('  ['), nameOf(code), own(']')];
  return {
    lead: group,
    phrase: [isNamed ? text : `${address}: ${text}`, ...name],
    blocks: [
      ...placeBlocks({ place, frame }),
      ...addresses.map((one): Block => ({ is: 'paragraph', phrase: [nameOf(one)] })),
      ...related.flatMap((other): Block[] => [
        { is: 'paragraph', lead: 'see also', phrase: [other.text] },
        ...placeBlocks(other),
      ]),
      ...details.map(({ lead, text: said, isCode }): Block => {
        return { is: 'paragraph', lead, phrase: [isCode ? nameOf(said) : said] };
      }),
    ],
  };
}

function placeBlocks({ place, frame }: Pick<Problem, 'place' | 'frame'>): Block[] {
  return place === undefined ? [] : [{ is: 'place', place, frame }];
}
