// Changes made outside the manifest: findings with a cause, and work that is only pending. Pure; made from a plan.

import { groupBy, groupEntries } from '../core/group.ts';
import { compareText } from '../core/json.ts';
import { type PlanInput, analyse } from '../plan/build.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import type { Match, Pair } from '../plan/match/match.ts';
import { ownerAround } from '../plan/match/owner-around.ts';
import { isOwnDoing } from '../plan/count-steps.ts';
import { presentIn } from '../plan/journal-view.ts';
import { disposedAs } from '../plan/match/disposition.ts';
import type { MissingByAddress } from '../plan/match/missing-objects.ts';
import type { Cause, Change, Plan, Step } from '../plan/plan.ts';
import { originsOf } from '../resource/marker/moves.ts';
import { otherOwner, type OwnershipStatus } from '../resource/marker/ownership.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { finding, isDrift, type Finding } from './finding.ts';
import { foreignChildFindings } from './foreign-children.ts';
import { workOf, type Pending } from './pending.ts';

const DRIFT_FORMAT = 'edgeform-drift/1';

export interface Drift {
  readonly format: typeof DRIFT_FORMAT;
  readonly stack: string;
  readonly service: string;
  readonly drifted: boolean;
  /** Objects with the marker of a stack, divided by all objects of the managed kinds; 1 when there are none. */
  readonly coverage: number;
  readonly findings: readonly Finding[];
  readonly pending: readonly Pending[];
}

export interface DriftResult {
  readonly drift: Drift;
  /** The plan behind it: with its policy violations and errors, the findings may not be reliable. */
  readonly plan: Plan;
}

/** The same, with the objects that were compared: what it takes to accept drift. */
export interface MatchedDrift extends DriftResult {
  /** The objects of the manifest with the live ones, secrets opaque. */
  readonly pairs: readonly Pair[];
}

/** Compares live state with the manifest. Changes nothing and sends no requests. */
export function findDrift(input: PlanInput): DriftResult {
  const { drift, plan } = findMatchedDrift(input);
  return { drift, plan };
}

/** The same, with the objects that were compared. */
export function findMatchedDrift(input: PlanInput): MatchedDrift {
  const { manifest, snapshot } = input;
  const { plan, drafts, matched, missing: pasts, foreign } = analyse(input);
  const unclear = unclearAddresses(matched);
  const lost = missing(matched, pasts, unclear);
  const remarked = changedMarkers(input, matched);
  const added = foreignChildFindings(foreign, matched);
  const strangers = new Set(added.map(({ live_id: id }) => id));
  const gone = new Set([...[...lost, ...added].map(({ address }) => address), ...unclear]);
  const { pending, consequences } = workOf(plan, matched, { gone, remarked });
  const pairByAddress = new Map(matched.pairs.map((pair) => [pair.desired.address, pair]));
  const findings = byPlace([
    ...changed(plan, pairByAddress),
    ...blockedFindings(plan, pairByAddress),
    ...lost,
    ...duplicates(matched),
    ...unclearFindings(matched),
    ...remarkedFindings(remarked),
    ...added,
    ...unmanaged(matched, strangers),
  ]);
  const drift: Drift = {
    format: DRIFT_FORMAT,
    stack: manifest.stack,
    service: input.service,
    drifted: findings.some(isDrift),
    coverage: coverageOf(snapshot, matched, strangers),
    findings: withExposures(withCommits(findings, snapshot), drafts).map((one) => {
      const own = consequences.get(one.address ?? one.live_id ?? '');
      return own === undefined ? one : { ...one, consequences: own };
    }),
    pending,
  };
  return { drift, plan, pairs: matched.pairs };
}

/** Each with what was done outside to who gets in, as the drafts that undo it know. */
function withExposures(findings: readonly Finding[], drafts: readonly StepDraft[]): Finding[] {
  const exposed = drafts.flatMap(({ address, exposedOutside = [] }) =>
    exposedOutside.map((exposure) => [address, exposure] as const),
  );
  const byAddress = groupEntries(exposed);
  return findings.map((found) => {
    const exposures = isExposed(found) ? byAddress.get(found.address ?? '') : undefined;
    return exposures === undefined ? found : { ...found, exposures };
  });
}

/** True for what says itself what was changed of the object of an address. */
function isExposed({ type, changes }: Finding): boolean {
  return type === 'missing' || (type === 'changed' && changes.length > 0);
}

/** By address, those without one last; of one address, by id. */
function byPlace(findings: readonly Finding[]): Finding[] {
  return findings.toSorted(
    (a, b) => compareText(a.address ?? '~', b.address ?? '~') || compareText(a.live_id ?? '', b.live_id ?? ''),
  );
}

/** Each with the commit that its object was last applied from, where the marker names it. */
function withCommits(findings: readonly Finding[], { resources }: Snapshot): Finding[] {
  const commitById = new Map(resources.map(({ id, marker }) => [id, marker?.commit]));
  return findings.map((one) => {
    const commit = commitById.get(one.live_id ?? '');
    return commit === undefined ? one : { ...one, applied_from: commit };
  });
}

/** The share of objects that belong to a stack: not those that are in an object of ours and are not ours, whatever their marker says. */
function coverageOf(
  { resources, whole }: Snapshot,
  { ownership }: Match,
  strangers: ReadonlySet<string | null>,
): number {
  const isOwned = (live: LiveResource) => OWNED.includes(ownership.of(live).is) && !strangers.has(live.id);
  const unowned = resources.filter((live) => !isOwned(live)).length;
  const all = whole?.byId.size ?? resources.length;
  return all === 0 ? 1 : (all - unowned) / all;
}

/** Who certainly made some of the changes; an unknown cause proves nothing about the others. */
function causeOfAll(changes: readonly Change[]): Cause {
  const shown = (['both', 'drift'] as const).find((cause) => changes.some((change) => change.cause === cause));
  return shown ?? 'unknown';
}

const OWNED: readonly OwnershipStatus['is'][] = ['ours', 'foreign', 'transferred'];

type PairByAddress = ReadonlyMap<string, Pair>;

function changed(plan: Plan, pairByAddress: PairByAddress): Finding[] {
  return plan.steps.flatMap((step) => {
    // The create step of a replacement has the changes, but the object is that of its delete step.
    const tells = step.phase === 'create' || (step.phase !== 'detach' && step.live_id !== null);
    const changes = tells ? step.changes.filter(({ cause }) => !isOwnDoing(cause)) : [];
    const pair = pairByAddress.get(step.address);
    const live_id = step.live_id ?? pair?.live?.id ?? null;
    return changes.length === 0 ? [] : [changedFinding({ ...step, live_id }, changes, pair)];
  });
}

/** Differences that the service cannot undo are drift as well. */
function blockedFindings({ blocked }: Plan, pairByAddress: PairByAddress): Finding[] {
  return blocked.flatMap(({ address, changes = [] }) => {
    const pair = pairByAddress.get(address);
    const caused = changes.filter(({ cause }) => !isOwnDoing(cause));
    if (pair?.live === undefined || caused.length === 0) return [];
    return [changedFinding({ address, kind: pair.kind.name, live_id: pair.live.id }, caused, pair)];
  });
}

function changedFinding(
  { address, kind, live_id }: Pick<Step, 'address' | 'kind' | 'live_id'>,
  changes: readonly Change[],
  pair: Pair | undefined,
): Finding {
  return finding({ type: 'changed', address, kind, live_id, cause: causeOfAll(changes), changes }, pair);
}

/** Addresses whose objects are reported with their markers, and those inside them. */
function unclearAddresses({ pairs, dispositions }: Match): ReadonlySet<string> {
  const own = new Set(disposedAs(dispositions, 'unclear').flatMap(({ address }) => address ?? []));
  const inside = pairs.filter(({ desired }) => own.has(desired.parent ?? ''));
  return new Set([...own, ...inside.map(({ desired }) => desired.address)]);
}

/** Addresses without an object, unless it is proven that none ever existed or that this stack deleted it. */
function missing({ pairs }: Match, pasts: MissingByAddress, unclear: ReadonlySet<string>): Finding[] {
  return pairs.flatMap(({ desired: { address, kind } }) => {
    const past = pasts.get(address);
    if (past === undefined || past.is === 'none' || unclear.has(address)) return [];
    const { is, id, evidence } = past;
    const cause = is === 'deleted' ? 'drift' : 'unknown';
    return [finding({ type: 'missing', address, kind, live_id: id, cause, changes: [], evidence })];
  });
}

function duplicates({ pairs, duplicates: found, dispositions }: Match): Finding[] {
  const kept = new Map(pairs.map(({ desired, live }) => [desired.address, live === undefined ? [] : [live]]));
  const redundant = groupBy(disposedAs(dispositions, 'orphan'), ({ duplicateOf }) => duplicateOf);
  const ofRedundant = [...redundant].map(
    ([address, objects]) => [address, [...(kept.get(address) ?? []), ...objects.map(({ live }) => live)]] as const,
  );
  return [...found, ...ofRedundant.filter(([address]) => !found.has(address))].map(([address, objects]) => {
    const [{ kind, id: live_id } = { kind: '', id: null }] = objects;
    const evidence = objects.map(({ id }) => id).join(', ');
    // Another duplicate is another finding.
    return finding(
      { type: 'duplicate', address, kind, live_id, cause: null, changes: [], evidence },
      undefined,
      evidence,
    );
  });
}

/** The metadata of an object that may be ours was changed, so that perhaps only a journal can identify it. */
function unclearFindings({ dispositions }: Match): Finding[] {
  return disposedAs(dispositions, 'unclear').map(({ live: { kind, id, markerProblem }, address }) => {
    const cause = address === null ? 'unknown' : 'drift';
    const evidence = `its ownership marker ${markerProblem?.what ?? ''}`;
    return finding({ type: 'changed', address, kind, live_id: id, cause, changes: [], evidence }, undefined, evidence);
  });
}

function remarkedFindings(remarked: ReadonlyMap<string, ChangedMarker>): Finding[] {
  return [...remarked].map(([address, { pair, evidence }]) => {
    const [kind, live_id] = [pair.kind.name, pair.live?.id ?? null];
    const content = { type: 'changed', address, kind, live_id, cause: 'drift', changes: [], evidence } as const;
    return finding(content, pair, evidence);
  });
}

/** Objects that no stack owns and that are not reported otherwise; those of other stacks are not unmanaged. */
function unmanaged(matched: Match, reported: ReadonlySet<string | null>): Finding[] {
  const { dispositions, ownership } = matched;
  const isBare = (live: LiveResource) => otherOwner(ownership.of(live)) === undefined && !reported.has(live.id);
  return disposedAs(dispositions, 'left').flatMap(({ live }) => {
    if (!isBare(live)) return [];
    const around = ownerAround(live, matched);
    const inside = around && { parent: around.address ?? live.parentId ?? '', parent_stack: around.stack };
    const content = { type: 'unmanaged', address: null, kind: live.kind, live_id: live.id, cause: null } as const;
    return finding({ ...content, changes: [], ...inside });
  });
}

interface ChangedMarker {
  readonly pair: Pair;
  readonly evidence: string;
}

/** What happened to the marker, by the address of the block. Objects that no block names by id are unclear or missing. */
function changedMarkers(
  { manifest, snapshot, options: { journal } }: PlanInput,
  { pairs, ownership }: Match,
): ReadonlyMap<string, ChangedMarker> {
  const liveById = new Map(snapshot.resources.map((live) => [live.id, live]));
  const origins = originsOf(manifest.moved);
  const present = presentIn(journal);
  const found = pairs.flatMap((pair) => {
    const { address } = pair.desired;
    const live = liveById.get(pair.live?.id ?? '');
    const knownAs = present.get(live?.id ?? '');
    if (live === undefined || knownAs === undefined) return [];
    const what = whatHappened(ownership.of(live), live.markerProblem?.what, [knownAs, address, ...origins(address)]);
    return what === undefined ? [] : [[address, { pair, evidence: `its ownership marker ${what}` }] as const];
  });
  return new Map(found);
}

/** Undefined if the marker is one that the stack wrote: it names one of the addresses. */
function whatHappened(
  status: OwnershipStatus,
  problem: string | undefined,
  addresses: readonly string[],
): string | undefined {
  switch (status.is) {
    case 'ours':
    case 'misplaced':
      return addresses.includes(status.marker.address) ? undefined : `names ${status.marker.address}`;
    case 'foreign':
      return `names stack ${status.stack}`;
    case 'transferred':
      // The manifest says so itself: that it comes from there is pending, and no drift.
      return undefined;
    case 'unclear':
    case 'unowned':
      return problem ?? 'was removed';
    default:
      return status satisfies never;
  }
}
