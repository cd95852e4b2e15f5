// A command that a message prints works as it stands. What needs the manifest of the run, its fleet or its journal is never printed as a
// command, because the message does not know how they were named: it names the flag for the next run.

import { expect, test } from 'vitest';
import { sources } from '../support/source-tree.ts';

/** Commands that need nothing that a run may have named otherwise, and what only says where a file comes from. */
const ALONE = ['explain', 'schema', 'sessions list', 'init', 'import terraform', 'plan --out', 'fmt', 'validate'];
/** Texts about no run. */
const GENERAL = [
  'core/codes.ts',
  'manifest.ts',
  'schema/policy-schema.ts',
  'schema/hints.ts',
  'render/scaffold/starter.ts',
  'commands/options/field-help.ts',
];

test('no message prints a command that lacks what the run was given', () => {
  const printed = sources
    .filter(({ path }) => !GENERAL.includes(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/\\?`edgeform ([a-z-]+(?: (?:--)?[a-z-]+)?)/g)].map(([, command = '']) => ({ path, command })),
    );
  expect(printed.length).toBeGreaterThan(3);
  expect(printed.filter(({ command }) => !ALONE.some((one) => command.startsWith(one)))).toEqual([]);
});
