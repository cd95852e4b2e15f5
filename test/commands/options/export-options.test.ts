// What an export holds: exactly one flag selects objects, and a name is only given to what no stack owns.

import { expect, test } from 'vitest';
import { exportScope } from '../../../src/commands/options/export-options.ts';
import { Failure } from '../../../src/core/failure.ts';

test.each([
  { flags: { stack: 'shop' }, scope: { of: 'stack', stack: 'shop' } },
  { flags: { unmanaged: true }, scope: { of: 'unmanaged', stack: 'imported' } },
  { flags: { all: true, name: 'found' }, scope: { of: 'all', stack: 'found' } },
])('$flags', ({ flags, scope }) => {
  expect(exportScope(flags)).toEqual(scope);
});

test.each([
  {},
  { stack: 'shop', all: true },
  { unmanaged: true, all: true },
  { stack: 'shop', name: 'found' },
  { all: true, name: 'No Name' },
])('%j is wrong usage', (flags) => {
  expect(() => exportScope(flags)).toThrow(Failure);
});
