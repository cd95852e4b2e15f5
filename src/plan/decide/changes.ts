// Turns differences into the changes shown in a plan: effect, cause and note; secrets are never in clear text.

import { shortDigest } from '../../core/digest.ts';
import { canonicalJson, type Path } from '../../core/json.ts';
import { holdsSecret, isValueObject, type Value, type ValueObject, parsePath, valueAt } from '../../core/value.ts';
import { METADATA } from '../../catalog/fields/common.ts';
import { fieldAt } from '../../catalog/walk.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { areApplied, causeOf, serviceChoices } from './cause.ts';
import { isOnlyReformatted } from '../../resource/marker/metadata-text.ts';
import { isOffAnyway, valueToSend, type FieldDiff } from '../../resource/diff.ts';
import { display, MASK } from '../../resource/placeholder.ts';
import type { Cause, Change } from '../plan.ts';
import { idsInField } from '../../resource/references.ts';
import { displayChange } from '../../resource/display-change.ts';

/** Differences that count: visible ones, and write-only secrets whose digest changed. */
export function realDiffs(diffs: readonly FieldDiff[], live: LiveResource, salt: string): FieldDiff[] {
  return diffs.filter((diff) => diff.differences.length > 0 || writeOnlyChanged(diff, live, salt));
}

/** Modules that are switched off anyway, but must let go of objects that the plan deletes (ADR-0021). */
export function droppingDiffs(diffs: readonly FieldDiff[], deletedIds: ReadonlySet<string>): FieldDiff[] {
  if (deletedIds.size === 0) return [];
  const refers = ({ field, live }: FieldDiff) => idsInField(field, live).some((id) => deletedIds.has(id));
  return diffs
    .filter((diff) => isOffAnyway(diff) && refers(diff))
    .map((diff) => ({ ...diff, differences: [{ path: diff.name, before: diff.live, after: undefined }] }));
}

/** Decides both whether write-only secrets must be sent and whether the plan lists them. */
function writeOnlyChanged(diff: FieldDiff, live: LiveResource, salt: string): boolean {
  return diff.writeOnly.length > 0 && !areApplied(diff, live.marker, salt);
}

/** Ignored secrets that are not proven to be as in the manifest: they change when their field is sent, and only then. */
export function unsentSecrets(diff: FieldDiff, live: LiveResource, salt: string): string[] {
  const { ignoredSecrets } = diff;
  if (ignoredSecrets.length === 0) return [];
  const isProven = ignoredSecrets.some(({ isShown }) => !isShown) && areApplied(diff, live.marker, salt);
  return ignoredSecrets.flatMap(({ path, isShown }) => (isShown || !isProven ? [path] : []));
}

/** The changes of one field; `switchedOff` is the disabled module to send if it cannot be removed. */
export function changesOf(diff: FieldDiff, live: LiveResource, salt: string, switchedOff?: Value): Change[] {
  const cause = causeOf(diff, live.marker, salt);
  const effect = effectOf(diff);
  const hidden = (writeOnlyChanged(diff, live, salt) ? diff.writeOnly : []).map((path): Change => {
    const after = (valueAt(valueToSend(diff) ?? null, parsePath(path).slice(1)) ?? null) === null ? null : MASK;
    return { path, before: MASK, after, effect, cause, sensitive: true };
  });
  const notes = notesOf(diff, { switchedOff, secrets: unsentSecrets(diff, live, salt) }).join('; ');
  const changes = diff.differences.map(({ path, before, after }) => ({
    path,
    ...displayChange(before, after, fieldAt({ [diff.name]: diff.field }, parsePath(path))),
    effect,
    cause,
    ...(notes !== '' && { note: notes }),
  }));
  return [...changes, ...hidden];
}

function effectOf(diff: FieldDiff): Change['effect'] {
  if (diff.replaces) return 'replace-resource';
  if (valueToSend(diff) === undefined && diff.field.remove !== undefined) return 'remove-module';
  return diff.field.module ? 'replace-module' : 'update';
}

interface SentWith {
  readonly switchedOff: Value | undefined;
  /** Ignored secrets that change with it. */
  readonly secrets: readonly string[];
}

function notesOf(diff: FieldDiff, { switchedOff, secrets }: SentWith): string[] {
  if (switchedOff !== undefined) return [offNote(diff, switchedOff)];
  if (valueToSend(diff) === undefined) return [];
  const note = `sent with the secret of the manifest, although \`ignore_changes\` names it: ${secrets.join(', ')}`;
  return [...resetNote(diff), ...(secrets.length === 0 ? [] : [note])];
}

function resetNote({ name, field, live, desired }: FieldDiff): string[] {
  if (!field.module || !isValueObject(desired)) return [];
  // The module is sent whole without them.
  const isReset = (path: Path) =>
    isValueObject(valueAt(desired, path.slice(0, -1))) && valueAt(desired, path) === undefined;
  const reset = serviceChoices(field, live).filter(isReset);
  const names = reset.map((path) => [name, ...path].join('.'));
  return names.length === 0 ? [] : [`the service chooses a new value for: ${names.join(', ')}`];
}

function offNote({ field, live }: FieldDiff, sent: Value): string {
  const kept = idsInField(field, sent);
  const dropped = idsInField(field, live).filter((id) => !kept.includes(id));
  const without = dropped.length === 0 ? '' : `, and sent without ${dropped.join(', ')}, which this plan deletes`;
  return `switched off, because the service has no operation that removes it${without}`;
}

/** The change of the user's own metadata text, if it differs. */
export function metadataChange(spec: ValueObject, live: LiveResource): Change[] {
  const wanted = spec[METADATA] ?? '';
  if (wanted === live.userMetadata || isReformatted(wanted, live)) return [];
  const change = {
    path: METADATA,
    before: display(live.userMetadata),
    after: display(wanted),
    effect: 'update',
    sensitive: false,
  } as const;
  return [{ ...change, cause: metadataCause(wanted, live) }];
}

function metadataCause(wanted: Value, { marker, userMetadata }: LiveResource): Cause {
  if (marker === undefined) return 'unknown';
  if (typeof wanted !== 'string') return 'config';
  const applied = marker.applied[METADATA];
  if (digestOfText(wanted) === applied) return 'drift';
  return digestOfText(userMetadata) === applied ? 'config' : 'both';
}

/** True when the marker's digest is not that of the user's text next to it, and the text is not just laid out in another way. */
export function isTextOutdated(wanted: Value, live: LiveResource): boolean {
  return digestOfText(live.userMetadata) !== live.marker?.applied[METADATA] && !isReformatted(wanted, live);
}

/** True when the manifest still has the text that was applied, and somebody laid out the live one in another way, as with the marker in it. */
function isReformatted(wanted: Value, { marker, userMetadata }: LiveResource): boolean {
  if (typeof wanted !== 'string' || marker === undefined) return false;
  return digestOfText(wanted) === marker.applied[METADATA] && isOnlyReformatted(wanted, userMetadata);
}

function digestOfText(text: string): string | undefined {
  return text === '' ? undefined : shortDigest(canonicalJson(text));
}

/** The fields of a new object, for people: one change per field in the manifest. */
export function creationChanges(spec: ValueObject): Change[] {
  return Object.entries(spec).map(([name, value]) => ({
    path: name,
    before: null,
    after: display(value),
    effect: 'update',
    cause: 'config',
    sensitive: holdsSecret(value),
  }));
}
