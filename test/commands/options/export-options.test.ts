// What an export holds: exactly one flag selects objects, and a name is only given to what no stack owns.

import { expect, test } from 'vitest';
import { exportScope } from '../../../src/commands/options/export-options.ts';
import { readSettings } from '../../../src/commands/options/settings.ts';
import { Failure } from '../../../src/core/failure.ts';

test.each([
  { flags: { exportedStack: 'shop' }, scope: { of: 'stack', stack: 'shop' } },
  { flags: { unmanaged: true }, scope: { of: 'unmanaged', stack: 'imported' } },
  { flags: { all: true, exportName: 'found' }, scope: { of: 'all', stack: 'found' } },
])('$flags', ({ flags, scope }) => {
  expect(exportScope(readSettings(flags, {}))).toEqual(scope);
});

test.each([
  {},
  { exportedStack: 'shop', all: true },
  { unmanaged: true, all: true },
  { exportedStack: 'shop', exportName: 'found' },
  { all: true, exportName: 'No Name' },
])('%j is wrong usage', (flags) => {
  expect(() => exportScope(readSettings(flags, {}))).toThrow(Failure);
});
