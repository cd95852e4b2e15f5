// Whether the report of a run tells the truth: what it calls done was done, and what was done it calls done or unknown.

import { isList, isObject, tryParseJson } from '../../src/core/json.ts';
import type { Stored } from '../../src/emulator/state/store.ts';
import type { Ran } from './machine.ts';
import { isDone } from './history.ts';
import type { Violation } from './oracles.ts';
import type { Entry } from './service.ts';

interface Row {
  readonly address: string;
  readonly action: string;
  readonly status: string;
  readonly live_id: string | undefined;
  readonly error: string;
}

/** Violations in one run's report; a run without one says nothing. `own` are its writes, `log` everything. */
export function checkReport(
  ran: Ran,
  own: readonly Entry[],
  log: readonly Entry[],
  before: readonly Stored[],
  isShared: boolean,
): Violation[] {
  const rows = rowsOf(ran.stdout);
  if (rows === undefined) {
    const isSilent = ran.exit !== undefined && own.some(isDone);
    return isSilent ? [lie(ran, 'there were writes, and no report')] : [];
  }
  const end = log.filter((entry) => entry.at <= ran.endedAt).at(-1)?.objects ?? before;
  const found: Violation[] = [];
  for (const row of rows) {
    if (row.status !== 'done' || row.live_id === undefined) continue;
    const isThere = end.some((one) => one.id === row.live_id);
    const isGoneLater = own.some((entry) => entry.id === row.live_id && entry.method === 'DELETE' && isDone(entry));
    if (row.action === 'create' && !isThere && !isGoneLater)
      found.push(lie(ran, `${row.address} is called created as ${row.live_id}, which is not there`));
    const isWritten = log.some((one) => one.run <= ran.number && one.id === row.live_id && isDone(one));
    if (row.action === 'update' && !isWritten)
      found.push(lie(ran, `${row.address} is called updated, and nothing was written to it`));
    if (row.action === 'delete' && isThere) found.push(lie(ran, `${row.address} is called deleted, and is there`));
  }
  const nothing = (row: Row) => ['failed', 'blocked', 'not_attempted'].includes(row.status);
  for (const address of new Set(rows.map((row) => row.address))) {
    const mine = rows.filter((row) => row.address === address);
    if (!mine.every(nothing)) continue;
    // A later request of the step may not have been sent at all, because it could not be noted; and on shared stacks what
    // refers to an object that is rolled back is re-pointed, whatever became of its own step.
    const isUnsent = isShared || mine.some(({ error }) => error.includes('could not be written'));
    const isTold = (entry: Entry) =>
      mine.some(
        (row) =>
          (entry.method === 'POST' && row.live_id === entry.id) || row.error.includes(`${entry.method} ${entry.path}`),
      );
    // Where the answer was lost, the object of another run at the same time looks like the own one.
    const isTaken = mine.some((row) =>
      log.some((entry) => entry.method === 'POST' && entry.run !== ran.number && entry.id === row.live_id),
    );
    if (isTaken) continue;
    const done = own.find(
      (one) =>
        isDone(one) &&
        one.address === address &&
        (isWhole(one) || (!isUnsent && isOnly(ran, one))) &&
        !isTold(one) &&
        !isTakenBack(one, own),
    );
    if (done !== undefined)
      found.push(
        lie(ran, `${address} is called ${mine[0]?.status ?? ''}, and ${done.method} ${done.path} was carried out`),
      );
  }
  return found;
}

/** A step of several requests may fail after its first; then it names the object that it made. */
function isWhole(entry: Entry): boolean {
  return entry.method === 'POST' || (entry.method === 'DELETE' && entry.path.endsWith(`/${entry.id}`));
}

/** What was created and deleted again is not there, and not done. */
function isTakenBack(entry: Entry, own: readonly Entry[]): boolean {
  const made = own.some((one) => one.method === 'POST' && isDone(one) && one.id === entry.id);
  return made && own.some((one) => one.method === 'DELETE' && isDone(one) && one.id === entry.id);
}

/** True when all that was sent about the object is this one request. */
function isOnly({ points }: Ran, entry: Entry): boolean {
  const sent = points.filter(
    ({ type, method, key }) => type === 'request' && method !== 'GET' && key.includes(entry.id),
  );
  return new Set(sent.map(({ key, body }) => `${key} ${body ?? ''}`)).size === 1;
}

function lie(ran: Ran, text: string): Violation {
  return { oracle: 'honesty', text: `run ${ran.number} (exit ${ran.exit ?? ''}): ${text}` };
}

function rowsOf(stdout: string): Row[] | undefined {
  const json = tryParseJson(stdout);
  if (!isObject(json) || !isList(json['steps'])) return undefined;
  return json['steps'].flatMap((step) =>
    isObject(step)
      ? [
          {
            address: String(step['address']),
            action: String(step['action']),
            status: String(step['status']),
            error: String(step['error']),
            live_id: typeof step['live_id'] === 'string' ? step['live_id'] : undefined,
          },
        ]
      : [],
  );
}
