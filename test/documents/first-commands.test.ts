// The two commands that do everything on a fresh machine stand before anything else, and the gate runs the same tests.

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the README begins with the demo and the tests, and the gate installs and tests the same way', () => {
  const [, block = ''] = /^# edgeform\n\n```sh\n([^`]*)```\n/.exec(readFileSync('README.md', 'utf8')) ?? [];
  const commands = block
    .trimEnd()
    .split('\n')
    .map((line) => line.split('#')[0]?.trimEnd());
  expect(commands).toEqual(['npm ci && npm run demo', 'npm ci && npm test']);
  const gate = readFileSync('.ci/run', 'utf8');
  expect(gate).toMatch(/^npm ci /m);
  expect(gate).toMatch(/^npm test /m);
});
