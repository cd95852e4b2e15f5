// Moves between the stacks of a fleet: which objects leave a stack because another one takes them, and what two manifests cannot
// both say. Pure.

import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import { groupBy } from '../core/group.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { claimsIn, otherOwner } from '../resource/marker/ownership.ts';
import type { MarkedAs } from '../resource/marker/transfers.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { ownerKey, type Member } from './member.ts';

/**
 * By id, the objects of a stack that others take, with the stack and address that they get. Both manifests may be applied first.
 * What an entry names is never deleted, not even when it cannot move any more.
 */
export function transferredFrom(
  { stack }: Pick<Manifest, 'stack'>,
  { resources }: Snapshot,
  takers: readonly Manifest[],
): ReadonlyMap<string, MarkedAs> {
  const taken = new Map<string, MarkedAs>();
  for (const taker of takers) {
    if (!taker.transfers.some((one) => one.stack === stack)) continue;
    const ownership = claimsIn(taker, resources);
    for (const live of resources) {
      const status = ownership.of(live);
      if (status.is === 'transferred' && otherOwner(status)?.stack === stack)
        taken.set(live.id, { stack: taker.stack, address: status.to });
    }
  }
  return taken;
}

/** Ids of what others take from the stacks of which this one takes everything: with them, nothing is left there. */
export function takenBesides(
  { stack, transfers }: Manifest,
  snapshot: Snapshot,
  takers: readonly Manifest[],
): ReadonlySet<string> {
  const others = takers.filter((taker) => taker.stack !== stack);
  const emptied = transfers.filter(({ ends }) => ends === undefined);
  return new Set(emptied.flatMap((from) => [...transferredFrom(from, snapshot, others).keys()]));
}

/** An address of another stack that an entry of `moved` takes. */
interface Taking {
  readonly member: Member;
  readonly stack: string;
  readonly address: string;
  readonly range: SourceRange;
}

/** Objects that a manifest takes from another one which still has their block, and those that two manifests take. */
export function transferProblems(members: readonly Member[]): Diagnostic[] {
  const owners = new Map(
    members.flatMap((member) => {
      return member.stack === undefined ? [] : [[ownerKey(member.service, member.stack), member] as const];
    }),
  );
  const takings = members.flatMap(takingsOf);
  const kept = takings.flatMap((taking) =>
    stillKept(taking, owners.get(ownerKey(taking.member.service, taking.stack))),
  );
  const same = groupBy(takings, ({ member, stack, address }) => `${ownerKey(member.service, stack)} ${address}`);
  const twice = [...same.values()].flatMap(([first, ...more]) => {
    const other = more.find(({ member }) => member !== first.member);
    return other === undefined ? [] : [takenTwice(first, other)];
  });
  return [...kept, ...twice];
}

/** Everything that a manifest takes; from a whole stack, the addresses that it has itself. */
function takingsOf(member: Member): Taking[] {
  const { transfers = [], resources = [] } = member.manifest ?? {};
  return transfers.flatMap(({ stack, ends, range }) => {
    const addresses = ends === undefined ? resources.map(({ address }) => address) : [ends.from];
    return addresses.map((address) => ({ member, stack, address, range }));
  });
}

function stillKept({ member, stack, address, range }: Taking, owner: Member | undefined): Diagnostic[] {
  const block = owner?.manifest?.resources.find((resource) => resource.address === address);
  if (owner === undefined || block === undefined || owner === member) return [];
  return [
    {
      code: 'bad-move',
      severity: 'error',
      message: `${member.name} takes ${address} from stack ${stack}, whose manifest still has it`,
      range,
      fix: `remove the block from the manifest of ${owner.name}, or the entry from that of ${member.name}`,
      related: [{ message: 'the block is here', range: block.range() }],
    },
  ];
}

function takenTwice(first: Taking, other: Taking): Diagnostic {
  return {
    code: 'bad-move',
    severity: 'error',
    message: `${first.address} of stack ${first.stack} is taken by ${first.member.name} and by ${other.member.name}`,
    range: other.range,
    fix: 'only one stack can have it; remove one of the entries',
    related: [{ message: 'first taken here', range: first.range }],
  };
}
