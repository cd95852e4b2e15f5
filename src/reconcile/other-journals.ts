// What the journals of other stacks know at a service: with the key of another account, each of many small stacks would look like one
// that somebody deleted (ADR-0080). They are only read, without a lock.

import { dirname, join } from 'node:path';
import { parseAddress } from '../catalog/address.ts';
import { isListable } from '../catalog/lookup.ts';
import { isDefaultJournal, stackOfJournal } from '../journal/place.ts';
import { accountEvidence, lostTogether, type AccountEvidence, type LostTogether } from '../plan/account.ts';
import type { JournalView } from '../plan/journal-view.ts';
import { onFileError } from '../platform/file-error.ts';
import { ownershipIn, scopeOfStack } from '../resource/marker/ownership.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { notesFor, notesIn } from './execution/noted.ts';
import type { RunInput } from './run.ts';

/** A journal, and the stack that it has to belong to. */
interface OtherJournal {
  readonly stack: string;
  readonly journal: string;
}

/** Where it is read, and what can be listed there. */
type Where = Pick<RunInput, 'connection' | 'options' | 'platform'>;

/** What another journal knows. An object that no list shows was not read for it, and proves nothing. */
export function evidenceOf(
  { stack, journal }: OtherJournal,
  { connection, options, platform }: Where,
  snapshot: Snapshot,
): AccountEvidence {
  const owner = { stack, service: connection.baseUrl.href };
  const view = notesFor(notesIn(textOf(journal, platform), journal, owner).accounts, snapshot)?.view;
  const listed = [...(view?.objects ?? [])].filter(([, { address }]) => {
    const kind = parseAddress(address)?.kind.name;
    return kind !== undefined && isListable(kind, options.capabilities);
  });
  return accountEvidence(stack, view && { ...view, objects: new Map(listed) }, snapshot);
}

/** Undefined for one that cannot be read, and while a run holds it, which may have created objects since the service was read. */
function textOf(journal: string, { files }: Where['platform']): string | undefined {
  return onFileError(
    () => (files.exists(`${journal}.lock`) ? undefined : files.read(journal)),
    () => undefined,
  );
}

/**
 * What the journals in the folder of a run's own know together with it, where the service has none of it. They are read only if nothing
 * of the stack is there; a fleet, which knows its stacks, counts them itself.
 */
export function lostBeside(run: RunInput, snapshot: Snapshot, view: JournalView | undefined): LostTogether | undefined {
  const { manifest, connection, options, platform } = run;
  const { stack } = manifest;
  if (run.service !== undefined || !isDefaultJournal(options.journal, connection.baseUrl, stack)) return undefined;
  const own = accountEvidence(stack, view, snapshot);
  if (own.isHere || (own.known.size === 0 && ownsAnything(stack, snapshot))) return undefined;
  const others = journalsBeside({ stack, journal: options.journal }, platform);
  return lostTogether([own, ...others.map((one) => evidenceOf(one, run, snapshot))]);
}

function ownsAnything(stack: string, { resources }: Snapshot): boolean {
  return resources.some(ownershipIn(scopeOfStack(stack), resources).isOurs);
}

function journalsBeside({ stack: own, journal }: OtherJournal, { files }: Where['platform']): OtherJournal[] {
  const folder = dirname(journal);
  const names = onFileError(
    () => files.namesIn(folder),
    () => [],
  );
  return names.flatMap((name) => {
    const stack = stackOfJournal(name);
    return stack === undefined || stack === own ? [] : [{ stack, journal: join(folder, name) }];
  });
}
