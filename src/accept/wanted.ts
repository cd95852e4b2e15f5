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
  const edits: Edit[] = [];
  const left: LeftOut[] = [];
  const leave = (finding: Finding, inner: string | null, reason: Reason) =>
    void left.push(leftOut({ finding, inner, path: pathOf(finding, inner) }, reason, asked.sourceMap));
  for (const finding of asked.found.drift.findings)
    if (finding.type === 'changed' && finding.changes.length > 0) changedEdits(finding, asked, edits, leave);
    else if (asked.isChosen(finding, null)) wholeEdits(finding, edits, leave);
  return withoutReferenced({ edits, left }, asked);
}

type Leave = (finding: Finding, inner: string | null, reason: Reason) => void;

function changedEdits(finding: Finding, { found, document, isChosen }: Asked, edits: Edit[], leave: Leave): void {
  const pair = found.pairs.find(({ desired }) => desired.address === finding.address);
  for (const { path: inner } of finding.changes) {
    if (!isChosen(finding, inner)) continue;
    const path = pathOf(finding, inner);
    const next = pair && nextValue(pair, inner, valueAt(document, path));
    if (next === undefined || next.reason !== undefined) leave(finding, inner, next?.reason ?? 'computed');
    else edits.push({ finding, inner, path, value: next.value });
  }
}

function wholeEdits(finding: Finding, edits: Edit[], leave: Leave): void {
  switch (finding.type) {
    case 'missing':
      edits.push({ finding, inner: null, path: pathOf(finding, null), value: undefined });
      return;
    case 'foreign-child':
      return adoptionEdits(finding, edits, leave);
    case 'changed':
      return leave(finding, null, 'marker');
    case 'duplicate':
    case 'unmanaged':
      return leave(finding, null, finding.type);
    default:
      return finding.type satisfies never;
  }
}

/** The block that the finding has, under its name. */
function adoptionEdits(finding: Finding, edits: Edit[], leave: Leave): void {
  const { adopt } = finding;
  if (adopt === null || adopt === undefined) return leave(finding, null, 'unadoptable');
  if (adopt.variables.length > 0) return leave(finding, null, 'secret');
  const { json } = parseFile('block', adopt.block);
  for (const [name, value] of Object.entries(isObject(json) ? json : {}))
    edits.push({ finding, inner: null, path: [...adopt.under.split('.'), name], value });
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
function withoutReferenced({ edits, left }: Wanted, { manifest, sourceMap, found }: Asked): Wanted {
  const isGone = ({ finding, inner }: Edit) => finding.type === 'missing' && inner === null;
  const gone = new Set(edits.flatMap((edit) => (isGone(edit) ? [edit.finding.address ?? ''] : [])));
  const missing = new Set(found.drift.findings.flatMap(({ type, address }) => (type === 'missing' ? [address] : [])));
  const reasons = new Map<string, Reason>();
  const isLeaving = (address: string) => gone.has(address);
  for (let before = -1; before !== reasons.size;) {
    before = reasons.size;
    const staying = manifest.resources.filter(({ address, parent }) => !isLeaving(address) && !isLeaving(parent ?? ''));
    const named = new Set([
      ...staying.flatMap(({ spec }) => addressesIn(spec)),
      ...[...manifest.outputs.values()].flatMap((value) => addressesIn(value)),
    ]);
    for (const { address, parent } of manifest.resources) {
      if (!gone.has(address)) continue;
      const isParentLeft = parent !== undefined && reasons.has(parent) && missing.has(parent);
      const reason = named.has(address)
        ? 'referenced'
        : isParentLeft
          ? 'parent'
          : childIsNamed(address, manifest, named);
      if (reason === undefined) continue;
      reasons.set(address, reason);
      gone.delete(address);
    }
  }
  const stays = (edit: Edit) => (isGone(edit) ? reasons.get(edit.finding.address ?? '') : undefined);
  return {
    edits: edits.filter((edit) => stays(edit) === undefined),
    left: [
      ...left,
      ...edits.flatMap((edit) => {
        const reason = stays(edit);
        return reason === undefined ? [] : [leftOut(edit, reason, sourceMap)];
      }),
    ],
  };
}

function childIsNamed(address: string, { resources }: Manifest, named: ReadonlySet<string>): Reason | undefined {
  return resources.some(({ address: child, parent }) => parent === address && named.has(child))
    ? 'referenced'
    : undefined;
}
