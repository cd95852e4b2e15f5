// Values that the service did not take: it answered our own write of a field with another value, and still shows that (ADR-0088).
//
//   sent 0, the answer says 10, live says 10        not taken: told, not sent again, no drift
//   the same in a later run, by the journal         as before; a mask of a secret is not told again
//   sent 0, the run was cut off, live says 10       not taken, as far as can be known: told, no drift, sent again by the next apply
//   sent 0, nothing is shown                        missing: sent again
//   live says 7 by now                              somebody changed it: drift
//   the manifest says 5 by now                      a change of the manifest: sent
//
// What the service shows is compared with what it answered, and never guessed: so it is with masks of secrets, too.

import type { Diagnostic } from '../../core/diagnostic.ts';
import { truncateMiddle } from '../../core/bounds.ts';
import type { Json } from '../../core/json.ts';
import { holdsSecret } from '../../core/value.ts';
import { valueWritten, type FieldDiff } from '../../resource/diff.ts';
import type { LiveResource } from '../../resource/snapshot.ts';
import { isStillShown, mayBeUntaken, shownOf } from '../../resource/untaken.ts';
import { unreadFields, type JournalView } from '../journal-view.ts';
import { changesOf } from './changes.ts';

interface Judged {
  readonly live: LiveResource;
  readonly salt: string;
  readonly journal: JournalView | undefined;
}

/** Marks the differences that the service may have made itself when it took our last write. */
export function withAnswers(diffs: readonly FieldDiff[], { live, salt, journal }: Judged): readonly FieldDiff[] {
  const noted = journal?.objects.get(live.id)?.untaken;
  const cutOff = unreadFields(journal, live);
  if (noted === undefined && cutOff === undefined) return diffs;
  return diffs.map((diff) => {
    const shown = noted?.get(diff.name);
    const isAsShown = shown !== undefined && isStillShown(shown, diff, salt);
    return {
      ...diff,
      ...(isAsShown && { isAsShown }),
      ...(cutOff?.has(diff.name) === true && mayBeUntaken(diff) && { isUnread: true as const }),
    };
  });
}

/** The differences that can be sent, and those whose values the service did not take, as its answer said. */
export function splitByTaking(diffs: readonly FieldDiff[], { live, salt, journal }: Judged) {
  const noted = journal?.objects.get(live.id)?.untaken;
  const isUntaken = (diff: FieldDiff) =>
    diff.isAsShown === true && mayBeUntaken(diff) && noted?.get(diff.name) === shownOf(diff, salt);
  return { taken: diffs.filter((diff) => !isUntaken(diff)), untaken: diffs.filter(isUntaken) };
}

/** Those of them that a plan tells: masks of secrets only in the run that sees them first. */
export function shownUntaken(untaken: readonly FieldDiff[], { live, journal }: Judged): readonly FieldDiff[] {
  const now = journal?.objects.get(live.id)?.untakenNow;
  return untaken.filter((diff) => now?.has(diff.name) === true || !holdsSecret(valueWritten(diff) ?? null));
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

function shortJson(value: Json): string {
  return value === null ? 'nothing' : truncateMiddle(JSON.stringify(value), 200);
}
