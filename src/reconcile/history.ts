// What is known of the runs that wrote to a stack: the records of its history, and the commits in the markers of its objects. Writes
// nothing, and decides nothing.

import type { Diagnostic } from '../core/diagnostic.ts';
import type { RunRecord } from '../core/run-record.ts';
import { historyOf, parseHistory, type History } from '../journal/history.ts';
import { onFileError } from '../platform/file-error.ts';
import { ownershipIn, scopeOfStack } from '../resource/marker/ownership.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { createReadClient } from '../service/client.ts';
import { readAll } from './read.ts';
import type { Platform } from './platform.ts';
import { clientPorts, type RunInput } from './run.ts';

/** An object of the stack, and the commit that its marker names. */
export interface MarkedObject {
  readonly address: string;
  readonly kind: string;
  readonly live_id: string;
  readonly commit: string | null;
}

export interface StackHistory {
  /** Newest first. */
  readonly runs: readonly RunRecord[];
  readonly objects: readonly MarkedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The history of the stack, or of one address: the runs that wrote it, or may have, and the object that has it. */
export async function readHistory(run: RunInput, address: string | undefined): Promise<StackHistory> {
  const { connection, manifest, options } = run;
  const subject = { stack: manifest.stack, service: connection.baseUrl.href };
  const { records, diagnostics } = readRecords(options.journal, subject, run.platform);
  const client = createReadClient(connection, clientPorts(run));
  const snapshot = await readAll({ client, soFar: 'nothing was changed' }, run);
  const isAsked = (one: { readonly address: string }) => address === undefined || one.address === address;
  return {
    runs: records.filter((record) => address === undefined || mayName(record, address)).reverse(),
    objects: markedObjects(manifest.stack, snapshot).filter(isAsked),
    diagnostics,
  };
}

/** A record that leaves steps out may leave this one out. */
function mayName({ steps, steps_left_out: left }: RunRecord, address: string): boolean {
  return left > 0 || steps.some((step) => step.address === address);
}

/**
 * The records of the stack beside a journal; none without a file. A file that cannot be read is a warning, because nothing is
 * decided by it; what it says of other stacks is left out.
 */
export function readRecords(
  journal: string,
  { stack, service }: Pick<RunRecord, 'stack' | 'service'>,
  { recordFiles }: Pick<Platform, 'recordFiles'>,
): History {
  const path = historyOf(journal);
  return onFileError(
    () => {
      const text = recordFiles.read(path);
      const { records, diagnostics } = parseHistory(text ?? '', path);
      return { records: records.filter((one) => one.stack === stack && one.service === service), diagnostics };
    },
    ({ message }) => ({ records: [], diagnostics: [unreadable(message)] }),
  );
}

function unreadable(message: string): Diagnostic {
  return {
    code: 'history-damaged',
    severity: 'warning',
    message,
    fix: 'move the file away; the next run begins a new one',
  };
}

function markedObjects(stack: string, { resources }: Snapshot): MarkedObject[] {
  const { of } = ownershipIn(scopeOfStack(stack), resources);
  return resources.flatMap((live): MarkedObject[] => {
    const status = of(live);
    if (status.is !== 'ours') return [];
    const { address, commit = null } = status.marker;
    return [{ address, kind: live.kind, live_id: live.id, commit }];
  });
}
