// Which stacks of a fleet come before which, and what two of them cannot both have. Pure; knows manifests, and nothing live.

import { parseAddress } from '../catalog/address.ts';
import { uniqueItems } from '../catalog/unique.ts';
import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import { cycles, shortestPath } from '../core/graph.ts';
import { groupBy } from '../core/group.ts';
import { didYouMean } from '../core/text/closest.ts';
import { Expression, isOpaque, isReference, mapLeaves, someLeaf, type Value } from '../core/value.ts';
import type { DesiredResource, Import, Manifest } from '../manifest/manifest.ts';
import { isUnresolved } from '../resource/resolve.ts';

/** A loaded entry, and the service that it is for: equal texts for the same account of the same service. */
export interface Member {
  readonly name: string;
  readonly service: string;
  readonly manifest: Manifest;
  /** Its place in the fleet file, if there is one. */
  readonly range?: SourceRange;
}

/** The entry `from` ends before `to` starts. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly why: string;
  readonly range?: SourceRange;
}

interface Links {
  readonly links: readonly Link[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The links by imports, and every problem that several stacks have together. */
export function linkStacks(members: readonly Member[]): Links {
  const owners = new Map<string, Member>();
  const diagnostics: Diagnostic[] = [];
  for (const member of members) {
    const first = owners.get(stackKey(member.service, member.manifest.stack));
    if (first === undefined) owners.set(stackKey(member.service, member.manifest.stack), member);
    else diagnostics.push(sameStack(first, member));
  }
  const links = new Map<string, Link>();
  for (const member of members) {
    for (const one of member.manifest.imports) {
      const owner = 'id' in one.from ? undefined : owners.get(stackKey(member.service, one.from.stack));
      if (owner === undefined || owner === member || 'id' in one.from) continue;
      const { address } = one.from;
      const problem = missingIn(owner, address, one);
      if (problem !== undefined) diagnostics.push(problem);
      const why = `${member.name} imports ${address} of ${owner.name}`;
      const key = JSON.stringify([owner.name, member.name]);
      if (!links.has(key)) links.set(key, { from: owner.name, to: member.name, why, range: one.range() });
    }
  }
  const all = [...links.values()];
  return { links: all, diagnostics: [...diagnostics, ...circles(all), ...claimedTwice(owners)] };
}

function stackKey(service: string, stack: string): string {
  return `${stack}\0${service}`;
}

function sameStack(first: Member, { name, manifest: { stack }, range }: Member): Diagnostic {
  return {
    code: 'bad-fleet',
    severity: 'error',
    message: `${first.name} and ${name} have the same stack, ${stack}, at the same service`,
    ...(range && { range }),
    fix: 'give one of them another `stack`, for example `stack: NAME-${var.env}`, or remove it',
    ...(first.range && { related: [{ message: 'first given here', range: first.range }] }),
  };
}

function missingIn({ name, manifest: { resources } }: Member, address: string, one: Import): Diagnostic | undefined {
  const addresses = resources.map((resource) => resource.address);
  if (addresses.includes(address)) return undefined;
  const ofKind = addresses.filter((other) => parseAddress(other)?.kind.name === one.kind);
  return {
    code: 'bad-import',
    severity: 'error',
    message: `the manifest of ${name} has no ${address}`,
    range: one.range(),
    fix: didYouMean(address, ofKind) ?? `add it there, or import another address of ${name}`,
    address: one.address,
  };
}

/** Each circle once, at its first link, with every other link. */
function circles(links: readonly Link[]): Diagnostic[] {
  const byImporter = groupBy(links, ({ to }) => to);
  const importedBy = (name: string) => (byImporter.get(name) ?? []).map(({ from }) => from);
  return cycles(byImporter.keys(), importedBy).flatMap((group): Diagnostic[] => {
    const inGroup = new Set(group);
    const [start = ''] = [...group].sort();
    const next = importedBy(start).find((name) => inGroup.has(name)) ?? start;
    const path = shortestPath(next, start, (name) => importedBy(name).filter((one) => inGroup.has(one))) ?? [];
    const steps = [start, ...path].slice(0, -1).flatMap((to, index) => {
      return links.filter((link) => link.to === to && link.from === path[index]).slice(0, 1);
    });
    const [first, ...others] = steps;
    if (first === undefined) return [];
    const related = others.flatMap(({ why, range }) => (range === undefined ? [] : [{ message: why, range }]));
    return [
      {
        code: 'import-cycle',
        severity: 'error',
        message: `stacks import from each other in a circle: ${[start, ...path].join(' → ')}; ${first.why}`,
        ...(first.range && { range: first.range }),
        fix: 'remove one of the imports',
        ...(related.length > 0 && { related }),
      },
    ];
  });
}

interface Claim {
  readonly member: Member;
  readonly resource: DesiredResource;
  readonly key: string;
  readonly item: Value;
}

/** A value that is unique in a service, and that manifests of different stacks have. */
function claimedTwice(owners: ReadonlyMap<string, Member>): Diagnostic[] {
  const claims = [...owners.values()].flatMap((member) => {
    const origins = originsOf(member.manifest);
    return member.manifest.resources.flatMap((one) => claimsOf(member, one, origins));
  });
  return [...groupBy(claims, ({ key }) => key).values()].flatMap(([first, ...others]) => {
    const told = new Set([first.member]);
    return others.flatMap((claim) => {
      if (told.has(claim.member)) return [];
      told.add(claim.member);
      return [notUnique(first, claim)];
    });
  });
}

function claimsOf(member: Member, resource: DesiredResource, origins: (leaf: Value) => Value): Claim[] {
  const { spec, parent, address } = resource;
  const kind = parseAddress(address)?.kind;
  if (kind === undefined) return [];
  // Names of parents mean another object in every stack.
  const within = parent === undefined ? undefined : `${member.manifest.stack}/${parent}`;
  const known = uniqueItems(kind, within, (name) =>
    isUnresolved(spec) ? spec[name] && mapLeaves(spec[name], (leaf) => origins(leaf)) : spec[name],
  );
  return known
    .filter(({ item }) => !someLeaf(item, lacksValue))
    .map(({ key, item }) => ({ member, resource, key: `${member.service}\0${key}`, item }));
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

function notUnique(first: Claim, claim: Claim): Diagnostic {
  const isHidden = [first.item, claim.item].some(isOpaque);
  const shown = claim.item instanceof Expression ? 'the same reference' : String(claim.item);
  const named = ({ member, resource }: Claim) => `${resource.address} of ${member.name}`;
  return {
    code: 'not-unique',
    severity: 'error',
    message: `${isHidden ? 'the same sensitive value' : shown} is claimed by ${named(first)} and by ${named(claim)}`,
    range: claim.resource.range(),
    fix: 'only one stack can have it; remove it from the other one',
    address: claim.resource.address,
    related: [{ message: 'first claimed here', range: first.resource.range() }],
  };
}

/** Which stacks may start, as others end. */
export interface Readiness {
  /** Those that wait for none. */
  readonly first: readonly string[];
  /** Those that waited for this stack and wait for none any more; to be asked once for each stack. */
  readonly after: (ended: string) => readonly string[];
}

/** Links to stacks that are not named do not count. */
export function readinessOf(names: readonly string[], links: readonly Link[]): Readiness {
  const known = new Set(names);
  const next = new Map(names.map((name) => [name, new Set<string>()]));
  const waiting = new Map(names.map((name) => [name, 0]));
  for (const { from, to } of links) {
    const after = next.get(from);
    if (after === undefined || !known.has(to) || after.has(to)) continue;
    after.add(to);
    waiting.set(to, (waiting.get(to) ?? 0) + 1);
  }
  const oneLess = (name: string) => {
    const left = (waiting.get(name) ?? 0) - 1;
    waiting.set(name, left);
    return left === 0;
  };
  return {
    first: names.filter((name) => waiting.get(name) === 0),
    after: (ended) => [...(next.get(ended) ?? [])].filter(oneLess),
  };
}

/** The stacks in groups that may run side by side, each after those before it; stacks in a circle are in none. */
export function levels(names: readonly string[], links: readonly Link[]): (readonly string[])[] {
  const { first, after } = readinessOf(names, links);
  const found: (readonly string[])[] = [];
  for (let level = first; level.length > 0; level = level.flatMap(after)) found.push(level);
  return found;
}
