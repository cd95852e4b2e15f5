// A journal while runs use it: the lock, what is on the disk when, and disks that fail or processes that end at any point.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileError } from '../../src/platform/file-error.ts';
import { nodeFiles } from '../../src/platform/files.ts';
import { thisProcess } from '../../src/platform/process-identity.ts';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal } from '../../src/journal/entry.ts';
import { replayJournal } from '../../src/journal/replay.ts';
import type { Journal, JournalOptions, JournalWrite } from '../../src/journal/journal.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import type { Disk } from './sample.ts';
import { begin, intent, memoryDisk, outcome } from './sample.ts';

const PATH = 'shop.jsonl';
const LOCK = `${PATH}.lock`;
const NOW = '2026-01-02T03:04:05.678Z';

/** A process of number 1; by default all others have ended. */
function options(disk: Pick<Disk, 'files'>, more: Partial<JournalOptions> = {}): JournalOptions {
  return {
    path: PATH,
    files: disk.files,
    run: 'r1',
    stack: 'shop',
    service: 'https://api.example.com/',
    fingerprint: 'sha256:0',
    now: () => NOW,
    pid: 1,
    birth: '100',
    host: 'runner',
    bootId: 'boot',
    isAlive: () => false,
    ...more,
  };
}

const WRITE: JournalWrite = {
  step: 's1',
  address: 'things.a',
  kind: 'thing',
  method: 'POST',
  path: '/things',
  liveId: null,
  parentId: null,
  body: { name: 'a' },
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

const namesOf = (entries: readonly JournalEntry[]) => entries.map((entry) => entry.type);

describe('a run', () => {
  test('is on the disk entry by entry, and the next run reads it', () => {
    const disk = memoryDisk();
    const first = opened(disk);
    expect(first.previous).toEqual([]);
    expect(namesOf(entriesOf(disk))).toEqual(['begin']);
    const n = first.intent(WRITE);
    expect(entriesOf(disk).at(-1)).toMatchObject({ type: 'intent', n, run: 'r1', live_id: null, at: NOW });
    first.outcome(n, { status: 'done', liveId: 't_1' });
    first.stored('things.a', 't_1');
    first.resolved('things.b', 'absent');
    first.end('done');
    first.close();
    first.close();
    const names = ['begin', 'intent', 'outcome', 'stored', 'resolved', 'end'];
    expect(namesOf(entriesOf(disk))).toEqual(names);
    expect([...disk.content.keys()]).toEqual([PATH]);
    const second = opened(disk, { run: 'r2' });
    expect(namesOf(second.previous)).toEqual(names);
    expect(second.intent(WRITE)).toBe(1);
    expect([...replayJournal(entriesOf(disk)).ids]).toEqual([['t_1', 'things.a']]);
    expect(disk.effects.filter((effect) => effect === 'atomic')).toHaveLength(1);
  });

  test('holds no body', () => {
    const disk = memoryDisk();
    opened(disk).intent({ ...WRITE, body: { secret: 'canary-42' } });
    opened(disk, { run: 'r2', pid: 2 }).intent({ ...WRITE, method: 'DELETE', path: '/things/t_1', liveId: 't_1' });
    expect(disk.content.get(PATH)).not.toContain('canary');
  });

  test.each([{ stack: 'other' }, { service: 'https://elsewhere.example.com/' }])('of something else: %o', (more) => {
    const disk = memoryDisk();
    const first = opened(disk);
    first.intent(WRITE);
    first.close();
    const before = disk.content.get(PATH);
    const { value, diagnostics } = openJournal(options(disk, more));
    expect([value, diagnostics[0]?.code]).toEqual([undefined, 'journal-mismatch']);
    expect(diagnostics[0]?.message).toContain(Object.values(more)[0]);
    expect([...disk.content]).toEqual([[PATH, before]]);
  });

  test('that wrote nothing binds the journal to nothing, and one that noted something does', () => {
    const disk = memoryDisk();
    const mistyped = opened(disk, { run: 'r0', service: 'https://mistyped.example.com/' });
    mistyped.end('1');
    mistyped.close();
    const right = opened(disk, { run: 'r1' });
    right.resolved('things.a', { id: 't_1' });
    right.close();
    const { diagnostics } = openJournal(options(disk, { run: 'r2', service: 'https://mistyped.example.com/' }));
    expect(diagnostics[0]?.code).toBe('journal-mismatch');
    expect(openJournal(options(disk, { run: 'r3' })).diagnostics).toEqual([]);
  });

  test.each([
    ['https://a.test/v1', 'https://a.test/v1/'],
    ['https://a.test/v1//', 'https://a.test/v1'],
    ['https://a.test', 'https://a.test/'],
  ])('of %s is one of %s', (one, other) => {
    const disk = memoryDisk();
    const first = opened(disk, { service: one });
    first.intent(WRITE);
    first.close();
    expect(openJournal(options(disk, { run: 'r2', service: other })).diagnostics).toEqual([]);
  });

  test('with a damaged journal does not begin, and leaves the file as it is', () => {
    const disk = memoryDisk(new Map([[PATH, '']]));
    expect(openJournal(options(disk)).diagnostics[0]?.code).toBe('journal-damaged');
    expect([...disk.content]).toEqual([[PATH, '']]);
  });

  test('after a torn line puts the file in order', () => {
    const disk = memoryDisk();
    opened(disk).close();
    disk.content.set(PATH, `${disk.content.get(PATH)}{"c":"abc`);
    const { value, diagnostics } = openJournal(options(disk, { run: 'r2' }));
    expect(diagnostics.map((one) => one.code)).toEqual(['journal-torn']);
    value?.end('done');
    expect(namesOf(entriesOf(disk))).toEqual(['begin', 'begin', 'end']);
  });

  test('makes a large journal small, and an ordinary one is only appended to', () => {
    const many = Array.from({ length: 5000 }, (_, at) => [intent('r0', at + 1), outcome(at + 1, 'rejected')]);
    const entries = [begin('r0'), ...many.flat(), intent('r0', 9000)];
    const disk = memoryDisk(new Map([[PATH, encodeJournal(entries).text]]));
    const journal = opened(disk);
    expect(journal.previous).toHaveLength(entries.length);
    expect(namesOf(entriesOf(disk))).toEqual(['begin', 'intent', 'begin']);
    expect(replayJournal(entriesOf(disk)).open).toEqual(replayJournal(journal.previous).open);
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

  test('of a process that has ended is taken over, without a trace', () => {
    const disk = memoryDisk();
    holder(disk);
    const journal = opened(disk, { run: 'r2' });
    expect([...disk.content.keys()].sort()).toEqual([PATH, LOCK]);
    expect(disk.content.get(LOCK)).toContain('"pid":1,');
    journal.close();
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

  test('that somebody else has taken meanwhile is left to them', () => {
    const disk = memoryDisk();
    const journal = opened(disk);
    disk.content.set(LOCK, 'theirs');
    journal.close();
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

const RUN = (journal: Journal) => {
  for (const address of ['things.a', 'things.b']) {
    const n = journal.intent({ ...WRITE, address });
    journal.outcome(n, { status: 'done', liveId: `t_${address}` });
  }
  journal.end('done');
  journal.close();
};

describe('at every effect', () => {
  test.each(['before', 'torn', 'after'])(
    'the process is killed (%s): the next run reads all that was finished',
    (when) => {
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
          RUN({ ...journal, outcome: (n, what) => (journal.outcome(n, what), void finished.push(what.liveId!)) });
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
        const { ids, open } = replayJournal(next.value!.previous);
        expect([...ids.keys()]).toEqual(expect.arrayContaining(finished));
        expect(ids.size + open.size).toBeGreaterThanOrEqual(finished.length);
        next.value!.close();
        expect(disk.content.has(LOCK)).toBe(false);
        if (!isKilled) return;
      }
    },
  );

  test.each([
    ['once', 1],
    ['twice', 2],
    ['from then on', Infinity],
  ])('the disk fails (%s): nothing known is lost, and nothing is said to be sent that was not', (_, times) => {
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
      const attempt = (work: () => void) => {
        try {
          work();
        } catch (error) {
          expect(error).toMatchObject({ code: 'ENOSPC' });
        }
      };
      for (const id of ['t_1', 't_2', 't_3']) {
        attempt(() => {
          const n = journal.intent({ ...WRITE, address: `things.${id}` });
          sent.push(id);
          journal.outcome(n, { status: 'done', liveId: id });
        });
      }
      const shown = journal.unsaved().flatMap((entry) => (entry.type === 'outcome' ? [entry.live_id] : []));
      const { value = [] } = parseJournal(disk.content.get(PATH)!);
      const saved = [...replayJournal(value).ids.keys()];
      expect([...saved, ...shown].sort(), `at effect ${at}`).toEqual(sent);
      expect(journal.unsaved().some((entry) => entry.type === 'intent')).toBe(false);
      const open = [...replayJournal(value).open.values()].map((one) => one.intent.address.slice('things.'.length));
      expect(open, `at effect ${at}`).toEqual(sent.filter((id) => shown.includes(id) && !saved.includes(id)));
      if (times === 1) expect(shown.length === 0 || sent.at(-1) === shown[0]).toBe(true);
      if (failures === 0) return;
    }
  });
});

describe('on a real disk', () => {
  const inFolder = (work: (folder: string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), 'edgeform-journal-'));
    try {
      work(folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };

  test('a run, a takeover and a second run leave one file for its owner only', () => {
    inFolder((folder) => {
      const path = join(folder, 'j.jsonl');
      const { pid } = spawnSync(process.execPath, ['-e', '']);
      const real = { path, ...thisProcess() };
      opened({ files: nodeFiles }, { ...real, pid });
      const journal = opened({ files: nodeFiles }, { ...real, run: 'r2' });
      expect(openJournal(options({ files: nodeFiles }, { ...real, run: 'r3' })).diagnostics[0]?.code).toBe(
        'journal-locked',
      );
      RUN(journal);
      expect(readdirSync(folder)).toEqual(['j.jsonl']);
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(opened({ files: nodeFiles }, { ...real, run: 'r4' }).previous).toHaveLength(7);
    });
  });

  test('a folder that is not there is noticed before anything else', () => {
    inFolder((folder) => {
      const path = join(folder, 'none/j.jsonl');
      expect(() => opened({ files: nodeFiles }, { path })).toThrow(FileError);
    });
  });
});

describe('values of fixed forms', () => {
  test('an entry with a value of another form is refused, kept, and does not stop those after it', () => {
    const disk = memoryDisk();
    const journal = opened(disk);
    const first = journal.intent(WRITE);
    expect(() => {
      journal.outcome(first, { status: 'done', liveId: 'hunter 2' });
    }).toThrow(/another form at live_id/);
    expect(() => journal.intent({ ...WRITE, path: '/things?key=hunter2' })).toThrow(/another form at path/);
    expect(() => journal.intent({ ...WRITE, address: 'a b' })).toThrow(/another form at address/);
    const second = journal.intent(WRITE);
    journal.outcome(second, { status: 'done', liveId: 't_2' });
    journal.end('0');
    expect(namesOf(entriesOf(disk))).toEqual(['begin', 'intent', 'intent', 'outcome', 'end']);
    expect(journal.unsaved()).toEqual([outcome(first, 'done', 'hunter 2')]);
  });
});
