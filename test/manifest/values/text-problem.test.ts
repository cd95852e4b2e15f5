import { expect, test } from 'vitest';
import type { StringField } from '../../../src/catalog/field.ts';
import { textProblem } from '../../../src/manifest/values/text-problem.ts';

const field = (facts: Partial<StringField>) => ({ type: 'string', doc: '', ...facts }) as StringField;
const LOWER = { regex: '^[a-z]+$', words: 'lower-case letters' };

test.each([
  { name: 'what fits', of: field({ values: ['eu', 'us'] }), text: 'eu', gives: undefined },
  { name: 'none of the allowed values', of: field({ values: ['eu', 'us'] }), text: 'EU', gives: 'wrong-value' },
  { name: 'the wrong form', of: field({ pattern: LOWER }), text: 'a1', gives: 'wrong-value' },
  { name: 'the right form', of: field({ pattern: LOWER }), text: 'ab', gives: undefined },
  { name: 'a blank that cannot be seen', of: field({ pattern: LOWER }), text: 'ab\u200b', gives: 'hidden-character' },
  { name: 'the longest text', of: field({ maxBytes: 3 }), text: 'äb', gives: undefined },
  { name: 'one byte more', of: field({ maxBytes: 3 }), text: 'äbc', gives: 'too-long' },
  { name: 'no text where one is required', of: field({ required: true }), text: '', gives: 'wrong-value' },
  { name: 'no text where none is required', of: field({}), text: '', gives: undefined },
  {
    name: 'too long is told before the form',
    of: field({ maxBytes: 3, pattern: LOWER }),
    text: 'ABCD',
    gives: 'too-long',
  },
])('$name', ({ of, text, gives }) => {
  expect(textProblem(of, text, 'it')?.code).toBe(gives);
});
