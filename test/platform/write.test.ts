// What is written to a real disk: whole files or none, for their owner only, and never through a link that nobody expects.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { codeOf } from '../../src/platform/file-error.ts';
import {
  createAppender,
  createFile,
  makeFolders,
  prepareFolder,
  removeFile,
  replaceFile,
  whyNotReplaceable,
} from '../../src/platform/write.ts';
import { folder as makeFolder } from '../support/cli.ts';

let there: string;
/** A file, a link to it, a link that leads nowhere, a folder with a link to it, and a pipe. */
beforeEach(() => {
  there = makeFolder({ file: 'old' });
  symlinkSync(at('file'), at('link'));
  symlinkSync(at('nowhere'), at('loose'));
  mkdirSync(at('folder'));
  symlinkSync(at('folder'), at('door'));
  execFileSync('mkfifo', [at('pipe')]);
});
const at = (...names: string[]) => join(there, ...names);
const textOf = (name: string) => readFileSync(at(name), 'utf8');
const modeOf = (name: string) => statSync(at(name)).mode & 0o777;
const names = () => readdirSync(there).sort();

function failing(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (error) {
    return codeOf(error);
  }
}

describe('a file that is replaced', () => {
  test.each([
    { name: 'that is there', target: 'file' },
    { name: 'that is not there', target: 'new' },
  ])('$name is whole, of its owner, and the only one left', ({ target }) => {
    const before = names();
    replaceFile(at(target), 'text');
    expect([textOf(target), modeOf(target)]).toEqual(['text', 0o600]);
    expect(names()).toEqual([...new Set([...before, target])].sort());
  });

  test.each([
    { name: 'a link', target: 'link', code: 'a symbolic link' },
    { name: 'a link that leads nowhere', target: 'loose', code: 'a symbolic link' },
    { name: 'a folder', target: 'folder', code: 'EISDIR' },
    { name: 'a pipe', target: 'pipe', code: 'not a regular file' },
  ])('is never $name, and nothing is left behind', ({ target, code }) => {
    const before = names();
    expect([
      whyNotReplaceable(at(target)),
      failing(() => {
        replaceFile(at(target), 'text');
      }),
      names(),
      textOf('file'),
    ]).toEqual([code, code, before, 'old']);
  });
});

describe('a new file', () => {
  test.each([
    { name: 'gets a free name', target: 'new', created: true },
    { name: 'does not get the name of a file', target: 'file', created: false },
    { name: 'does not get the name of a link that leads nowhere', target: 'loose', created: false },
    { name: 'does not get the name of a folder', target: 'folder', created: false },
  ])('$name', ({ target, created }) => {
    const before = names();
    expect(createFile(at(target), 'text')).toBe(created);
    expect([names(), textOf('file')]).toEqual([[...new Set([...before, target])].sort(), 'old']);
  });

  test('is of its owner unless somebody else may have it', () => {
    createFile(at('own'), 'x');
    createFile(at('shared'), 'x', { mode: 0o644 });
    expect([modeOf('own'), modeOf('shared') & 0o400]).toEqual([0o600, 0o400]);
  });
});

describe('what is added', () => {
  test('one after the other stands in the file that is at the path by then, for its owner only, and in no link', async () => {
    const { append, close } = createAppender(at('new'));
    await append('1');
    chmodSync(at('new'), 0o644);
    await append('2');
    expect([textOf('new'), modeOf('new')]).toEqual(['12', 0o600]);
    renameSync(at('new'), at('moved'));
    await append('3');
    replaceFile(at('new'), '4');
    await append('5');
    expect([textOf('moved'), textOf('new')]).toEqual(['12', '45']);
    rmSync(at('new'));
    symlinkSync(at('file'), at('new'));
    await expect(append('6')).rejects.toMatchObject({ code: 'ELOOP' });
    close();
    close();
    expect(textOf('file')).toBe('old');
  });
});

test.each([
  { name: 'a file goes', target: 'file' },
  { name: 'a link goes, and not what it leads to', target: 'link' },
  { name: 'a link that leads nowhere goes', target: 'loose' },
  { name: 'what is not there is no failure', target: 'new' },
])('$name', ({ target }) => {
  const before = names();
  removeFile(at(target));
  expect(names()).toEqual(before.filter((name) => name !== target));
});

describe('folders', () => {
  test('are made with those above them, and may be there', () => {
    makeFolders(at('a', 'b', 'c'), 0o700);
    makeFolders(at('a', 'b'), 0o755);
    expect([modeOf('a'), statSync(at('a', 'b', 'c')).isDirectory()]).toEqual([0o700, true]);
  });

  test.each([
    { name: 'a file stands in the way', path: ['file', 'a'], code: 'ENOTDIR' },
    { name: 'a link that leads nowhere does', path: ['loose', 'a'], code: 'ENOENT' },
  ])('are not made where $name', ({ path, code }) => {
    expect(
      failing(() => {
        makeFolders(at(...path), 0o700);
      }),
    ).toBe(code);
  });

  test.each([
    { name: 'a new one', target: 'new', code: 'done' },
    { name: 'one that is there', target: 'folder', code: 'done' },
    { name: 'a link to one', target: 'door', code: 'a symbolic link' },
    { name: 'a file', target: 'file', code: 'EEXIST' },
  ])('to write into may be $name: $code', ({ target, code }) => {
    expect(
      failing(() => {
        prepareFolder(at(target));
      }),
    ).toBe(code);
    if (code === 'done') expect(readdirSync(at(target))).toEqual([]);
  });
});
