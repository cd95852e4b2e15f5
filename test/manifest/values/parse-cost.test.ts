// What reading a file costs begins anew with each file.

import { expect, test } from 'vitest';
import { parseDocuments } from '../../../src/manifest/text/parse.ts';
import { NO_COST } from '../../../src/manifest/values/parse-cost.ts';

test('reading a file leaves nothing for the next one to pay', () => {
  const before = { ...NO_COST };
  const broken = 'a: &x 1\nb: [*x, *x]\nc: d: e\n';
  const [first] = parseDocuments('a.yaml', broken);
  const [second] = parseDocuments('b.yaml', broken);
  expect(first.recomposed).toBeGreaterThan(0);
  expect(second.recomposed).toBe(first.recomposed);
  expect(NO_COST).toEqual(before);
});
