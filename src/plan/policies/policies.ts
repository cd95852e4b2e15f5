// Policies, one function each: a violation stops apply, with counts, a list and the flag that would allow it.

import { plural } from '../../core/text/text.ts';
import { describeOwner, otherOwner, type OwnershipStatus } from '../../resource/marker/ownership.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { kindByName } from '../../catalog/lookup.ts';
import type { StepDraft } from '../decide/step-draft.ts';
import { importViolations } from '../match/imports.ts';
import { unlistedReferences } from '../match/unread-kinds.ts';
import { groupBy } from '../../core/group.ts';
import { IN_USE } from './in-use.ts';
import type { PolicyViolation } from '../plan.ts';
import type { GivenUpLater } from '../plan-options.ts';
import { anotherAccount } from './another-account.ts';
import { TOO_MANY, unconfirmedDeletions } from './deletions.ts';
import { elsewhereOf, movedAway } from './moved-away.ts';
import { openings } from './openings.ts';
import { protectedObjects } from './protection.ts';
import { REPLACEMENTS } from './replacements.ts';
import { TRANSFERS } from './transfers.ts';
import {
  deletedWith,
  describeClaim,
  nameOf,
  removalsOf,
  transferEntry,
  type Policy,
  type PolicyInput,
} from './policy.ts';
import { uniqueKeys } from '../../resource/uniques.ts';
import { namesObject } from '../match/pin-problems.ts';

/** Policies about what a person has to allow or to check: with the consent, every step can be carried out. */
const CONSENT: readonly Policy[] = [
  anotherAccount,
  ...TOO_MANY,
  emptyList,
  protectedObjects,
  unconfirmedDeletions,
  ...REPLACEMENTS,
  ...TRANSFERS,
  importedObjects,
  openings,
];

/** Policies against steps that cannot be carried out as they are, so that a dry run would only say the same again. */
const OBSTACLES: readonly Policy[] = [movedAway, importViolations, heldValues, foreignOwners, ...IN_USE];

export interface PolicyResult {
  /** In a fixed order. */
  readonly violations: PolicyViolation[];
  /** False where a step cannot be carried out as it is. */
  readonly isPossible: boolean;
}

/** What a person would have to allow. */
export function consentNeeded(input: PolicyInput): PolicyViolation[] {
  return CONSENT.flatMap((rule) => rule(input));
}

/** Every policy's violations, and whether all steps could be carried out. */
export function checkPolicies(input: PolicyInput): PolicyResult {
  const obstacles = OBSTACLES.flatMap((rule) => rule(input));
  const found = [...CONSENT.flatMap((rule) => rule(input)), ...obstacles];
  // A flag would mislead if every address is refused anyway. Objects that are not ours yet are refused by id.
  const refused = new Set(found.flatMap(({ flag, addresses }) => (flag === null ? addresses : [])));
  for (const { live, address } of input.drafts) if (refused.has(live?.id ?? '')) refused.add(address);
  const isRefused = ({ addresses }: PolicyViolation) => addresses.every((address) => refused.has(address));
  return {
    violations: found.map((one) => (isRefused(one) ? withoutConsent(one) : one)),
    isPossible: obstacles.length === 0,
  };
}

function withoutConsent({ entry: _, ...violation }: PolicyViolation): PolicyViolation {
  return { ...violation, flag: null };
}

/**
 * An empty list of a kind that other objects refer to is probably a broken answer, unless the service confirms for every single id
 * that it does not exist.
 */
function emptyList({ snapshot }: PolicyInput): PolicyViolation[] {
  const found = groupBy(unlistedReferences(snapshot), ({ kind }) => kind.title);
  return [...found].map(([title, doubted]) => ({
    rule: 'empty-list',
    message: `the service returned no ${title}, but ${plural(doubted.length, 'object')} ${doubted.length === 1 ? 'refers' : 'refer'} to one, so the list is incomplete`,
    fix: 'run the command again later',
    addresses: [...new Set(doubted.map(({ from }) => from))].sort(),
    flag: null,
  }));
}

/** A unique value held by an object that keeps it stops apply before the first write. */
function heldValues(input: PolicyInput): PolicyViolation[] {
  const { drafts, pairs, missing } = input;
  const claimed = new Set(drafts.flatMap(({ claims }) => claims));
  if (claimed.size === 0) return [];
  const holders = holdersOf(claimed, input);
  const isFree = unmatchedIn(pairs);
  return drafts.flatMap((draft) =>
    draft.claims.flatMap((key) => {
      const holder = holders.get(key);
      const isOwn = holder?.id === draft.live?.id || holder?.id === elsewhereOf(draft, missing)?.id;
      return holder === undefined || isOwn ? [] : heldViolation({ draft, key, holder }, isFree, input);
    }),
  );
}

/** By unique value, the live object that has it and keeps it. */
function holdersOf(keys: ReadonlySet<string>, { drafts, snapshot }: PolicyInput): ReadonlyMap<string, LiveResource> {
  const freed = new Set(drafts.flatMap((draft) => draft.releases.map((key) => `${draft.live?.id ?? ''} ${key}`)));
  const gone = new Set(drafts.flatMap(({ children = [] }) => children));
  const holders = snapshot.resources.flatMap((live) =>
    gone.has(live.id)
      ? []
      : uniqueKeys(kindByName(live.kind), live.spec, live.parentId)
          .filter((key) => keys.has(key) && !freed.has(`${live.id} ${key}`))
          .map((key) => [key, live] as const),
  );
  return new Map(holders);
}

/** A unique value that a step claims, and the object that has it. */
interface HeldValue {
  readonly draft: StepDraft;
  readonly key: string;
  readonly holder: LiveResource;
}

/** None where another stack of the run gives the value up before. */
function heldViolation(
  held: HeldValue,
  isFree: (name: string) => boolean,
  { manifest, ownership, options }: PolicyInput,
): PolicyViolation[] {
  const { draft, key, holder } = held;
  const status = ownership.of(holder);
  if (status.is === 'ours') return keptViolation(draft, key, holder);
  const other = otherOwner(status);
  const later = options.givenUpLater?.get(key);
  if (other !== undefined && isInLaterWave(later)) return laterWave(draft.address, describeClaim(draft, key), later);
  if (other !== undefined && other.stack === options.releasedElsewhere?.get(key)) return [];
  const canTake = holder.kind === draft.kind.name && isFree(draft.address) && isFree(holder.id);
  return foreignViolation({ ...held, status, canTake, exchange: later }, manifest);
}

function isInLaterWave(given: GivenUpLater | undefined): given is Required<GivenUpLater> {
  return given?.waves !== undefined;
}

/** What would have to come from a later wave never comes. */
function laterWave(address: string, what: string, { from, to, waves }: Required<GivenUpLater>): PolicyViolation[] {
  const [late, early] = waves;
  const message = `${address} needs ${what}, which ${from} gives up in wave ${late}, but ${to} is in wave ${early}`;
  const fix = `give ${from} wave ${early} or an earlier one, or ${to} wave ${late} or a later one; or let ${from} give it up in one run, and ${to} take it in the next`;
  return [{ rule: 'later-wave', message, fix, addresses: [address], flag: null }];
}

function keptViolation(draft: StepDraft, key: string, holder: LiveResource): PolicyViolation[] {
  const message = `${draft.address} claims ${describeClaim(draft, key)}, which ${holder.marker?.address ?? ''} (${holder.id}) holds and keeps`;
  return [
    { rule: 'value-kept', message, fix: 'make it release the value first', addresses: [draft.address], flag: null },
  ];
}

interface ForeignHolder extends HeldValue {
  readonly status: OwnershipStatus;
  /** True when the step's address can have it: an object is taken over only where there is none. */
  readonly canTake: boolean;
  /** The stack that gives the value up and waits for this one. */
  readonly exchange: GivenUpLater | undefined;
}

function foreignViolation(
  { draft, key, holder, status, canTake, exchange }: ForeignHolder,
  manifest: PolicyInput['manifest'],
): PolicyViolation[] {
  const isInDoubt = status.is === 'unclear';
  const otherwise = isInDoubt ? 'may belong to this stack: its ownership marker cannot be read' : 'no stack owns';
  const other = otherOwner(status);
  const owner = other === undefined ? otherwise : `is ${describeOwner(other)}`;
  const { address } = draft;
  const what = describeClaim(draft, key);
  const entry = canTake && other !== undefined ? transferEntry(other, address, manifest) : undefined;
  const fixAlone = () => {
    if (entry !== undefined) return `use another value, or, if the object is to belong to this stack, add ${entry}`;
    if (other === undefined && canTake)
      return `to adopt it, add \`lifecycle: { adopt: ${holder.id} }\` to ${address}, or use another value`;
    return 'use another value, or make that object release it first';
  };
  const fix =
    exchange === undefined
      ? fixAlone()
      : inTwoRuns(exchange, {
          first: `leave ${what} out of ${address} and apply the fleet, which takes it from ${exchange.from}`,
          then: `put it back into ${address}`,
        });
  const message = `${address} claims ${what}, but ${holder.id} holds it, which ${owner}`;
  return [{ rule: 'foreign-object', message, fix, addresses: [address], flag: null }];
}

interface TwoRuns {
  /** What to do before the first run, in which the value or object is only given up. */
  readonly first: string;
  /** What to do before the second, in which it is taken. */
  readonly then: string;
}

/** The way out where two stacks of a fleet wait for each other. */
function inTwoRuns({ from, to }: GivenUpLater, { first, then }: TwoRuns): string {
  return `${from} and ${to} wait for each other, so that two runs are needed: ${first}; then ${then}, and apply again`;
}

/** Whether an address has no object, or the object of an id no block. */
function unmatchedIn(pairs: PolicyInput['pairs']): (name: string) => boolean {
  const matched = pairs.flatMap(({ desired, live }) => (live === undefined ? [] : [desired.address, live.id]));
  const names = new Set(matched);
  return (name) => !names.has(name);
}

/** What another stack imports stays: the object with an id, or one of an address. */
function importedObjects(input: PolicyInput): PolicyViolation[] {
  const { importedBy = new Map<string, string>() } = input.options;
  if (importedBy.size === 0) return [];
  return removalsOf(input.drafts).flatMap((removal) =>
    deletedWith(removal, input).flatMap((live): PolicyViolation[] => {
      const address = live === removal.live ? removal.draft.address : nameOf(live);
      const hasOther = input.pairs.some(
        (pair) => pair.desired.address === address && (pair.live?.id ?? live.id) !== live.id,
      );
      const importer = importedBy.get(live.id) ?? (hasOther ? undefined : importedBy.get(address));
      if (importer === undefined) return [];
      const message = `${address} (${live.id}) would be deleted or replaced, but ${importer} imports it`;
      const fix = 'remove that import, and apply it, first';
      return [{ rule: 'imported', message, fix, addresses: [removal.draft.address], flag: null }];
    }),
  );
}

/** An object of another stack is never written, even if its id is in the manifest. */
function foreignOwners({ drafts, ownership, pairs, manifest, options }: PolicyInput): PolicyViolation[] {
  return drafts.flatMap(({ live, address }) => {
    if (live === undefined) return [];
    const status = ownership.of(live);
    const other = otherOwner(status);
    if (other === undefined || (status.is === 'transferred' && status.to === address)) return [];
    const later = options.givenUpLater?.get(live.id);
    if (isInLaterWave(later)) return laterWave(address, live.id, later);
    const named = pairs.find(({ desired }) => desired.address === address)?.desired.lifecycle.pin;
    const entry = transferEntry(other, address, manifest);
    const fixAlone = entry === undefined ? 'restore its marker there first' : `to move it here, add ${entry}`;
    const first = `leave ${address} out and apply the fleet, so that ${later?.from ?? ''} releases it`;
    const fix = later === undefined ? fixAlone : inTwoRuns(later, { first, then: 'put it back' });
    const message = `${address} ${namesObject(named, live.id)}, which is ${describeOwner(other)}`;
    return [{ rule: 'foreign-object', message, fix, addresses: [address], flag: null }];
  });
}
