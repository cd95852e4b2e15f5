// A document as parts that may be left out, least important first, until it is short enough. Knows nothing of what they say.

import { groupBy } from '../../core/group.ts';

/** Text that is shown whole or not at all. */
interface Leaf {
  readonly text: string;
  /** Infinity for what is always shown. */
  readonly rank: number;
  /** What it is, for the number of those left out. */
  readonly noun: string;
}

/** Parts in order, and what is around them. Without any of them, nothing of it is shown. */
interface Group {
  readonly parts: readonly Part[];
  readonly separator: string;
  /** `left` is the number of parts that are left out. */
  readonly wrap?: (inner: string, left: number) => string;
}

export type Part = Leaf | Group;

function leavesOf(part: Part): readonly Leaf[] {
  return 'text' in part ? [part] : part.parts.flatMap(leavesOf);
}

/** A part is looked into only if something of it is shown: most of a document that is far too long is not. */
function draw(part: Part, isShown: (part: Part) => boolean): string {
  if (!isShown(part)) return '';
  if ('text' in part) return part.text;
  const shown = part.parts.map((one) => draw(one, isShown)).filter((text) => text !== '');
  const inner = shown.join(part.separator);
  return shown.length === 0 ? '' : (part.wrap?.(inner, part.parts.length - shown.length) ?? inner);
}

/** A text, and the number of parts that are not in it, by noun. */
interface Shortened {
  readonly text: string;
  readonly left: ReadonlyMap<string, number>;
}

/** The places of a part and of everything in it: that of a group is the first of its leaves; what is always shown has none. */
function placesIn(part: Part, leaves: ReadonlyMap<Leaf, number>): ReadonlyMap<Part, number> {
  const places = new Map<Part, number>();
  const placeOf = (one: Part): number => {
    const place =
      'text' in one
        ? (leaves.get(one) ?? -1)
        : one.parts.reduce((least, inner) => Math.min(least, placeOf(inner)), Infinity);
    places.set(one, place);
    return place;
  };
  placeOf(part);
  return places;
}

/** As many of the most important leaves as fit, in the order of the document. */
export function shorten(part: Part, fits: (drawn: Shortened) => boolean): Shortened {
  const leaves = leavesOf(part)
    .filter(({ rank }) => rank < Infinity)
    .sort((a, b) => b.rank - a.rank);
  const places = placesIn(part, new Map(leaves.map((leaf, place) => [leaf, place])));
  const first = (count: number): Shortened => {
    const left = [...groupBy(leaves.slice(count), ({ noun }) => noun)].map(
      ([noun, { length }]) => [noun, length] as const,
    );
    return { text: draw(part, (one) => (places.get(one) ?? -1) < count), left: new Map(left) };
  };
  // Nearly every document is short enough.
  const all = first(leaves.length);
  if (fits(all)) return all;
  let [some, tooMany] = [0, leaves.length];
  while (tooMany - some > 1) {
    const count = Math.floor((some + tooMany) / 2);
    if (fits(first(count))) some = count;
    else tooMany = count;
  }
  return first(some);
}
