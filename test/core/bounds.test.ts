// Bounded texts of problems.

import { expect, test } from 'vitest';
import { truncateMiddle } from '../../src/core/bounds.ts';
import { Secret } from '../../src/core/secrets/secret.ts';

test('no half of a secret is left where a text is cut', () => {
  const secret = 'hunter2-at-the-edge';
  new Secret(secret);
  const most = 1_000;
  const before = 'x'.repeat(0.75 * most - 8);
  const behind = 'y'.repeat(0.25 * most - 8);
  expect(truncateMiddle(`${before}${secret}${'y'.repeat(most)}`, most)).not.toContain('hunter2');
  expect(truncateMiddle(`${'x'.repeat(most)}${secret}${behind}`, most)).not.toContain('edge');
});
