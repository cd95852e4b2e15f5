// Files on a real disk: modes, symbolic links, names that are taken, and disks that are full or may not be written.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileError } from '../../src/platform/file-error.ts';
import { nodeFiles as files } from '../../src/platform/files.ts';
import { thisProcess } from '../../src/platform/process-identity.ts';
import { readText } from '../../src/platform/read.ts';
import { writeNew } from '../../src/platform/shared.ts';

const SECRET = 'probe-content-42';
let folder = '';
const at = (name: string) => join(folder, name);
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const textOf = (path: string) => readFileSync(path, 'utf8');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'edgeform-files-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** The error of what must fail; it says neither content nor more than path and code. */
function failureOf(work: () => unknown): FileError {
  try {
    work();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(SECRET);
    return error;
  }
  throw new Error('it did not fail');
}

const writers = {
  writeAtomic: files.writeAtomic,
  writeOnce: files.createPrivate,
  createExclusive: files.createExclusive,
};

describe.each(Object.entries(writers))('%s', (_, write) => {
  test('makes a file for its owner only, and leaves nothing else', () => {
    write(at('a'), SECRET);
    expect([textOf(at('a')), modeOf(at('a')), readdirSync(folder)]).toEqual([SECRET, '600', ['a']]);
  });

  test('takes every name that a file can have', () => {
    write(at('n'.repeat(255)), SECRET);
    expect(readdirSync(folder)).toEqual(['n'.repeat(255)]);
  });

  test('says the code and the path when there is no folder', () => {
    const { code, path, message } = failureOf(() => write(at('none/a'), SECRET));
    expect([code, path]).toEqual(['ENOENT', at('none/a')]);
    expect(message).toBe(`${JSON.stringify(at('none/a'))} could not be written (ENOENT)`);
  });

  test.skipIf(process.getuid?.() === 0)('fails in a folder that may not be written', () => {
    chmodSync(folder, 0o500);
    const { code } = failureOf(() => write(at('a'), SECRET));
    chmodSync(folder, 0o700);
    expect([code, readdirSync(folder)]).toEqual(['EACCES', []]);
  });
});

describe('a name that is taken', () => {
  beforeEach(() => {
    writeFileSync(at('old'), 'old\n', { mode: 0o644 });
    symlinkSync(at('old'), at('link'));
    symlinkSync(at('nowhere'), at('dangling'));
  });

  test('by a file with mode 0644: replaced, it is for its owner only', () => {
    files.writeAtomic(at('old'), 'whole');
    expect([textOf(at('old')), modeOf(at('old'))]).toEqual(['whole', '600']);
  });

  test('by a file: not made again', () => {
    expect(failureOf(() => files.createPrivate(at('old'), SECRET)).code).toBe('EEXIST');
    expect(files.createExclusive(at('old'), SECRET)).toBe(false);
    expect(textOf(at('old'))).toBe('old\n');
  });

  test.each(['link', 'dangling'])('by a symbolic link (%s): never followed to write', (name) => {
    expect(failureOf(() => files.createPrivate(at(name), SECRET)).code).toBe('EEXIST');
    expect(files.createExclusive(at(name), SECRET)).toBe(false);
    expect(files.exists(at(name))).toBe(true);
    expect(failureOf(() => files.writeAtomic(at(name), SECRET)).code).toBe('a symbolic link');
    expect([textOf(at('old')), existsSync(at('nowhere'))]).toEqual(['old\n', false]);
    expect(readdirSync(folder).sort()).toEqual(['dangling', 'link', 'old']);
  });

  test('by a folder: a failure that leaves nothing', () => {
    mkdirSync(at('folder'));
    expect(failureOf(() => files.writeAtomic(at('folder'), SECRET)).code).toBe('EISDIR');
    expect(readdirSync(folder).sort()).toEqual(['dangling', 'folder', 'link', 'old']);
  });
});

describe('read, exists, remove', () => {
  test('what is not there', () => {
    expect([files.read(at('a')), files.exists(at('a'))]).toEqual([undefined, false]);
    files.remove(at('a'));
  });

  test('what is there, also when it is no UTF-8', () => {
    writeFileSync(at('a'), Buffer.from([0x61, 0xff, 0x0a]));
    expect([files.read(at('a')), files.exists(at('a'))]).toEqual(['a\ufffd\n', true]);
    files.remove(at('a'));
    expect(readdirSync(folder)).toEqual([]);
  });

  test('what is larger than asked for is a failure, and never read whole', () => {
    writeFileSync(at('a'), 'x'.repeat(100_000));
    expect(failureOf(() => readText(at('a'), { maxBytes: 99_999 })).code).toBe('too large');
    expect(readText(at('a'), { maxBytes: 100_000 })).toHaveLength(100_000);
  });

  test('what is no file is a failure, not an absence, and never waited for', () => {
    expect(failureOf(() => files.read(folder)).message).toContain('could not be read (not a regular file)');
    expect(failureOf(() => files.remove(folder)).message).toContain('could not be removed');
    if (spawnSync('mkfifo', [at('pipe')]).status !== 0) return;
    expect(failureOf(() => files.read(at('pipe'))).code).toBe('not a regular file');
  });
});

test.skipIf(!existsSync('/dev/full'))('a full disk is a failure with its code', async () => {
  const mode = modeOf('/dev/full');
  const appender = files.openAppender('/dev/full');
  await expect(appender.append(SECRET)).rejects.toMatchObject({ name: 'FileError', path: '/dev/full', code: 'ENOSPC' });
  appender.close();
  expect(modeOf('/dev/full')).toBe(mode);
});

test('an appender adds to no file that a link leads to', async () => {
  symlinkSync(at('a'), at('link'));
  await expect(files.openAppender(at('link')).append(SECRET)).rejects.toThrow();
  expect(existsSync(at('a'))).toBe(false);
});

describe('a sink', () => {
  test.each(['a', 'link'])('adds to what is there, and gives its size: %s', (name) => {
    writeFileSync(at('a'), 'old\n');
    symlinkSync(at('a'), at('link'));
    const sink = files.openSink(at(name));
    sink.write('new\n');
    expect([sink.size, sink.end(), textOf(at('a'))]).toEqual([4, undefined, 'old\nnew\n']);
  });

  test('is no pipe, whether read or not', () => {
    if (spawnSync('mkfifo', [at('pipe')]).status !== 0) return;
    const reader = openSync(at('pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
    expect(failureOf(() => files.openSink(at('pipe'))).code).toBe('a pipe');
    symlinkSync(`/proc/self/fd/${reader}`, at('descriptor'));
    expect(failureOf(() => files.openSink(at('descriptor'))).code).toBe('a pipe');
    closeSync(reader);
  });

  test.skipIf(!existsSync('/dev/full'))('writes nothing after a failure, and tells the first', () => {
    const sink = files.openSink('/dev/full');
    sink.write('a');
    sink.write('b');
    expect(sink.end()?.code).toBe('ENOSPC');
  });
});

describe('prepareDirectory', () => {
  test('makes all folders on the way for their owner only, again without harm', () => {
    files.prepareDirectory(at('a/b'));
    files.prepareDirectory(at('a/b'));
    expect([modeOf(at('a')), modeOf(at('a/b')), readdirSync(at('a/b'))]).toEqual(['700', '700', []]);
  });

  test('refuses a symbolic link and a file', () => {
    mkdirSync(at('real'));
    symlinkSync(at('real'), at('link'));
    writeFileSync(at('file'), '');
    expect(failureOf(() => files.prepareDirectory(at('link'))).code).toBe('a symbolic link');
    expect(failureOf(() => files.prepareDirectory(at('file'))).code).toBe('EEXIST');
  });
});

test('files for others keep to what they promise', () => {
  writeNew(at('x/new'), 'a');
  expect([textOf(at('x/new')), failureOf(() => writeNew(at('x/new'), 'c')).code]).toEqual(['a', 'EEXIST']);
});

describe('thisProcess', () => {
  const me = thisProcess();

  test('this process is alive, and one that had its number before is not', () => {
    expect(me.isAlive(me.pid, me.birth)).toBe(true);
    expect(me.isAlive(me.pid, '')).toBe(true);
    if (me.birth !== '') expect(me.isAlive(me.pid, `${me.birth}0`)).toBe(false);
  });

  test('a process that has ended is not alive', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(me.isAlive(pid, '')).toBe(false);
  });
});
