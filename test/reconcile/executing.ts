// An apply under way on the emulator in this process, with a journal in memory and a clock of its own.

import { emptyHistory } from '../../src/apply/gate/run-history.ts';
import type { Json } from '../../src/core/json.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { createRun } from '../../src/reconcile/create-run.ts';
import type { Execution } from '../../src/reconcile/execution/execution.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import type { RunEvent, RunOptions } from '../../src/reconcile/run.ts';
import { clientPorts } from '../../src/reconcile/run.ts';
import { openRunJournal } from '../../src/reconcile/run-journal.ts';
import { createClients } from '../../src/service/client.ts';
import { parseJson } from '../../src/core/json.ts';
import { isObject } from '../../src/core/json.ts';
import type { Disk } from '../journal/sample.ts';
import { memoryDisk } from '../journal/sample.ts';
import { KEY, raw, refuse, reply } from '../support/fake-exchange.ts';
import type { Direct } from '../support/in-process.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { load } from '../support/world.ts';

export interface Executing {
  readonly run: Execution;
  readonly disk: Disk;
  readonly events: readonly RunEvent[];
  /** Requests so far. */
  readonly asked: readonly string[];
  /** From now on the service answers nothing but 400. */
  readonly refuseAll: () => void;
  readonly journal: () => readonly JournalEntry[];
}

export function executing(
  direct: Direct,
  source: Json | string,
  options: Partial<RunOptions> = {},
  more: Partial<Execution> = {},
): Executing {
  const disk = memoryDisk();
  const events: RunEvent[] = [];
  const asked: string[] = [];
  let isRefused = false;
  const platform = platformOf({
    files: disk.files,
    clock: createVirtualClock(),
    random: () => 0.5,
    wallTime: () => '2030-01-01T00:00:00.000Z',
    runName: () => 'f'.repeat(32),
    exchange: ({ method, url, body }) => {
      asked.push(`${method} ${url.pathname}`);
      if (isRefused) return Promise.resolve(refuse(400));
      const given = body === undefined ? undefined : parseJson(body);
      const answered = direct.ask(
        method,
        `${url.pathname}${url.search}`,
        given !== undefined && isObject(given) ? given : undefined,
      );
      return Promise.resolve(answered.status === 204 ? raw(204, '') : reply(answered.status, answered.body));
    },
  });
  const bare = createRun({
    manifest: load(source),
    baseUrl: 'https://api.example.com',
    apiKey: KEY,
    platform,
    options: { journal: '/j', settleMs: 2_000, ...options },
    emit: (event) => events.push(event),
  });
  const runJournal = openRunJournal(bare);
  const clients = createClients(bare.connection, clientPorts(bare));
  const approve = () => Promise.resolve();
  return {
    run: { ...bare, approve, runJournal, clients, history: emptyHistory(runJournal.runName), ...more },
    disk,
    events,
    asked,
    refuseAll: () => {
      isRefused = true;
    },
    journal: () => parseJournal(disk.content.get('/j') ?? '').value ?? [],
  };
}
