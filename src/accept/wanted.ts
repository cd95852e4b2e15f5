// Findings that were accepted → what the manifest shall say, path by path; and what it cannot say.

import { isObject, type Json, type Path } from '../core/json.ts';
import { parsePath, valueAt } from '../core/value.ts';
import type { MatchedDrift } from '../drift/drift.ts';
import type { Finding } from '../drift/finding.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { parseFile } from '../manifest/text/parse.ts';
import type { SourceMap } from '../manifest/source-map.ts';
import { addressesIn } from '../resource/references.ts';
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
}

/** What is asked about: drift, and the manifest without presets and overlays. */
export interface Asked {
  readonly found: MatchedDrift;
  readonly manifest: Manifest;
  readonly document: Json;
  readonly sourceMap: SourceMap;
  /** Whether a change of a finding is accepted; of a finding without changes, the path is null. */
  readonly isChosen: (finding: Finding, path: string | null) => boolean;
}

export interface Wanted {
  readonly edits: readonly Edit[];
  readonly left: readonly LeftOut[];
}

export function wantedEdits(asked: Asked): Wanted {
  const decisions = asked.found.drift.findings.flatMap((finding) => decisionsOf(finding, asked));
  const decided = withReferencedKept(decisions, asked.manifest);
  return {
    edits: decided.flatMap(({ edit, reason }) => (reason === undefined ? [edit] : [])),
    left: decided.flatMap(({ edit, reason }) => (reason === undefined ? [] : [leftOut(edit, reason, asked.sourceMap)])),
  };
}

/** An edit that was asked for, and the reason not to make it, if there is one. */
interface Decision {
  readonly edit: Edit;
  readonly reason?: Reason | undefined;
}

function decisionsOf(finding: Finding, asked: Asked): Decision[] {
  if (finding.type === 'changed' && finding.changes.length > 0) return changedValues(finding, asked);
  return asked.isChosen(finding, null) ? wholeObject(finding) : [];
}

function changedValues(finding: Finding, { found, document, isChosen }: Asked): Decision[] {
  const pair = found.pairs.find(({ desired }) => desired.address === finding.address);
  const chosen = finding.changes.filter(({ path }) => isChosen(finding, path));
  return chosen.map(({ path: inner }) => {
    const path = pathOf(finding, inner);
    const next = pair && nextValue(pair, inner, valueAt(document, path));
    const edit = { finding, inner, path, value: next?.value };
    return next === undefined ? { edit, reason: 'computed' } : { edit, reason: next.reason };
  });
}

function wholeObject(finding: Finding): Decision[] {
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
function adoption(edit: Edit): Decision[] {
  const { adopt } = edit.finding;
  if (adopt === null || adopt === undefined) return [{ edit, reason: 'unadoptable' }];
  if (adopt.variables.length > 0) return [{ edit, reason: 'secret' }];
  const { json } = parseFile('block', adopt.block);
  const blocks = Object.entries(isObject(json) ? json : {});
  return blocks.map(([name, value]) => ({ edit: { ...edit, path: [...adopt.under.split('.'), name], value } }));
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
function withReferencedKept(decisions: readonly Decision[], manifest: Manifest): Decision[] {
  const removed = new Set(decisions.flatMap((decision) => removedBlock(decision) ?? []));
  const reasons = reasonsToStay(removed, manifest);
  return decisions.map((decision) => {
    const reason = reasons.get(removedBlock(decision) ?? '');
    return reason === undefined ? decision : { ...decision, reason };
  });
}

/** The address whose block goes. */
function removedBlock({ edit: { finding, inner } }: Decision): string | undefined {
  return finding.type === 'missing' && inner === null ? (finding.address ?? undefined) : undefined;
}

/** A block that stays may itself refer to others, so that they stay, too: asked until nothing is added. */
function reasonsToStay(removed: ReadonlySet<string>, manifest: Manifest): ReadonlyMap<string, Reason> {
  const reasons = new Map<string, Reason>();
  for (;;) {
    const leaving = new Set([...removed].filter((address) => !reasons.has(address)));
    const added = addedReasons(leaving, reasons, manifest);
    if (added.length === 0) return reasons;
    for (const [address, reason] of added) reasons.set(address, reason);
  }
}

function addedReasons(
  leaving: ReadonlySet<string>,
  known: ReadonlyMap<string, Reason>,
  manifest: Manifest,
): [address: string, reason: Reason][] {
  const named = namedByStaying(leaving, manifest);
  const parentsOfNamed = new Set(
    manifest.resources.flatMap(({ address, parent }) => (named.has(address) ? [parent] : [])),
  );
  return manifest.resources.flatMap(({ address, parent }): [string, Reason][] => {
    if (!leaving.has(address)) return [];
    if (named.has(address) || parentsOfNamed.has(address)) return [[address, 'referenced']];
    return parent !== undefined && known.has(parent) ? [[address, 'parent']] : [];
  });
}

/** What outputs, and objects whose blocks stay, refer to. */
function namedByStaying(leaving: ReadonlySet<string>, { resources, outputs }: Manifest): ReadonlySet<string> {
  const isStaying = ({ address, parent }: Manifest['resources'][number]) =>
    !leaving.has(address) && !leaving.has(parent ?? '');
  const specs = resources.filter(isStaying).map(({ spec }) => spec);
  return new Set([...specs, ...outputs.values()].flatMap((value) => addressesIn(value)));
}
