// Which stacks of a fleet come before which, and what two of them cannot both have. Pure; knows manifests, and nothing live.

import { parseAddress } from '../catalog/address.ts';
import { kindByName } from '../catalog/lookup.ts';
import { uniqueItems } from '../catalog/unique.ts';
import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import { cycles, shortestPath } from '../core/graph.ts';
import { groupBy, groupEntries } from '../core/group.ts';
import { didYouMean } from '../core/text/closest.ts';
import { Expression, isOpaque, isReference, mapLeaves, someLeaf, type Value } from '../core/value.ts';
import { waveOf } from '../core/waves.ts';
import type { DesiredResource, Import, Manifest, Pin } from '../manifest/manifest.ts';
import { isUnresolved } from '../resource/resolve.ts';
import { ownerKey, type Member } from './member.ts';
import { transferProblems } from './transfers.ts';

/** The entry `from` ends before `to` starts. */
export interface Link {
  readonly from: string;
  readonly to: string;
}

/** An importer and the address that it imports from another member. */
export interface ImportLink extends Link {
  /** `imports.NAME` in the importer. */
  readonly as: string;
  /** In the stack that it is imported from. */
  readonly address: string;
  readonly why: string;
  readonly range: SourceRange;
}

/** What a plan needs of an import. */
export type KnownImport = Omit<ImportLink, 'why' | 'range'>;

/** What the text of the manifests links. */
export interface TextLinks {
  readonly links: readonly ImportLink[];
  /** From the stack that an object leaves to the one that takes it. They order nothing. */
  readonly moves: readonly Link[];
}

/** Every import of another member's object, every move from one to another, and every problem that several stacks have together. */
export function linkStacks(members: readonly Member[]): TextLinks & { readonly diagnostics: readonly Diagnostic[] } {
  const { owners, distinct, diagnostics } = ownersAmong(members);
  const links = members.flatMap((member) =>
    (member.manifest?.imports ?? []).flatMap((one): ImportLink[] => {
      const owner = 'id' in one.from ? undefined : owners.get(ownerKey(member.service, one.from.stack));
      if ('id' in one.from || owner === undefined || owner === member) return [];
      const { address } = one.from;
      diagnostics.push(...missingIn(owner, address, one));
      const why = `${member.name} imports ${address} of ${owner.name}`;
      return [{ from: owner.name, to: member.name, as: one.address, address, why, range: one.range() }];
    }),
  );
  const moves = members.flatMap((member) =>
    (member.manifest?.transfers ?? []).flatMap(({ stack }): Link[] => {
      const owner = owners.get(ownerKey(member.service, stack));
      return owner === undefined || owner === member ? [] : [{ from: owner.name, to: member.name }];
    }),
  );
  const found = [
    ...circles(links),
    ...importsFromLaterWaves(links, members),
    ...claimedTwice(distinct),
    ...transferProblems(members),
  ];
  return { links, moves, diagnostics: [...diagnostics, ...found] };
}

/** The members by the stack that each is, those that are no other one's stack, and the problems of those that are. */
function ownersAmong(members: readonly Member[]) {
  const owners = new Map<string, Member>();
  const holders = new Map<string | undefined, Member>();
  const distinct: Member[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const member of members) {
    const { stack, service, journal } = member;
    const key = stack === undefined ? undefined : ownerKey(service, stack);
    const first = key === undefined ? undefined : (owners.get(key) ?? holders.get(journal));
    if (first !== undefined) {
      diagnostics.push(sameStack(first, member));
      continue;
    }
    distinct.push(member);
    if (key === undefined) continue;
    owners.set(key, member);
    holders.set(journal, member);
  }
  return { owners, distinct, diagnostics };
}

/** What each name waits for. */
export function linksInto(links: readonly Link[]): (name: string) => readonly string[] {
  const before = groupEntries(links.map(({ from, to }) => [to, from] as const));
  return (name) => before.get(name) ?? [];
}

/**
 * Two entries with the same stack at the same service would write the same objects. With other keys of the service they would not,
 * but journals are named after service and stack, so that they would share one.
 */
function sameStack(first: Member, { name, stack, service, range }: Member): Diagnostic {
  const what = first.service === service ? 'at the same service' : 'and so the same journal';
  return {
    code: 'bad-fleet',
    severity: 'error',
    message: `${first.name} and ${name} have the same stack, ${stack}, ${what}`,
    ...(range && { range }),
    fix: 'give one of them another `stack`, for example `stack: NAME-${var.env}`, or remove it',
    ...(first.range && { related: [{ message: 'first given here', range: first.range }] }),
  };
}

function missingIn({ name, manifest }: Member, address: string, one: Import): Diagnostic[] {
  const addresses = manifest?.resources.map((resource) => resource.address);
  if (addresses === undefined || addresses.includes(address)) return [];
  const ofKind = addresses.filter((other) => parseAddress(other)?.kind.name === one.kind);
  return [
    {
      code: 'bad-import',
      severity: 'error',
      message: `the manifest of ${name} has no ${address}`,
      range: one.range(),
      fix: didYouMean(address, ofKind) ?? `add it there, or import another address of ${name}`,
      address: one.address,
    },
  ];
}

/** Imports from a stack of a later wave: what they need may not be there yet. */
function importsFromLaterWaves(links: readonly ImportLink[], members: readonly Member[]): Diagnostic[] {
  const byName = new Map(members.map((member) => [member.name, member]));
  return links.flatMap(({ from, to, as, why, range }): Diagnostic[] => {
    const [owner, importer] = [byName.get(from), byName.get(to)];
    if (owner === undefined || importer === undefined || waveOf(owner) <= waveOf(importer)) return [];
    return [
      {
        code: 'later-wave',
        severity: 'error',
        message: `${why}, but ${to} is in wave ${waveOf(importer)}, before ${from} in wave ${waveOf(owner)}`,
        range,
        fix: `give ${from} wave ${waveOf(importer)} or an earlier one, or ${to} wave ${waveOf(owner)} or a later one`,
        address: as,
        related: [owner, importer].flatMap(wavePlace),
      },
    ];
  });
}

function wavePlace({ name, waveRange: range, ...member }: Member): NonNullable<Diagnostic['related']> {
  return range === undefined ? [] : [{ message: `${name} is in wave ${waveOf(member)}`, range }];
}

/** Each circle once, with every link of a shortest way around it; its place is the import of its first name. */
function circles(links: readonly ImportLink[]): Diagnostic[] {
  const before = linksInto(links);
  const names = links.map(({ to }) => to);
  return cycles(names, before).flatMap((group): Diagnostic[] => {
    const [start = ''] = [...group].sort();
    const closing = links.find(({ from, to }) => to === start && group.includes(from));
    if (closing === undefined) return [];
    const path = shortestPath(closing.from, start, before) ?? [];
    const linkFrom = (name: string, at: number) => links.find(({ from, to }) => from === name && to === path[at]) ?? [];
    const others = path.slice(1).flatMap(linkFrom);
    return [
      {
        code: 'import-cycle',
        severity: 'error',
        message: `stacks import from each other in a circle: ${[start, ...path].join(' → ')}; ${closing.why}`,
        range: closing.range,
        fix: 'remove one of the imports',
        related: others.map(({ why, range }) => ({ message: why, range })),
      },
    ];
  });
}

interface Claim {
  readonly member: Member;
  readonly resource: DesiredResource;
  /** Equal for claims of the same thing; it may hold a secret. */
  readonly key: string;
}

/** A value that is unique in a service. */
interface ValueClaim extends Claim {
  readonly item: Value;
}

/** An object that a block names as its own. */
interface PinClaim extends Claim {
  readonly pin: Pin;
}

/** What only one stack can have, and manifests of different stacks do: each stack once for each value and each object. */
function claimedTwice(members: readonly Member[]): Diagnostic[] {
  return [
    ...betweenStacks(members.flatMap(claimsOf)).map(([first, claim]) => notUnique(first, claim)),
    ...betweenStacks(members.flatMap(pinsOf)).map(([first, second]) => samePin(first, second)),
  ];
}

/** The first claim, and that of each other stack with the same key. */
function betweenStacks<One extends Claim>(all: readonly One[]): (readonly [One, One])[] {
  return [...groupBy(all, ({ key }) => key).values()].flatMap((same) => {
    const [first, ...others] = [...groupBy(same, ({ member }) => member).values()].map(([one]) => one);
    return first === undefined ? [] : others.map((claim) => [first, claim] as const);
  });
}

function claimsOf(member: Member): ValueClaim[] {
  const { stack, service, manifest } = member;
  if (manifest === undefined) return [];
  const origins = originsOf(manifest);
  return manifest.resources.flatMap((resource) => {
    const { spec, parent, kind } = resource;
    // Names of parents mean another object in every stack.
    const within = parent === undefined ? undefined : `${stack}/${parent}`;
    const known = uniqueItems(kindByName(kind), within, (name) =>
      isUnresolved(spec) ? spec[name] && mapLeaves(spec[name], (leaf) => origins(leaf)) : spec[name],
    );
    return known
      .filter(({ item }) => !someLeaf(item, lacksValue))
      .map(({ key, item }) => ({ member, resource, key: `${service}\0${key}`, item }));
  });
}

function pinsOf(member: Member): PinClaim[] {
  const { service, manifest } = member;
  return (manifest?.resources ?? []).flatMap((resource) => {
    const { pin } = resource.lifecycle;
    return pin === undefined ? [] : [{ member, resource, key: `${service}\0${pin.id}`, pin }];
  });
}

/** Rewrites references so that they are equal if they mean the same object, in whichever stack they are. */
function originsOf({ stack, imports }: Manifest): (leaf: Value) => Value {
  const sources = new Map(imports.map(({ address, from }) => [address, from]));
  const far = (address: string) => {
    const from = sources.get(address);
    if (from === undefined) return `${stack}/${address}`;
    return 'id' in from ? from.id : `${from.stack}/${from.address}`;
  };
  return (leaf) => {
    if (!(leaf instanceof Expression)) return leaf;
    const parts = leaf.parts.map((part) => (isReference(part) ? { ...part, address: far(part.address) } : part));
    return new Expression(parts, { isSecret: leaf.isSecret });
  };
}

/** True for text with a variable whose value is not known, which each stack may have another one for. */
function lacksValue(leaf: Value): boolean {
  return leaf instanceof Expression && leaf.parts.some((part) => typeof part === 'string' && part.includes('${var.'));
}

function notUnique(first: ValueClaim, claim: ValueClaim): Diagnostic {
  const isHidden = [first.item, claim.item].some(isOpaque);
  const shown = claim.item instanceof Expression ? 'the same reference' : String(claim.item);
  return {
    code: 'not-unique',
    severity: 'error',
    message: `${isHidden ? 'the same sensitive value' : shown} is claimed by ${claimant(first)} and by ${claimant(claim)}`,
    range: claim.resource.range(),
    fix: 'only one stack can have it; remove it from the other one',
    address: claim.resource.address,
    related: [{ message: 'first claimed here', range: first.resource.range() }],
  };
}

function samePin(first: PinClaim, second: PinClaim): Diagnostic {
  return {
    code: 'bad-lifecycle',
    severity: 'error',
    message: `${second.pin.id} is the object of ${claimant(first)} and of ${claimant(second)}`,
    range: placeOf(second),
    fix: 'only one stack can own the object; where entries share a manifest, name the id in an overlay of one entry',
    address: second.resource.address,
    related: [{ message: 'first named here', range: placeOf(first) }],
  };
}

function claimant({ member, resource }: Claim): string {
  return `${resource.address} of ${member.name}`;
}

function placeOf({ resource, pin }: PinClaim): SourceRange {
  return resource.rangeOf?.(['lifecycle', pin.by]) ?? resource.range();
}
