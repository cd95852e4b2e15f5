// Which entries --only names.

import { expect, test } from 'vitest';
import { namesLike } from '../../src/fleet/select.ts';
import { isLike, isPathLike } from '../../src/core/text/glob.ts';

const NAMES = ['network', 'shop-prod', 'shop-staging', 'constructor'];

test.each([
  [[], NAMES],
  [['shop-*'], ['shop-prod', 'shop-staging']],
  [
    ['*-prod', 'network'],
    ['network', 'shop-prod'],
  ],
  [['?etwork'], ['network']],
  [['constructor'], ['constructor']],
])('%j', (patterns, found) => {
  expect(namesLike(NAMES, patterns)).toEqual({ value: found, diagnostics: [] });
});

test('each pattern that names nothing is an error', () => {
  const { value, diagnostics } = namesLike(NAMES, ['netwerk', 'shop-*', 'x*', '__proto__']);
  expect(value).toBeUndefined();
  expect(diagnostics.map(({ message, fix }) => [message, fix])).toEqual([
    ['--only "netwerk" matches no entry of the fleet', 'did you mean "network"?'],
    ['--only "x*" matches no entry of the fleet', '`edgeform fleet list` shows the entries'],
    ['--only "__proto__" matches no entry of the fleet', '`edgeform fleet list` shows the entries'],
  ]);
});

test('a pattern of many wildcards ends soon', () => {
  expect(isLike('a'.repeat(5_000), `${'*a'.repeat(500)}*b`)).toBe(false);
  expect(isPathLike(`${'a/'.repeat(500)}x`, `${'**/a/'.repeat(100)}y`)).toBe(false);
});
