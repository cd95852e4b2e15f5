// One run at a time: who gets the lock, whose lock is taken over, and whose never.

import { basename, dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeLock } from '../../src/journal/lock.ts';
import { memoryDisk } from './sample.ts';

type LockOwner = Parameters<typeof takeLock>[2];

const PATH = 'x.lock';
const ALIVE = 1;
const ENDED = 2;

const owner = (pid: number, given: Partial<LockOwner> = {}): LockOwner => ({
  pid,
  birth: `born ${pid}`,
  host: 'here',
  bootId: 'boot1',
  run: `run${pid}`,
  since: '2030-01-01T00:00:00Z',
  isAlive: (one, birth) => one === ALIVE && birth === 'born 1',
  ...given,
});
const ME = owner(9);

/** The text of a lock as its owner writes it. */
function textOf(holder: LockOwner): string {
  const { files, content } = memoryDisk();
  takeLock(PATH, files, holder);
  return content.get(PATH) ?? '';
}

describe('a lock that is there', () => {
  test.each<readonly [string, string, boolean]>([
    ['of a process that runs', textOf(owner(ALIVE)), false],
    ['of a process that has ended', textOf(owner(ENDED)), true],
    ['of a process whose number another one has by now', textOf(owner(ALIVE, { birth: 'born before' })), true],
    ['of another machine', textOf(owner(ENDED, { host: 'there' })), false],
    ['of this machine before it was started anew', textOf(owner(ENDED, { bootId: 'boot0' })), false],
    ['that names nobody', '{}', false],
    ['that is no JSON', 'pid 2', false],
    ['that is empty', '', false],
    ['with a number as text', textOf(owner(ENDED)).replace('"pid":2', '"pid":"2"'), false],
  ])('%s', (_, text, isTaken) => {
    const { files, content } = memoryDisk(new Map([[PATH, text]]));
    const { value, diagnostics } = takeLock(PATH, files, ME);
    expect(value !== undefined).toBe(isTaken);
    expect(diagnostics.map(({ code }) => code)).toEqual(isTaken ? [] : ['journal-locked']);
    expect(content.get(PATH)).toBe(isTaken ? textOf(ME) : text);
    expect([...content.keys()]).toEqual([PATH]);
  });

  test('its holder is named, with a path and a host that cannot break the line', () => {
    const { files } = memoryDisk(new Map([['a\nb', textOf(owner(ALIVE, { host: 'x\ny' }))]]));
    const message = takeLock('a\nb', files, ME).diagnostics[0]?.message ?? '';
    expect(message).toContain('process 1');
    expect(message).not.toContain('\n');
  });
});

describe('release', () => {
  test('gives the lock back, and another run gets it', () => {
    const { files, content } = memoryDisk();
    takeLock(PATH, files, ME).value?.();
    expect(content.size).toBe(0);
    expect(takeLock(PATH, files, owner(8)).value).toBeDefined();
  });

  test('leaves what is not its own any more', () => {
    const { files, content } = memoryDisk();
    const mine = takeLock(PATH, files, ME).value;
    content.set(PATH, textOf(owner(8)));
    mine?.();
    expect(content.get(PATH)).toBe(textOf(owner(8)));
  });

  test('is nothing the second time', () => {
    const { files, content } = memoryDisk();
    const mine = takeLock(PATH, files, ME).value;
    mine?.();
    mine?.();
    expect(content.size).toBe(0);
  });
});

describe('a takeover', () => {
  const old = textOf(owner(ENDED));

  test('has a name that fits where that of the lock does', () => {
    const path = `folder/${'j'.repeat(250)}.lock`;
    const disk = memoryDisk(new Map([[path, old]]));
    const names = new Set<string>();
    disk.before = (effect, at) => {
      if (effect === 'create') names.add(at);
    };
    expect(takeLock(path, disk.files, ME).value).toBeDefined();
    const [taken, cleared = ''] = names;
    expect([taken, dirname(cleared), names.size]).toEqual([path, 'folder', 2]);
    expect(basename(cleared).length).toBeLessThan(40);
  });

  test('that another run is in the middle of is left to it', () => {
    const disk = memoryDisk(new Map([[PATH, old]]));
    disk.before = (effect, path) => {
      // Another run has the right to take it over, and lives.
      if (effect === 'create' && path !== PATH) disk.content.set(path, textOf(owner(ALIVE)));
    };
    expect(takeLock(PATH, disk.files, ME).value).toBeUndefined();
    expect(disk.content.get(PATH)).toBe(old);
  });

  test('whose own process has ended is taken over as well', () => {
    const disk = memoryDisk(new Map([[PATH, old]]));
    let isFirst = true;
    disk.before = (effect, path) => {
      if (effect === 'create' && path !== PATH && isFirst) {
        isFirst = false;
        disk.content.set(path, textOf(owner(ENDED, { run: 'crashed' })));
      }
    };
    expect(takeLock(PATH, disk.files, ME).value).toBeDefined();
    expect([...disk.content]).toEqual([[PATH, textOf(ME)]]);
  });

  test('does not remove the lock of a run that was faster', () => {
    const disk = memoryDisk(new Map([[PATH, old]]));
    disk.before = (effect, path) => {
      if (effect === 'create' && path !== PATH) disk.content.set(PATH, textOf(owner(ALIVE)));
    };
    expect(takeLock(PATH, disk.files, ME).value).toBeUndefined();
    expect([...disk.content]).toEqual([[PATH, textOf(owner(ALIVE))]]);
  });

  test('of a takeover of a takeover ends', () => {
    const disk = memoryDisk(new Map([[PATH, old]]));
    disk.before = (effect, path) => {
      if (effect === 'create' && path !== PATH) disk.content.set(path, textOf(owner(ENDED)));
    };
    expect(takeLock(PATH, disk.files, ME).value).toBeUndefined();
    expect(disk.content.get(PATH)).toBe(old);
  });
});
