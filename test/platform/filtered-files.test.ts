// Files behind the filter: what we read back is written whole or not at all, and other texts are masked.

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../src/core/secrets/secret.ts';
import { FileError } from '../../src/platform/file-error.ts';
import type { Files } from '../../src/platform/files.ts';
import { beginRun } from '../../src/platform/filter.ts';
import { platformOf } from '../../src/reconcile/platform.ts';
import { memoryDisk } from '../journal/sample.ts';

const SECRET = 'probe-secret-7741';
let run: ReturnType<typeof beginRun>;
let written: string[];
let files: Files;

beforeEach(() => {
  run = beginRun();
  new Secret(SECRET);
  written = [];
  files = {
    ...memoryDisk().files,
    createPrivate: (_, text) => void written.push(text),
    writeAtomic: (_, text) => void written.push(text),
    createExclusive: (_, text) => written.push(text) > 0,
    openSink: () =>
      ({ write: (text: string) => void written.push(text), close: () => Promise.resolve() }) as unknown as ReturnType<
        Files['openSink']
      >,
  };
});

function failureOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

afterEach(() => {
  run.end();
});

describe('a file that is read back', () => {
  test.each([
    { name: 'without a secret is written byte for byte', text: '{"a": "b"}\n' },
    { name: 'that is empty is written', text: '' },
  ])('$name', ({ text }) => {
    platformOf({ files }).files.writeAtomic('/p', text);
    expect(written).toEqual([text]);
  });

  test.each([
    { name: 'with a secret', text: JSON.stringify({ a: { b: SECRET } }) },
    { name: 'with a secret among other words', text: JSON.stringify({ a: `x ${SECRET} y` }) },
    { name: 'with a secret in a text that is no JSON', text: `x ${SECRET}` },
  ])('$name is not written at all, and the failure does not say what', ({ text }) => {
    const error = failureOf(() => platformOf({ files }).files.writeAtomic('/p', text));
    expect(error).toBeInstanceOf(FileError);
    expect([String(error), written]).toEqual([expect.stringContaining('would hold a secret'), []]);
    expect(String(error)).not.toContain(SECRET);
  });

  test('is read as it is', () => {
    const bare = memoryDisk(new Map([['/p', SECRET]])).files;
    expect(platformOf({ files: bare }).files.read('/p')).toBe(SECRET);
  });
});

describe('a file that people read', () => {
  test.each([
    {
      name: 'that takes the place of another',
      write: (text: string) => {
        platformOf({ files }).textFiles.writeAtomic('/p', text, 0o644);
      },
    },
    {
      name: 'that grows',
      write: (text: string) => {
        platformOf({ files }).textFiles.openSink('/p').write(text);
      },
    },
  ])('$name has a mask in place of a secret, and that is remembered', ({ write }) => {
    write(`one ${SECRET} two\n`);
    expect(written[0]).toMatch(/^one .*sensitive.* two\n$/);
    expect(written[0]).not.toContain(SECRET);
    expect(run.heldBack()).toBe(true);
  });

  test('without a secret is as it was, and nothing is remembered', () => {
    platformOf({ files }).textFiles.writeAtomic('/p', 'one two\n', 0o644);
    expect([written, run.heldBack()]).toEqual([['one two\n'], false]);
  });
});

test('no way leads around the filter', () => {
  expect(Object.keys(platformOf({ files }).files).sort()).toEqual([
    'exists',
    'namesIn',
    'prepareDirectory',
    'read',
    // It writes nothing.
    'remove',
    'writeAtomic',
  ]);
  expect(Object.keys(platformOf({ files }).textFiles).sort()).toEqual(['createExclusive', 'openSink', 'writeAtomic']);
});

test('a new file for people is masked, too', () => {
  expect(platformOf({ files }).textFiles.createExclusive('/new', `x ${SECRET}`)).toBe(true);
  expect(written.join('')).not.toContain(SECRET);
});
