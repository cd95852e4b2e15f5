// Conflicts between blocks: unique values (§2) and object ids that only one block may claim.

import { compareRanges, type Diagnostic, type SourceRange } from '../../core/diagnostic.ts';
import { groupBy } from '../../core/group.ts';
import { Expression, isOpaque } from '../../core/value.ts';
import { uniqueItems } from '../../catalog/unique.ts';
import type { SourceMap } from '../source-map.ts';
import type { StackInput, Located } from '../resources.ts';

/** Every claim that repeats one of an earlier block. */
export function checkUnique({ resources, sourceMap }: StackInput): Diagnostic[] {
  return [
    ...repeated(resources.flatMap(claims), sourceMap).map(([first, claim]) => notUnique(first, claim)),
    ...repeated(resources.flatMap(pins), sourceMap).map(([first, pin]) => samePin(first, pin)),
  ];
}

interface Claimed {
  readonly address: string;
  /** Equal for equal values; it may hold a secret. */
  readonly key: string;
  readonly path: readonly string[];
}

/** With its place, and in a preset the blocks that use it there. */
type Placed<One extends Claimed> = One & Pick<Diagnostic, 'uses'> & { readonly range: SourceRange };

/** Each repeated claim with the first one, in reading order. */
function repeated<One extends Claimed>(
  all: readonly One[],
  places: SourceMap,
): (readonly [Placed<One>, Placed<One>])[] {
  return [...groupBy(all, ({ key }) => key).values()].flatMap((same) => {
    if (same.length < 2) return [];
    const placed = same.map((one) => ({
      ...one,
      range: places.value(one.path),
      ...places.uses(one.path, one.address),
    }));
    const [first, ...others] = placed.sort(
      (a, b) => compareRanges(a.range, b.range) || compareRanges(useOf(a), useOf(b)),
    );
    return first === undefined ? [] : others.map((one) => [first, one] as const);
  });
}

/** Where the block is that has the value, which may stand in a preset of several. */
function useOf({ range, uses: [use] = [] }: Placed<Claimed>): SourceRange {
  return use?.range ?? range;
}

/** The first of two claims, beside a problem of the second one. */
function firstAt(message: string, first: Placed<Claimed>): NonNullable<Diagnostic['related']> {
  return [{ message, range: useOf(first) }];
}

/** A value that only one object may hold. */
interface Claim extends Claimed {
  /** The value as shown to people; undefined when it is secret. */
  readonly shown: string | undefined;
}

function claims({ resource: { spec, parent, address }, path, kind }: Located): Claim[] {
  return uniqueItems(kind, parent, (name) => spec[name]).map(({ name, key, item, position }) => {
    const shown = isOpaque(item) ? undefined : item instanceof Expression ? 'the same reference' : String(item);
    return { address, key, shown, path: [...path, name, ...position] };
  });
}

function notUnique(first: Placed<Claim>, claim: Placed<Claim>): Diagnostic {
  // Plain text that equals a secret would reveal it.
  const what = (first.shown === undefined ? undefined : claim.shown) ?? 'the same sensitive value';
  const isOwn = first.address === claim.address;
  return {
    code: 'not-unique',
    severity: 'error',
    message: isOwn
      ? `${what} appears twice in ${claim.address}`
      : `${what} is claimed by ${first.address} and ${claim.address}`,
    range: claim.range,
    fix: isOwn ? 'remove one of the two' : 'only one of them can have it',
    address: claim.address,
    related: firstAt(isOwn ? 'first given here' : 'first claimed here', first),
    ...(claim.uses && { uses: claim.uses }),
  };
}

/** The object id in a `lifecycle` block. */
function pins({ resource: { address, lifecycle }, path }: Located): Claimed[] {
  const { pin } = lifecycle;
  return pin === undefined ? [] : [{ key: pin.id, address, path: [...path, 'lifecycle', pin.by] }];
}

function samePin(first: Placed<Claimed>, pin: Placed<Claimed>): Diagnostic {
  return {
    code: 'bad-lifecycle',
    severity: 'error',
    message: `${pin.key} is the object of ${first.address} and of ${pin.address}`,
    range: pin.range,
    fix: 'only one block can be the object; give the other its own id, or none',
    address: pin.address,
    related: firstAt('first named here', first),
    ...(pin.uses && { uses: pin.uses }),
  };
}
