// Failures of files as problems: what is said of them, and how the run ends.

import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { FileError, HOLDS_SECRET, UNEXPECTED_VALUE } from '../../src/platform/file-error.ts';
import { failOnFileError, fileDiagnostic } from '../../src/platform/problem.ts';

test.each([
  {
    name: 'a file that cannot be read',
    error: new FileError('/a', 'EACCES', 'read'),
    code: 'file-unreadable',
    says: /"\/a" could not be read: .*permission/,
  },
  {
    name: 'a disk that is full',
    error: new FileError('/a', 'ENOSPC'),
    code: 'output-failed',
    says: /written: there is no space/,
  },
  {
    name: 'a file that cannot be removed',
    error: new FileError('/a', 'EROFS', 'removed'),
    code: 'output-failed',
    says: /could not be removed/,
  },
  { name: 'a code without words', error: new FileError('/a', 'EWHAT'), code: 'output-failed', says: /EWHAT/ },
  {
    name: 'a secret that was held back',
    error: new FileError('/a', `${HOLDS_SECRET} at x`),
    code: 'secret-held-back',
    says: /hold a secret at x/,
  },
  {
    name: 'a value of another form',
    error: new FileError('/a', UNEXPECTED_VALUE),
    code: 'output-failed',
    says: /another form/,
  },
  {
    name: 'a path with a line break',
    error: new FileError('/a\nb', 'ENOENT', 'read'),
    code: 'file-unreadable',
    says: /^"\/a\\nb"/,
  },
])('$name is told with what to do', ({ error, code, says }) => {
  const problem = fileDiagnostic(error);
  expect(problem).toMatchObject({ code, severity: 'error', message: expect.stringMatching(says) });
  expect(problem.fix).toMatch(/\w+/);
});

describe('work on a file', () => {
  const failing = (error: Error) => () =>
    failOnFileError(() => {
      throw error;
    });

  test('gives what it gives', () => {
    expect(failOnFileError(() => 7)).toBe(7);
  });

  test.each([
    { name: 'that cannot be read ends the run as its input', verb: 'read', outcome: 'invalid' },
    { name: 'that cannot be written ends it as its output', verb: 'written', outcome: 'output' },
    { name: 'that cannot be removed ends it as its output', verb: 'removed', outcome: 'output' },
  ] as const)('$name', ({ verb, outcome }) => {
    const work = failing(new FileError('/a', 'EACCES', verb));
    expect(work).toThrow(Failure);
    expect(work).toThrow(expect.objectContaining({ outcome }));
  });

  test('that fails by a mistake of ours fails as that', () => {
    const bug = new TypeError('a mistake');
    expect(failing(bug)).toThrow(bug);
  });
});
