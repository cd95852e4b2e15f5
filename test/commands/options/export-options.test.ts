// What an export holds: one flag selects objects, and --stack beside it names the new manifest.

import { expect, test } from 'vitest';
import { exportScope } from '../../../src/commands/options/export-options.ts';
import { readSettings } from '../../../src/commands/options/settings.ts';
import { Failure } from '../../../src/core/failure.ts';

const ALL = { kinds: [], names: [] };

test.each([
  { flags: { exportedStack: 'shop' }, scope: { of: 'stack', stack: 'shop', only: ALL } },
  { flags: { unmanaged: true }, scope: { of: 'unmanaged', stack: 'imported', only: ALL } },
  { flags: { all: true }, scope: { of: 'all', stack: 'imported', only: ALL } },
  { flags: { all: true, exportedStack: 'found' }, scope: { of: 'all', stack: 'found', only: ALL } },
  { flags: { unmanaged: true, exportedStack: 'found' }, scope: { of: 'unmanaged', stack: 'found', only: ALL } },
])('$flags', ({ flags, scope }) => {
  expect(exportScope(readSettings(flags, {}))).toEqual(scope);
});

test.each([{}, { unmanaged: true, all: true }, { all: true, exportedStack: 'No Name' }])(
  '%j is wrong usage',
  (flags) => {
    expect(() => exportScope(readSettings(flags, {}))).toThrow(Failure);
  },
);
