// An apply as a program embeds it: through the public entry, whatever the program does meanwhile.

import { beforeEach, describe, expect, test } from 'vitest';
import type { NewRun, RunEvent, RunReport } from '../../src/index.ts';
import { applyManifest, createRun } from '../../src/index.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import type { ApplyRun } from '../../src/reconcile/execution/execution.ts';
import { isObject, parseJson } from '../../src/core/json.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import type { HttpResponse } from '../../src/service/http/exchange.ts';
import type { Disk } from '../journal/sample.ts';
import { memoryDisk } from '../journal/sample.ts';
import { KEY, raw, reply } from '../support/fake-exchange.ts';
import type { Direct } from '../support/in-process.ts';
import { createDirect } from '../support/in-process.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { load } from '../support/world.ts';

const MANIFEST = `version: 1
stack: shop
failover_backends: { a: { description: d }, b: {}, c: {}, d: {} }
api_keys: { k: { description: key } }
`;

let direct: Direct;
let disk: Disk;
/** Answers to writes that are held back; undefined: none is. */
let held: (() => void)[] | undefined;
/** Signals of the writes, in their order. */
let signals: (AbortSignal | undefined)[];
/** Called with every write before it is answered. */
let onWrite: () => void;

beforeEach(() => {
  direct = createDirect();
  disk = memoryDisk();
  held = undefined;
  signals = [];
  onWrite = () => undefined;
});

/** The service does at once what is asked; its answers to writes may be late. A platform of another run has another name. */
function platform(name: string) {
  return platformOf({
    files: disk.files,
    clock: createVirtualClock(),
    random: () => 0.5,
    wallTime: () => '2030-01-01T00:00:00.000Z',
    runName: () => name.repeat(32),
    exchange: async ({ method, url, body, signal }) => {
      const given = body === undefined ? undefined : parseJson(body);
      const { status, body: answer } = direct.ask(
        method,
        `${url.pathname}${url.search}`,
        given !== undefined && isObject(given) ? given : undefined,
      );
      const response: HttpResponse = status === 204 ? raw(204, '') : reply(status, answer);
      if (method === 'GET') return response;
      signals.push(signal);
      onWrite();
      await new Promise<void>((done) => (held === undefined ? done() : held.push(done)));
      return response;
    },
  });
}

function runOf(name: string, more: Partial<NewRun & Omit<ApplyRun, 'connection'>> = {}): ApplyRun {
  const { options, approve = () => Promise.resolve(), flush, ...rest } = more;
  const run = createRun({
    manifest: load(MANIFEST),
    baseUrl: 'https://api.example.com',
    apiKey: KEY,
    platform: platform(name),
    options: { journal: '/j', tokenDir: '/tokens', settleMs: 1_000, ...options },
    ...rest,
  });
  return { ...run, approve, ...(flush && { flush }) };
}

const journal = () => disk.content.get('/j') ?? '';
const entries = (type: string) => (parseJournal(journal(), '/j').value ?? []).filter((entry) => entry.type === type);
const isLocked = () => disk.content.has('/j.lock');
const statuses = ({ results }: RunReport) => [...new Set(results.map(({ status }) => status))];
const tokens = () => [...disk.content.keys()].filter((path) => path.startsWith('/tokens'));
/** Everything that is only waiting for its turn has had it. */
const calm = async () => {
  for (let turns = 0; turns < 20; turns++) await new Promise((done) => setImmediate(done));
};

describe('an apply that is given up', () => {
  const stopped = () => {
    const [soft, hard] = [new AbortController(), new AbortController()];
    const stop = () => {
      soft.abort();
      hard.abort();
    };
    return { stop, signal: soft.signal, hardCancel: hard.signal, signalName: () => 'SIGTERM' };
  };

  /** A run of which two writes were under way when it was given up. */
  async function givenUp() {
    const { stop, ...how } = stopped();
    held = [];
    onWrite = () => {
      if (signals.length === 2) setImmediate(stop);
    };
    const report = await applyManifest(runOf('a', how));
    onWrite = () => undefined;
    return report;
  }

  test('reports at once, gives up its requests and gives the lock back', async () => {
    const report = await givenUp();
    expect(report).toMatchObject({ result: 'interrupted', outcome: 'terminated' });
    expect(statuses(report)).toContain('unknown');
    expect(held).toHaveLength(2);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect([isLocked(), entries('end').length]).toEqual([false, 1]);
  });

  test('writes nothing afterwards, sends nothing and stores no token, whatever its answers say', async () => {
    await givenUp();
    const [before, sent] = [journal(), signals.length];
    held?.splice(0).forEach((answer) => {
      answer();
    });
    await calm();
    expect([journal() === before, signals.length, tokens()]).toEqual([true, sent, []]);
  });

  test('is looked at by the next run, which finds what was done, and late answers damage nothing of it', async () => {
    await givenUp();
    const late = held ?? [];
    held = undefined;
    onWrite = () => {
      late.splice(0, 1).forEach((answer) => {
        answer();
      });
    };
    const second = await applyManifest(runOf('b'));
    expect([second.result, ...statuses(second)]).toEqual(['done', 'done']);
    await calm();
    expect(parseJournal(journal(), '/j').diagnostics).toEqual([]);
    expect(await applyManifest(runOf('c'))).toMatchObject({ result: 'done', results: [], diagnostics: [] });
    expect(direct.store.all()).toHaveLength(5);
  });
});

describe('an apply with a deadline', () => {
  test('begins nothing after it, says so, and the next call has its own', async () => {
    const run = { ...runOf('a'), options: { ...runOf('a').options, deadlineMs: 300, concurrency: 1 } };
    held = [];
    onWrite = () => {
      // The answer comes after the deadline.
      setTimeout(() => held?.pop()?.(), 400);
    };
    const report = await applyManifest(run);
    expect(report).toMatchObject({ result: 'partial', outcome: 'partial' });
    expect(report.diagnostics.map(({ code }) => code)).toContain('deadline-reached');
    expect(statuses(report)).toEqual(['done', 'not_attempted']);
    held = undefined;
    onWrite = () => undefined;
    expect(await applyManifest({ ...run, options: { ...run.options, deadlineMs: 60_000 } })).toMatchObject({
      result: 'done',
    });
  });
});

describe('what the caller throws', () => {
  const broken = new Error('the progress bar broke');
  const throwAt = (isHere: boolean) => {
    if (isHere) throw broken;
  };
  const throwing = (type: string) => (event: RunEvent) => {
    if (event.type === 'step') throwAt(event.event.type === type);
  };
  const rejecting =
    (type: string) =>
    (event: RunEvent): unknown =>
      Promise.resolve().then(() => {
        throwing(type)(event);
      });

  test.each(['started', 'step-started', 'step-ended', 'finished'])(
    'at %s ends no step, and is told as lost output',
    async (type) => {
      const report = await applyManifest(runOf('a', { emit: throwing(type) }));
      expect(report).toMatchObject({ result: 'done', outcome: 'output', lost: [{ code: 'output-failed' }] });
      expect(report.lost[0]?.message).toContain('the progress bar broke');
      expect(entries('outcome')).toHaveLength(entries('intent').length);
      expect([isLocked(), entries('end').length, direct.store.all().length]).toEqual([false, 1, 5]);
    },
  );

  test.each<{ readonly name: string; readonly more: Parameters<typeof runOf>[1] }>([
    { name: 'a promise of emit', more: { emit: rejecting('step-started') } },
    { name: 'trace', more: { connection: { trace: (line: string) => throwAt(line.startsWith('POST')) } } },
  ])('by $name is lost output, too', async ({ more }) => {
    const report = await applyManifest(runOf('a', more));
    expect(report).toMatchObject({ result: 'done', outcome: 'output', lost: [{ code: 'output-failed' }] });
    expect(entries('outcome')).toHaveLength(entries('intent').length);
    expect([isLocked(), direct.store.all().length]).toEqual([false, 5]);
  });

  test('from flush is told in the report, and the journal has its end', async () => {
    const report = await applyManifest(runOf('a', { flush: () => Promise.reject(broken) }));
    expect(report).toMatchObject({ result: 'done', outcome: 'output', lost: [{ code: 'output-failed' }] });
    expect([isLocked(), entries('end').length]).toEqual([false, 1]);
  });

  test.each([
    ['thrown', (event: RunEvent) => throwAt(event.type === 'planned')],
    ['rejected', (event: RunEvent) => (event.type === 'planned' ? Promise.reject(broken) : undefined)],
  ] as readonly (readonly [string, (event: RunEvent) => unknown])[])(
    '%s before the plan is approved ends the run before anything is written',
    async (_, emit) => {
      await expect(applyManifest(runOf('a', { emit }))).rejects.toBe(broken);
      expect([isLocked(), signals.length]).toEqual([false, 0]);
    },
  );
});
