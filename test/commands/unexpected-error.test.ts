// What is said of errors that nobody expected.

import { expect, test } from 'vitest';
import { BugError } from '../../src/core/diagnostic.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { unexpectedError } from '../../src/commands/shell/unexpected-error.ts';

const DATA = 'hunter2-of-the-user';

/** An error as it is thrown by code of ours, of the platform, or of a library. */
function thrown(error: Error): Error {
  error.stack = `${error.name}: ${error.message}\n    at Object.parse (node:internal/x:1:2)\n    at async run (file:///usr/lib/edgeform/dist/plan/build.js:33:7)\n    at main (/usr/lib/edgeform/dist/cli.js:1:1)`;
  return error;
}

function wrongJson(): Error {
  try {
    JSON.parse(DATA);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('that is JSON');
}

const TABLE: readonly { readonly name: string; readonly error: unknown; readonly said: string }[] = [
  {
    name: 'ours',
    error: new BugError('a secret and a reference are mixed'),
    said: 'a secret and a reference are mixed',
  },
  {
    name: 'of our code',
    error: thrown(new TypeError("Cannot read properties of undefined (reading 'id')")),
    said: "TypeError: Cannot read properties of undefined (reading 'id'), at plan/build.js:33",
  },
  { name: 'that quotes what was parsed', error: thrown(wrongJson()), said: 'SyntaxError, at plan/build.js:33' },
  {
    name: 'of a file',
    error: thrown(Object.assign(new Error(`ENOENT: no such file, open '/home/${DATA}'`), { code: 'ENOENT' })),
    said: 'Error ENOENT, at plan/build.js:33',
  },
  {
    name: 'of the platform',
    error: thrown(Object.assign(new TypeError(`Received '${DATA}'`), { code: 'ERR_INVALID_ARG_TYPE' })),
    said: 'TypeError ERR_INVALID_ARG_TYPE, at plan/build.js:33',
  },
  {
    name: 'with a name that is data',
    error: Object.assign(thrown(new Error('')), { name: `${DATA}!` }),
    said: 'Error, at plan/build.js:33',
  },
  { name: 'that is none', error: DATA, said: 'a value was thrown that is not an error' },
];

test.each(TABLE)('an error $name', ({ error, said }) => {
  const [diagnostic] = unexpectedError(error).diagnostics;
  expect(diagnostic?.message).toBe(`internal error: ${said}`);
});

test('words of ours are bounded, and hold no secret, nor half of one where they are cut', () => {
  new Secret('hunter2-of-the-run');
  const message = unexpectedError(new BugError(`x hunter2-of-the-run ${'y'.repeat(1_000)}`)).message;
  expect(message).toContain('x (sensitive) yyy');
  expect(message.length).toBeLessThan(400);
  expect(unexpectedError(new BugError(`${'y'.repeat(290)} hunter2-of-the-run`)).message).not.toContain('hunter2');
});
