// Which object an address means: renames, hand-overs, adoptions and pins.

import { isPinned } from './lifecycle.ts';
import type { Json, JsonObject } from '../../../src/core/json.ts';
import { isList } from '../../../src/core/json.ts';
import { childKinds } from '../../../src/catalog/lookup.ts';
import { METADATA } from '../../../src/catalog/fields/common.ts';
import { writeMarker } from '../../../src/resource/marker/marker-codec.ts';
import type { Block, Declared } from '../../support/document.ts';
import { objectsOf, poolText, sectionOf, uniqueFields } from '../../support/document.ts';
import { renamed, withoutReferences } from '../../support/relocate.ts';
import type { Draft } from '../draft.ts';
import type { Mechanism } from '../mechanism.ts';
import { probeOf } from '../probes.ts';
import { MAIN, SIDE } from '../world.ts';

const isTop = ({ parent }: { readonly parent?: unknown }) => parent === undefined;

const movedInside: Mechanism = {
  name: '`moved` inside',
  stage: 'document',
  add: (draft) => {
    const chosen = draft.pickKept();
    const name = draft.newName('m');
    if (chosen === undefined || chosen.section[name] !== undefined) return false;
    const origin = draft.origin(chosen.address)!;
    const to = chosen.address.slice(0, -chosen.name.length) + name;
    const inside = objectsOf(draft.main.after).filter(({ address }) => address.startsWith(`${chosen.address}.`));
    renamed(draft.main.after, chosen, { name, isMoved: true });
    for (const { address } of inside) draft.follow(address, to + address.slice(chosen.address.length));
    draft.follow(chosen.address, to);
    draft.promise('kept', origin);
    return true;
  },
};

/** Free of references to others of its manifest, and not referred to. */
function isAlone(doc: Block, { address, block }: Declared): boolean {
  const own = JSON.stringify(block);
  const refers = objectsOf(doc).some((other) => own.includes(`\${${other.address}.`));
  return !refers && !JSON.stringify(doc).includes(`\${${address}.`);
}

const movedAcross: Mechanism = {
  name: '`moved` across',
  stage: 'document',
  wish: isTop,
  add: (draft) => (draft.seldom(3) ? giveAway(draft) : takeOver(draft)),
};

/** What the other stack had before is ours. */
function takeOver(draft: Draft): boolean {
  const { before, after } = draft.main;
  const chosen = draft.pickKept(({ kind, address }) => {
    const from = draft.origin(address)!;
    const former = draft.inBefore(from);
    return isTop(kind) && from.stack === MAIN && former !== undefined && isAlone(before, former);
  });
  if (chosen === undefined) return false;
  const from = draft.origin(chosen.address)!;
  const former = draft.inBefore(from)!;
  const section = sectionOf(draft.side.before, former.kind);
  if (section[former.name] !== undefined) return false;
  section[former.name] = former.block;
  delete former.section[former.name];
  if (objectsOf(before).length === 0) return false;
  const origin = { stack: SIDE, address: from.address };
  draft.setOrigin(chosen.address, origin);
  for (const { address } of objectsOf(after).filter((one) => one.address.startsWith(`${chosen.address}.`)))
    draft.setOrigin(address, { stack: SIDE, address: from.address + address.slice(chosen.address.length) });
  draft.addTo(after, 'moved', { from: { ...origin }, to: chosen.address });
  // The stack that gives comes after the one that takes.
  draft.isSideFirst = false;
  draft.promise('kept', { ...origin, isAcross: true });
  return true;
}

/** What was ours is the other stack's. */
function giveAway(draft: Draft): boolean {
  const chosen = draft.pickKept((one) => isTop(one.kind) && isAlone(draft.main.after, one));
  const origin = chosen && draft.origin(chosen.address);
  if (chosen === undefined || origin?.stack !== MAIN || objectsOf(draft.main.after).length < 2) return false;
  const section = sectionOf(draft.side.after, chosen.kind);
  if (section[chosen.name] !== undefined) return false;
  section[chosen.name] = chosen.block;
  delete chosen.section[chosen.name];
  draft.addTo(draft.side.after, 'moved', { from: { ...origin }, to: chosen.address });
  draft.follow(chosen.address, undefined);
  draft.isSideFirst = true;
  draft.promise('kept', { ...origin, isAcross: true });
  return true;
}

const removed: Mechanism = {
  name: '`removed`',
  stage: 'document',
  wish: isTop,
  add: (draft) => {
    const chosen = draft.pickKept(({ kind }) => isTop(kind));
    if (chosen === undefined || objectsOf(draft.main.after).length < 2 || isPinned(chosen.block)) return false;
    const origin = draft.origin(chosen.address)!;
    const destroy = draft.seldom(2);
    delete chosen.section[chosen.name];
    withoutReferences(draft.main.after, chosen.address);
    draft.addTo(draft.main.after, 'removed', { from: draft.one([origin.address, chosen.address])!, destroy });
    // What is not ours yet is not ours to release.
    if (destroy || origin.stack !== MAIN) draft.condemn(chosen.address);
    else draft.promise('kept', origin);
    draft.follow(chosen.address, undefined);
    return true;
  },
};

/** The block without its children and its lifecycle. */
function ownFields({ kind, block }: Declared): Block {
  const children = new Set(['lifecycle', ...childKinds(kind).map(({ manifestKey }) => manifestKey)]);
  return Object.fromEntries(Object.entries(structuredClone(block)).filter(([key]) => !children.has(key)));
}

/** A block as somebody else has made it with the service's own requests. */
function specOf(declared: Declared): JsonObject | undefined {
  const text = JSON.stringify(ownFields(declared)).replaceAll(/\$\{var\.(secret\d)\}/g, (_, name: string) =>
    probeOf(name),
  );
  return text.includes('${') ? undefined : (JSON.parse(text) as JsonObject);
}

/** Takes the object out of the manifest before, so that somebody else can have it. */
function takenOut(draft: Draft): { readonly chosen: Declared; readonly spec: JsonObject } | undefined {
  const chosen = draft.pickKept((one) => {
    return isTop(one.kind) && draft.origin(one.address)!.stack === MAIN && specOf(one) !== undefined;
  });
  const former = chosen && draft.inBefore(draft.origin(chosen.address)!);
  const spec = former && specOf(former);
  if (chosen === undefined || former === undefined || spec === undefined) return undefined;
  if (objectsOf(draft.main.before).length < 2) return undefined;
  delete former.section[former.name];
  withoutReferences(draft.main.before, former.address);
  return { chosen, spec };
}

const adopt: Mechanism = {
  name: '`adopt`',
  stage: 'document',
  wish: isTop,
  add: (draft) => {
    const found = takenOut(draft);
    if (found === undefined) return false;
    const { chosen, spec } = found;
    draft.setOrigin(chosen.address, undefined);
    const id = draft.stranger(chosen.kind, spec, true);
    draft.lifecycle(chosen.block, { adopt: id });
    draft.promise('kept', { id });
    return true;
  },
};

const pinned: Mechanism = {
  name: '`id`',
  stage: 'document',
  wish: (kind) => isTop(kind) && uniqueFields(kind).length === 0 && kind.irreplaceable === undefined,
  add: (draft) => {
    const chosen = draft.pickKept(({ kind }) => isTop(kind) && uniqueFields(kind).length === 0);
    if (chosen === undefined) return false;
    const id = draft.twin(draft.origin(chosen.address)!, chosen.kind);
    draft.lifecycle(chosen.block, { id });
    // Of two, the other one goes.
    draft.condemn(chosen.address);
    draft.promise('kept', { id });
    return true;
  },
};

const handOver: Mechanism = {
  name: 'hand-over',
  stage: 'document',
  wish: (kind) => isTop(kind) && uniqueFields(kind).length > 0,
  add: (draft) => (draft.seldom(2) ? passValue(draft) : passObject(draft)),
};

/** A value that only one object can have leaves this stack and enters the other. */
function passValue(draft: Draft): boolean {
  const unique = ({ kind, block }: Declared) =>
    uniqueFields(kind).filter(([name, field]) => field.unique === 'service' && block[name] !== undefined);
  const chosen = draft.pickKept((one) => isTop(one.kind) && unique(one).length > 0 && specOf(one) !== undefined);
  const origin = chosen && draft.origin(chosen.address);
  const former = origin && draft.inBefore(origin);
  if (chosen === undefined || former === undefined || origin?.stack !== MAIN) return false;
  const [name, field] = draft.one(unique(chosen))!;
  const value = former.block[name];
  if (value === undefined || JSON.stringify(value).includes('${')) return false;
  const fresh = poolText(field, 20 + draft.chance(20));
  chosen.block[name] = isList(value) ? [fresh] : fresh;
  sectionOf(draft.side.after, chosen.kind)[draft.newName('h')] = { ...ownFields(former), [name]: value };
  return true;
}

/** An object is released by this stack and adopted by the other. Its id is known, because it is there from the beginning. */
function passObject(draft: Draft): boolean {
  const chosen = draft.pickKept((one) => {
    const former = draft.inBefore(draft.origin(one.address)!);
    return (
      isTop(one.kind) &&
      draft.origin(one.address)!.stack === MAIN &&
      former !== undefined &&
      specOf(former) !== undefined
    );
  });
  const former = chosen && draft.inBefore(draft.origin(chosen.address)!);
  if (chosen === undefined || former === undefined || objectsOf(draft.main.after).length < 2) return false;
  const { kind, address } = former;
  const marker = writeMarker('', { v: 1, stack: MAIN, address, applied: {} });
  delete former.block[METADATA];
  const { [METADATA]: _, ...own } = ownFields(chosen);
  const id = draft.stranger(kind, { ...specOf(former), [METADATA]: marker }, true);
  delete chosen.section[chosen.name];
  withoutReferences(draft.main.after, chosen.address);
  draft.addTo(draft.main.after, 'removed', { from: address, destroy: false });
  const pin: Json = draft.seldom(2) ? { adopt: id } : { id };
  sectionOf(draft.side.after, kind)[draft.newName('h')] = { ...own, lifecycle: pin };
  draft.follow(chosen.address, undefined);
  draft.isSideFirst = false;
  draft.promise('kept', { id, isAcross: true });
  return true;
}

export const IDENTITY: readonly Mechanism[] = [movedInside, movedAcross, removed, adopt, pinned, handOver];
