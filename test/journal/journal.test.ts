// A journal while runs use it: the lock, what is on the disk when, and disks that fail or processes that end at any point.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/platform/file-error.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { thisProcess } from '../../src/platform/process-identity.ts';
import { boundElsewhere } from '../../src/journal/binding.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { replayJournal } from '../../src/journal/replay.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import type { Disk } from './sample.ts';
import { begin, intent, memoryDisk, outcome } from './sample.ts';

const PATH = 'shop.jsonl';
const LOCK = `${PATH}.lock`;
const NOW = '2026-01-02T03:04:05.678Z';

/** A process of number 1; by default all others have ended. */
type JournalOptions = Parameters<typeof openJournal>[0];

function options(disk: Pick<Disk, 'files'>, more: Partial<JournalOptions> = {}): JournalOptions {
  return {
    path: PATH,
    files: disk.files,
    run: 'r1',
    stack: 'shop',
    service: 'https://api.example.com/',
    now: () => NOW,
    pid: 1,
    birth: '100',
    host: 'runner',
    bootId: 'boot',
    isAlive: () => false,
    ...more,
  };
}

const WRITE: Parameters<Journal['intent']>[0] = {
  address: 'things.a',
  kind: 'thing',
  method: 'POST',
  path: '/things',
  live_id: null,
  parentId: null,
};

function opened(disk: Pick<Disk, 'files'>, more: Partial<JournalOptions> = {}): Journal {
  const { value, diagnostics } = openJournal(options(disk, more));
  if (value === undefined) throw new Error(JSON.stringify(diagnostics));
  return value;
}

function entriesOf(disk: Disk): readonly JournalEntry[] {
  const { value, diagnostics } = parseJournal(disk.content.get(PATH) ?? '');
  expect(diagnostics).toEqual([]);
  return value!;
}

const previousOf = ({ accounts }: Journal) => accounts.flatMap(({ entries }) => entries);
const namesOf = (entries: readonly JournalEntry[]) => entries.map((entry) => entry.type);

describe('a run', () => {
  test('is on the disk entry by entry, and the next run reads it', async () => {
    const disk = memoryDisk();
    const first = opened(disk);
    expect(previousOf(first)).toEqual([]);
    expect(namesOf(entriesOf(disk))).toEqual(['begin']);
    const n = await first.intent(WRITE);
    expect(entriesOf(disk).at(-1)).toMatchObject({ type: 'intent', n, run: 'r1', live_id: null, at: NOW });
    await first.outcome(n, { status: 'done', live_id: 't_1' });
    await first.stored('things.a', 't_1');
    await first.resolved('things.b', 'absent');
    await first.end('done');
    await first.close();
    await first.close();
    const names = ['begin', 'intent', 'outcome', 'stored', 'resolved', 'end'];
    expect(namesOf(entriesOf(disk))).toEqual(names);
    expect([...disk.content.keys()]).toEqual([PATH]);
    const second = opened(disk, { run: 'r2' });
    expect(namesOf(previousOf(second))).toEqual(names);
    expect(await second.intent(WRITE)).toBe(1);
    expect([...replayJournal(entriesOf(disk)).objects.keys()]).toEqual(['t_1']);
    expect(disk.effects.filter((effect) => effect === 'atomic')).toHaveLength(2);
  });

  test('that wrote nothing binds the journal to nothing, and one that noted something does', async () => {
    const disk = memoryDisk();
    const mistyped = opened(disk, { run: 'r0', service: 'https://mistyped.example.com/' });
    await mistyped.end('1');
    await mistyped.close();
    const right = opened(disk, { run: 'r1' });
    await right.resolved('things.a', { id: 't_1' });
    await right.close();
    const { diagnostics } = openJournal(options(disk, { run: 'r2', service: 'https://mistyped.example.com/' }));
    expect(diagnostics[0]?.code).toBe('journal-mismatch');
    expect(openJournal(options(disk, { run: 'r3' })).diagnostics).toEqual([]);
  });

  test.each([
    ['https://a.test/v1', 'https://a.test/v1/'],
    ['https://a.test/v1//', 'https://a.test/v1'],
    ['https://a.test', 'https://a.test/'],
  ])('of %s is one of %s', async (one, other) => {
    const disk = memoryDisk();
    const first = opened(disk, { service: one });
    await first.intent(WRITE);
    await first.close();
    expect(openJournal(options(disk, { run: 'r2', service: other })).diagnostics).toEqual([]);
  });

  test('with a damaged journal does not begin, and leaves the file as it is', () => {
    const disk = memoryDisk(new Map([[PATH, '']]));
    expect(openJournal(options(disk)).diagnostics[0]?.code).toBe('journal-damaged');
    expect([...disk.content]).toEqual([[PATH, '']]);
  });

  test('after a torn line puts the file in order', async () => {
    const disk = memoryDisk();
    await opened(disk).close();
    disk.content.set(PATH, `${disk.content.get(PATH)}{"c":"abc`);
    const { value, diagnostics } = openJournal(options(disk, { run: 'r2' }));
    expect(diagnostics.map((one) => one.code)).toEqual(['journal-torn']);
    await value?.end('done');
    expect(namesOf(entriesOf(disk))).toEqual(['begin', 'begin', 'end']);
  });

  test('leaves out of a large journal what no longer counts, and an ordinary one is only appended to', () => {
    const many = Array.from({ length: 5000 }, (_, at) => [intent('r0', at + 1), outcome(at + 1, 'rejected')]);
    const objects = [{ id: 't_1', address: 'things.a' }];
    const good = { type: 'end', run: 'r0', result: '0', objects } as const;
    const idle = [begin('r1'), { type: 'end', run: 'r1', result: '0' } as const, begin('r2')];
    const entries = [begin('r0'), ...many.flat(), good, ...idle, begin('r3'), intent('r3', 1)];
    const disk = memoryDisk(new Map([[PATH, encodeJournal(entries).text]]));
    const journal = opened(disk);
    expect(previousOf(journal)).toHaveLength(entries.length);
    expect(namesOf(entriesOf(disk))).toEqual(['begin', 'end', 'begin', 'intent', 'begin']);
    const { objects: known, creations } = replayJournal(entriesOf(disk));
    expect([known, creations]).toEqual([journal.state.objects, journal.state.creations]);
  });
});

describe('the lock', () => {
  const holder = (disk: Disk) => openJournal(options(disk, { pid: 7, birth: '5' }));
  const isHeld = (disk: Disk, more: Partial<JournalOptions>) => {
    const { value, diagnostics } = openJournal(options(disk, { run: 'r2', ...more }));
    return value === undefined ? diagnostics[0] : undefined;
  };

  test('of a living process is respected, and says who, since when and what to do', () => {
    const disk = memoryDisk();
    holder(disk);
    const before = new Map(disk.content);
    const asked: unknown[] = [];
    const found = isHeld(disk, { isAlive: (...of) => asked.push(of) > 0 });
    expect(found).toEqual({
      code: 'journal-locked',
      severity: 'error',
      message: `"${LOCK}" is held by process 7 on "runner" since "${NOW}"`,
      fix: `wait until that run has ended; if you are sure that it has, remove "${LOCK}"`,
    });
    expect(asked).toEqual([[7, '5']]);
    expect(disk.content).toEqual(before);
  });

  test('of a process that has ended is taken over, without a trace', async () => {
    const disk = memoryDisk();
    holder(disk);
    const journal = opened(disk, { run: 'r2' });
    expect([...disk.content.keys()].sort()).toEqual([PATH, LOCK]);
    expect(disk.content.get(LOCK)).toContain('"pid":1,');
    await journal.close();
    expect([...disk.content.keys()]).toEqual([PATH]);
  });

  test.each([{ host: 'other' }, { bootId: 'other' }])('of another machine or start is not judged: %o', (more) => {
    const disk = memoryDisk();
    holder(disk);
    expect(isHeld(disk, more)?.code).toBe('journal-locked');
  });

  test.each(['', '{', '{"pid":"1"}', 'null'])('that cannot be read is held by somebody: %s', (text) => {
    const disk = memoryDisk(new Map([[LOCK, text]]));
    expect(isHeld(disk, {})?.message).toBe(`"${LOCK}" is held by a process that it does not name`);
    expect(disk.content.get(LOCK)).toBe(text);
  });

  test('that somebody else has taken meanwhile is left to them', async () => {
    const disk = memoryDisk();
    const journal = opened(disk);
    disk.content.set(LOCK, 'theirs');
    await journal.close();
    expect(disk.content.get(LOCK)).toBe('theirs');
  });

  test('of an ended process is taken over by one only, however two of them interleave', () => {
    const count = (() => {
      const disk = memoryDisk();
      holder(disk);
      disk.effects.length = 0;
      opened(disk, { run: 'r2' });
      return disk.effects.length;
    })();
    for (let at = 0; at < count; at += 1) {
      const disk = memoryDisk();
      holder(disk);
      const isAlive = (pid: number) => pid !== 7;
      let rival: Journal | undefined;
      let left = at;
      disk.before = () => {
        left -= 1;
        if (left !== -1) return;
        rival = openJournal(options(disk, { run: 'r3', pid: 3, isAlive })).value;
      };
      const mine = openJournal(options(disk, { run: 'r2', pid: 2, isAlive })).value;
      expect(
        [mine, rival].filter((one) => one !== undefined),
        `at effect ${at}`,
      ).toHaveLength(1);
    }
  });
});

/** A process that is killed: nothing after this point happens, not even the release of the lock. */
class Killed extends Error {}

const RUN = async (journal: Journal) => {
  for (const address of ['things.a', 'things.b']) {
    const n = await journal.intent({ ...WRITE, address });
    await journal.outcome(n, { status: 'done', live_id: `t_${address}` });
  }
  await journal.end('done');
  await journal.close();
};

describe('at every effect', () => {
  test.each(['before', 'torn', 'after'])(
    'the process is killed (%s): the next run reads all that was finished',
    async (when) => {
      for (let at = 0; ; at += 1) {
        const disk = memoryDisk();
        opened(disk, { run: 'r0', pid: 9 });
        let left = at;
        const finished: string[] = [];
        disk.before = (effect, path, text) => {
          if (left < 0) throw new Killed();
          left -= 1;
          if (left >= 0) return;
          const old = disk.content.get(path) ?? '';
          if (when === 'torn' && effect === 'append') disk.content.set(path, old + text.slice(0, text.length / 2));
          if (when === 'after' && effect === 'append') disk.content.set(path, old + text);
          if (when === 'after' && effect === 'remove') disk.content.delete(path);
          if (when === 'after' && effect === 'atomic') disk.content.set(path, text);
          if (when === 'after' && effect === 'create' && !disk.content.has(path)) disk.content.set(path, text);
          throw new Killed();
        };
        let isKilled = false;
        try {
          const journal = opened(disk);
          await RUN({
            ...journal,
            outcome: async (n, what) => {
              await journal.outcome(n, what);
              finished.push(what.live_id!);
            },
          });
        } catch (error) {
          if (!(error instanceof Killed)) throw error;
          isKilled = true;
        }
        disk.before = () => undefined;
        const next = openJournal(options(disk, { run: 'r2', pid: 2 }));
        expect(
          next.diagnostics.filter((one) => one.severity === 'error'),
          `at effect ${at}`,
        ).toEqual([]);
        const { objects } = replayJournal(previousOf(next.value!));
        expect([...objects.keys()]).toEqual(expect.arrayContaining(finished));
        await next.value!.close();
        expect(disk.content.has(LOCK)).toBe(false);
        if (!isKilled) return;
      }
    },
  );

  test.each([
    ['once', 1],
    ['twice', 2],
    ['from then on', Infinity],
  ])('the disk fails (%s): nothing known is lost, and nothing is said to be sent that was not', async (_, times) => {
    for (let at = 0; ; at += 1) {
      const disk = memoryDisk();
      let left = at;
      let failures = 0;
      disk.before = (effect, path, text) => {
        left -= 1;
        if (left >= 0 || failures >= times) return;
        failures += 1;
        if (effect === 'append') disk.content.set(path, (disk.content.get(path) ?? '') + text.slice(0, 40));
        throw new FileError(path, 'ENOSPC');
      };
      let journal: Journal;
      try {
        journal = opened(disk);
      } catch (error) {
        expect(error).toBeInstanceOf(FileError);
        continue;
      }
      const sent: string[] = [];
      const attempt = async (work: () => Promise<void>) => {
        try {
          await work();
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' });
        }
      };
      for (const id of ['t_1', 't_2', 't_3']) {
        await attempt(async () => {
          const n = await journal.intent({ ...WRITE, address: `things.${id}` });
          sent.push(id);
          await journal.outcome(n, { status: 'done', live_id: id });
        });
      }
      const shown = journal.unsaved().flatMap((entry) => (entry.type === 'outcome' ? [entry.live_id] : []));
      const { value = [] } = parseJournal(disk.content.get(PATH)!);
      const saved = [...replayJournal(value).objects.keys()];
      expect([...saved, ...shown].sort(), `at effect ${at}`).toEqual(sent);
      expect(journal.unsaved().some((entry) => entry.type === 'intent')).toBe(false);
      const open = [...replayJournal(value).creations.keys()].map((address) => address.slice('things.'.length));
      expect(open, `at effect ${at}`).toEqual(sent.filter((id) => shown.includes(id) && !saved.includes(id)));
      if (times === 1) expect(shown.length === 0 || sent.at(-1) === shown[0]).toBe(true);
      if (failures === 0) return;
    }
  });
});

describe('entries of several writers at once', () => {
  /** A disk whose flushes end when they are told to. */
  const slowDisk = () => {
    const disk = memoryDisk();
    const flushes: (() => void)[] = [];
    disk.flush = () => new Promise((resolve) => flushes.push(resolve));
    return { disk, flushes };
  };
  const settled = () => new Promise(setImmediate);
  const addresses = Array.from({ length: 8 }, (_, at) => `things.a${at}`);

  test('go to the disk together: fewer flushes than entries, in the order of the calls', async () => {
    const disk = memoryDisk();
    disk.flush = settled;
    const journal = opened(disk);
    await Promise.all(
      addresses.map(async (address) => {
        for (let at = 0; at < 10; at += 1) {
          const n = await journal.intent({ ...WRITE, address });
          await journal.outcome(n, { status: 'done', live_id: `t_${n}` });
        }
      }),
    );
    const entries = entriesOf(disk);
    expect(entries).toHaveLength(1 + 8 * 10 * 2);
    expect(entries.flatMap((entry) => (entry.type === 'intent' ? [entry.n] : []))).toEqual(
      Array.from({ length: 80 }, (_, at) => at + 1),
    );
    expect(disk.effects.filter((effect) => effect === 'append')).toHaveLength(20);
  });

  test('are done only when the flush that covers them is over', async () => {
    const { disk, flushes } = slowDisk();
    const journal = opened(disk);
    const done: number[] = [];
    const note = async () => void done.push(await journal.intent(WRITE));
    const first = note();
    await settled();
    const others = [note(), note()];
    await settled();
    expect([done, flushes.length, namesOf(entriesOf(disk))]).toEqual([[], 1, ['begin']]);
    flushes[0]!();
    await first;
    await settled();
    expect([done, flushes.length]).toEqual([[1], 2]);
    flushes[1]!();
    await Promise.all(others);
    expect([done, flushes.length, entriesOf(disk).length]).toEqual([[1, 2, 3], 2, 4]);
  });

  test('fail together: each is told, what is true is kept, and the next entry brings it along', async () => {
    const disk = memoryDisk();
    const journal = opened(disk);
    const n = await journal.intent(WRITE);
    disk.flush = () => Promise.reject(new FileError(PATH, 'ENOSPC'));
    const ended = await Promise.allSettled([journal.intent(WRITE), journal.outcome(n, { status: 'rejected' })]);
    expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(journal.unsaved()).toEqual([outcome(n, 'rejected')]);
    await journal.end('1');
    expect([namesOf(entriesOf(disk)), journal.unsaved()]).toEqual([['begin', 'intent', 'outcome', 'end'], []]);
  });

  test('end with the end of the run: what comes later is in nobody’s run, and is not taken', async () => {
    const { disk, flushes } = slowDisk();
    const journal = opened(disk);
    const intent = journal.intent(WRITE);
    await settled();
    flushes[0]!();
    const n = await intent;
    const ended = journal.end('130');
    const late = [journal.outcome(n, { status: 'done', live_id: 't_1' }), journal.intent(WRITE)];
    const refused = Promise.allSettled(late);
    await settled();
    flushes[1]!();
    await ended;
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await journal.close();
    expect(namesOf(entriesOf(disk))).toEqual(['begin', 'intent', 'end']);
    expect(parseJournal(disk.content.get(PATH) ?? '', PATH).diagnostics).toEqual([]);
  });

  test('that are on their way when the journal is closed reach the disk before the lock is gone, and send nothing', async () => {
    const { disk, flushes } = slowDisk();
    const journal = opened(disk);
    const ended = Promise.allSettled([journal.intent(WRITE), journal.stored('things.a', 't_1')]);
    await settled();
    const closed = journal.close();
    await settled();
    expect(disk.content.has(LOCK)).toBe(true);
    await expect(journal.end('1')).rejects.toThrow('is closed');
    flushes[0]!();
    await closed;
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
    expect([namesOf(entriesOf(disk)), disk.content.has(LOCK)]).toEqual([['begin', 'intent', 'stored'], false]);
  });
});

describe('on a real disk', () => {
  const inFolder = async (work: (folder: string) => void | Promise<void>) => {
    const folder = mkdtempSync(join(tmpdir(), 'edgeform-journal-'));
    try {
      await work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test('a run, a takeover and a second run leave one file for its owner only', async () => {
    await inFolder(async (folder) => {
      const path = join(folder, 'j.jsonl');
      const { pid } = spawnSync(process.execPath, ['-e', '']);
      const real = { path, ...thisProcess() };
      opened({ files: nodeFiles }, { ...real, pid });
      const journal = opened({ files: nodeFiles }, { ...real, run: 'r2' });
      expect(openJournal(options({ files: nodeFiles }, { ...real, run: 'r3' })).diagnostics[0]?.code).toBe(
        'journal-locked',
      );
      await RUN(journal);
      expect(readdirSync(folder)).toEqual(['j.jsonl']);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(previousOf(opened({ files: nodeFiles }, { ...real, run: 'r4' }))).toHaveLength(7);
    });
  });

  test('a folder that is not there is noticed before anything else', async () => {
    await inFolder((folder) => {
      const path = join(folder, 'none/j.jsonl');
      expect(() => opened({ files: nodeFiles }, { path })).toThrow(FileError);
    });
  });
});

describe('values of fixed forms', () => {
  test('an entry with a value of another form is refused, kept, and does not stop those after it', async () => {
    const disk = memoryDisk();
    const journal = opened(disk);
    const first = await journal.intent(WRITE);
    await expect(journal.outcome(first, { status: 'done', live_id: 'hunter 2' })).rejects.toThrow(
      /another form at live_id/,
    );
    await expect(journal.intent({ ...WRITE, path: '/things?key=hunter2' })).rejects.toThrow(/another form at path/);
    await expect(journal.intent({ ...WRITE, address: 'a b' })).rejects.toThrow(/another form at address/);
    const second = await journal.intent(WRITE);
    await journal.outcome(second, { status: 'done', live_id: 't_2' });
    await journal.end('0');
    expect(namesOf(entriesOf(disk))).toEqual(['begin', 'intent', 'intent', 'outcome', 'end']);
    expect(journal.unsaved()).toEqual([outcome(first, 'done', 'hunter 2')]);
  });
});

test.each([
  { name: 'its own stack', stack: 'shop', isOther: false },
  { name: 'another stack', stack: 'other', isOther: true },
])('after the first write a journal is asked for $name', ({ stack, isOther }) => {
  const service = 'https://api.example.com';
  const begin = { type: 'begin', v: 2, run: 'r1', stack: 'shop', service, at: '2030-01-01T00:00:00Z' } as const;
  const found = boundElsewhere([begin, { type: 'resolved', address: 'tls_edges.a', as: 'absent' }], { stack, service });
  expect(found).toBe(isOther ? begin : undefined);
});
