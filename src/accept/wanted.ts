// Findings that were accepted → what the manifest shall say, path by path; and what it cannot say.

import type { Code } from '../core/codes.ts';
import { isObject, type Json, type Path } from '../core/json.ts';
import { lazy } from '../core/lazy.ts';
import { parsePath, valueAt } from '../core/value.ts';
import type { MatchedDrift } from '../drift/drift.ts';
import type { Finding } from '../drift/finding.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { parseFile } from '../manifest/text/parse.ts';
import type { SourceMap } from '../manifest/source-map.ts';
import type { Pair } from '../plan/match/match.ts';
import type { Cause } from '../plan/plan.ts';
import { addressesIn } from '../resource/references.ts';
import { fieldsWithHiddenSecret } from './hidden-secret.ts';
import { nextValue } from './next-value.ts';
import { REASONS, type LeftOut, type Reason } from './reasons.ts';

/** One value that the manifest shall have; undefined to have none. */
export interface Edit {
  readonly finding: Finding;
  /** Inside the object; null for all of it. */
  readonly inner: string | null;
  /** In the document. */
  readonly path: Path;
  readonly value: Json | undefined;
  /** Why it is not written after all, where its place is no reason. */
  readonly lastReason?: Reason;
}

/** With all drift, or by a name or fingerprint of its own. */
export type Choice = 'all' | 'named';

/** What is asked about: drift, and the manifest without presets and overlays. */
export interface Asked {
  readonly found: MatchedDrift;
  readonly manifest: Manifest;
  readonly document: Json;
  readonly sourceMap: SourceMap;
  /** How a change of a finding is accepted, undefined if it is not; of a finding without changes, the path is null. */
  readonly choiceOf: (finding: Finding, path: string | null) => Choice | undefined;
  /** Addresses that other stacks import. */
  readonly imported?: ReadonlySet<string> | undefined;
}

export interface Wanted {
  readonly edits: readonly Edit[];
  readonly left: readonly LeftOut[];
}

export function wantedEdits(asked: Asked): Wanted {
  const doubted = doubtedAddresses(asked.found.plan);
  const pairByAddress = new Map(asked.found.pairs.map((pair) => [pair.desired.address, pair]));
  const decisions = asked.found.drift.findings.flatMap((finding) => {
    return decisionsOf(finding, pairByAddress.get(finding.address ?? ''), asked);
  });
  const believed = decisions.map((decision) => ({
    ...decision,
    reason: decision.reason ?? doubtAbout(decision, doubted),
  }));
  const decided = withReferencedKept(believed, asked);
  return {
    edits: decided.flatMap(({ edit, reason }) => (reason === undefined ? [edit] : [])),
    left: decided.flatMap(({ edit, reason }) => (reason === undefined ? [] : [leftOut(edit, reason, asked.sourceMap)])),
  };
}

/** An edit that was asked for, and the reason not to make it, if there is one. */
interface Decision {
  readonly edit: Edit;
  readonly choice: Choice;
  readonly cause: Cause | null;
  readonly reason?: Reason | undefined;
}

function decisionsOf(finding: Finding, pair: Pair | undefined, asked: Asked): Decision[] {
  if (finding.type === 'changed' && finding.changes.length > 0) return changedValues(finding, pair, asked);
  const choice = asked.choiceOf(finding, null);
  return choice === undefined ? [] : wholeObject(finding).map((one) => ({ ...one, choice, cause: finding.cause }));
}

function changedValues(finding: Finding, pair: Pair | undefined, { document, choiceOf }: Asked): Decision[] {
  const hidden = lazy(() => (pair === undefined ? new Set<string>() : fieldsWithHiddenSecret(pair)));
  return finding.changes.flatMap(({ path: inner, cause }): Decision[] => {
    const choice = choiceOf(finding, inner);
    if (choice === undefined) return [];
    const path = pathOf(finding, inner);
    const next = pair && nextValue(pair, inner, valueAt(document, path));
    const edit = { finding, inner, path, value: next?.value };
    const [field = ''] = parsePath(inner);
    const isBesideSecret = hidden().has(field);
    const reason = next === undefined ? 'computed' : next.reason;
    return [{ edit: { ...edit, ...(isBesideSecret && { lastReason: 'hidden-secret' }) }, choice, cause, reason }];
  });
}

type OfObject = Pick<Decision, 'edit' | 'reason'>;

function wholeObject(finding: Finding): OfObject[] {
  const edit: Edit = { finding, inner: null, path: pathOf(finding, null), value: undefined };
  switch (finding.type) {
    case 'missing':
      return [{ edit }];
    case 'foreign-child':
      return adoption(edit);
    case 'changed':
      return [{ edit, reason: 'marker' }];
    case 'duplicate':
    case 'unmanaged':
      return [{ edit, reason: finding.type }];
    default:
      return finding.type satisfies never;
  }
}

/** The block that the finding has, under its name. */
function adoption(edit: Edit): OfObject[] {
  const { adopt } = edit.finding;
  if (adopt === null || adopt === undefined) return [{ edit, reason: 'unadoptable' }];
  if (adopt.variables.length > 0) return [{ edit, reason: 'adopted-secret' }];
  const { json } = parseFile('block', adopt.block);
  const blocks = Object.entries(isObject(json) ? json : {});
  return blocks.map(([name, value]) => ({ edit: { ...edit, path: [...adopt.under.split('.'), name], value } }));
}

/** Rules that doubt that this is the service of the manifest. */
const RULES_OF_DOUBT: readonly Code[] = ['another-account', 'empty-list', 'unrelated-manifest'];

function doubtedAddresses({ refusals, diagnostics }: MatchedDrift['plan']): ReadonlySet<string> {
  const rules = refusals.filter(({ rule }) => RULES_OF_DOUBT.includes(rule)).flatMap(({ addresses }) => addresses);
  const errors = diagnostics.flatMap(({ severity, address }) =>
    severity === 'error' && address !== null ? [address] : [],
  );
  return new Set([...rules, ...errors]);
}

/** Why it is not believed that something was changed outside. What somebody named is: only a rule or an error doubts it. */
function doubtAbout({ edit, choice, cause }: Decision, doubted: ReadonlySet<string>): Reason | undefined {
  const { type, address } = edit.finding;
  if (type !== 'foreign-child' && doubted.has(address ?? '')) return 'doubtful';
  if (choice === 'named') return undefined;
  return cause === 'unknown' ? 'unknown-cause' : cause === 'both' ? 'both-causes' : undefined;
}

function pathOf({ address }: Finding, inner: string | null): Path {
  return [...(address?.split('.') ?? []), ...(inner === null ? [] : parsePath(inner))];
}

export function leftOut(
  { finding, inner, path }: Pick<Edit, 'finding' | 'inner' | 'path'>,
  reason: Reason,
  sourceMap: SourceMap,
): LeftOut {
  const { fingerprint, address, live_id: id } = finding;
  const { text, fix } = REASONS[reason];
  const isPlaced = address !== null && finding.type !== 'foreign-child';
  const subject = inner === null ? (address ?? id ?? '') : `${inner} of ${address ?? ''}`;
  const range = isPlaced ? sourceMap.value(path) : undefined;
  return { fingerprint, address, path: inner, reason, message: `${subject} ${text}`, fix, ...(range && { range }) };
}

/** Blocks that something refers to stay, and so does what is in them. */
function withReferencedKept(decisions: readonly Decision[], asked: Asked): Decision[] {
  const removed = new Set(decisions.flatMap((decision) => removedBlock(decision) ?? []));
  const reasons = reasonsToStay(removed, asked);
  return decisions.map((decision) => {
    const reason = reasons.get(removedBlock(decision) ?? '');
    return reason === undefined ? decision : { ...decision, reason };
  });
}

/** The address whose block goes. */
function removedBlock({ edit: { finding, inner }, reason }: Decision): string | undefined {
  if (reason !== undefined) return undefined;
  return finding.type === 'missing' && inner === null ? (finding.address ?? undefined) : undefined;
}

/** A block that stays may itself refer to others, so that they stay, too: asked until nothing is added. */
function reasonsToStay(removed: ReadonlySet<string>, asked: Asked): ReadonlyMap<string, Reason> {
  const reasons = new Map<string, Reason>();
  for (;;) {
    const leaving = new Set([...removed].filter((address) => !reasons.has(address)));
    const added = addedReasons(leaving, reasons, asked);
    if (added.length === 0) return reasons;
    for (const [address, reason] of added) reasons.set(address, reason);
  }
}

function addedReasons(
  leaving: ReadonlySet<string>,
  known: ReadonlyMap<string, Reason>,
  asked: Asked,
): [address: string, reason: Reason][] {
  const { manifest } = asked;
  const named = namedByStaying(leaving, asked);
  const parentsOfNamed = new Set(
    manifest.resources.flatMap(({ address, parent }) => (named.has(address) ? [parent] : [])),
  );
  return manifest.resources.flatMap(({ address, parent }): [string, Reason][] => {
    if (!leaving.has(address)) return [];
    if (named.has(address) || parentsOfNamed.has(address)) return [[address, 'referenced']];
    return parent !== undefined && known.has(parent) ? [[address, 'parent']] : [];
  });
}

/** What outputs, other stacks, and objects whose blocks stay refer to. */
function namedByStaying(leaving: ReadonlySet<string>, { manifest, imported = new Set() }: Asked): ReadonlySet<string> {
  const { resources, outputs } = manifest;
  const isStaying = ({ address, parent }: Manifest['resources'][number]) =>
    !leaving.has(address) && !leaving.has(parent ?? '');
  const specs = resources.filter(isStaying).map(({ spec }) => spec);
  return new Set([...imported, ...[...specs, ...outputs.values()].flatMap((value) => addressesIn(value))]);
}
