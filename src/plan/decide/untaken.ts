// Values that the service did not take: it answered our own write of a field with another value, and still shows that (ADR-0088).
//
//   sent 0, the answer says 10, live says 10      not taken: told, not sent again, no drift
//   the same in a later run, by the journal       as before; a mask of a secret is not told again
//   sent 0, nothing is shown                      missing: sent again
//   live says 7 by now                            somebody changed it: drift
//   the manifest says 5 by now                    a change of the manifest: sent
//
// What the service shows is compared with what it answered, and never guessed: so it is with masks of secrets, too. An answer that was
// lost, or a value that was changed between the answer and the next read, proves nothing.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { truncateMiddle } from '../../core/bounds.ts';
import type { Json } from '../../core/json.ts';
import { holdsSecret, holdsUnknown } from '../../core/value.ts';
import { canonicalField } from '../../resource/canonical.ts';
import { equal, valueWritten, type FieldDiff } from '../../resource/diff.ts';
import { fieldDigest } from '../../resource/digests.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { withZeros } from '../../resource/zeros.ts';
import type { JournalView } from '../journal-view.ts';
import { causeOf } from './cause.ts';
import { changesOf } from './changes.ts';

/** A field whose value the service did not take, for the journal. */
export interface Untaken {
  readonly id: string;
  readonly address: string;
  readonly field: string;
  /** Digests of the value that was sent and of the one that is shown. */
  readonly shown: string;
}

interface Judged {
  readonly live: LiveResource;
  readonly salt: string;
  readonly journal: JournalView | undefined;
}

/** Marks the differences whose live value is what the service showed after our last write. */
export function asShown(diffs: readonly FieldDiff[], { live, salt, journal }: Judged): readonly FieldDiff[] {
  const noted = journal?.objects.get(live.id)?.untaken;
  if (noted === undefined) return diffs;
  return diffs.map((diff) => {
    const [, shown] = noted.get(diff.name)?.split('.') ?? [];
    return shown !== undefined && shown === digestOf(diff, diff.live, salt) ? { ...diff, isAsShown: true } : diff;
  });
}

/** Whether the service did not take the value of a field: as the journal says, or as its answer in this run does. */
function isUntaken(diff: FieldDiff, { live, salt, journal }: Judged): 'noted' | 'now' | undefined {
  if (!mayBeUntaken(diff)) return undefined;
  const noted = journal?.objects.get(live.id)?.untaken?.get(diff.name);
  if (noted !== undefined && diff.isAsShown === true && noted === shownOf(diff, salt)) return 'noted';
  const answer = journal?.answers?.get(live.id);
  return isAnswered(diff, answer) && causeOf(diff, live.marker, salt) === 'drift' ? 'now' : undefined;
}

/**
 * A value that was sent, that an update can change, and in place of which another one is shown. Where nothing is shown, such as a
 * whole module, it is missing: sent again, and told each time.
 */
function mayBeUntaken(diff: FieldDiff): boolean {
  const written = valueWritten(diff);
  const isShown = diff.differences.length > 0 && diff.differences.every(({ before }) => before !== undefined);
  return !diff.replaces && written !== undefined && !holdsUnknown(written) && isShown;
}

/** Whether the answer to our own write shows the live value. */
function isAnswered({ field, name, live, sides }: FieldDiff, answer: LiveResource | undefined): boolean {
  return answer !== undefined && equal(canonicalField(field, withZeros(field, answer.spec[name], sides.wanted)), live);
}

/** The differences that can be sent, and those whose values the service did not take; `now` as it answered in this run. */
export function splitByTaking(diffs: readonly FieldDiff[], judged: Judged) {
  const all = diffs.map((diff) => ({ diff, is: isUntaken(diff, judged) }));
  const those = (isMeant: (is: 'noted' | 'now' | undefined) => boolean) =>
    all.flatMap(({ diff, is }) => (isMeant(is) ? [diff] : []));
  return {
    taken: those((is) => is === undefined),
    untaken: those((is) => is !== undefined),
    now: those((is) => is === 'now'),
  };
}

/** What the journal keeps of it. */
export function untakenFor(diff: FieldDiff, address: string, { live, salt }: Judged): Untaken {
  return { id: live.id, address, field: diff.name, shown: shownOf(diff, salt) };
}

/** Those of the differences left that a plan tells: masks of secrets only in the run that sees them first. */
export function shownUntaken(untaken: readonly FieldDiff[], now: readonly FieldDiff[]): readonly FieldDiff[] {
  return untaken.filter((diff) => now.includes(diff) || !holdsSecret(valueWritten(diff) ?? null));
}

/** With both values; secrets are masked. */
export function untakenWarnings(diff: FieldDiff, address: string, { live, salt }: Judged): Diagnostic[] {
  return changesOf(diff, live, salt).map(({ path, before, after }) => ({
    code: 'not-taken',
    severity: 'warning',
    address,
    message: `the service did not take ${path}: ${shortJson(after)} was sent, and it shows ${shortJson(before)}`,
    fix: 'write the value that it shows, or leave it out; it is not sent again until one of them changes',
  }));
}

function shownOf(diff: FieldDiff, salt: string): string {
  return `${digestOf(diff, diff.desired, salt)}.${digestOf(diff, diff.live, salt)}`;
}

function digestOf({ field }: FieldDiff, value: FieldDiff['live'], salt: string): string {
  return fieldDigest(field, value, salt) ?? '';
}

function shortJson(value: Json): string {
  return value === null ? 'nothing' : truncateMiddle(JSON.stringify(value), 200);
}
