// Bounded texts of problems.

import { expect, test } from 'vitest';
import { MAX_TEXT, truncateMiddle } from '../../src/core/bounds.ts';
import { Secret } from '../../src/core/secrets/secret.ts';

test('no half of a secret is left where a text is cut', () => {
  const secret = 'hunter2-at-the-edge';
  new Secret(secret);
  const before = 'x'.repeat(0.75 * MAX_TEXT - 8);
  const behind = 'y'.repeat(0.25 * MAX_TEXT - 8);
  expect(truncateMiddle(`${before}${secret}${'y'.repeat(MAX_TEXT)}`)).not.toContain('hunter2');
  expect(truncateMiddle(`${'x'.repeat(MAX_TEXT)}${secret}${behind}`)).not.toContain('edge');
});
