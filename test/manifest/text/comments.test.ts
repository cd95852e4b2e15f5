// Where comments stand, as the formatter compares it: what it remembers of each is bounded, however long the keys above it are.

import { expect, test } from 'vitest';
import { placedComments } from '../../../src/manifest/text/comments.ts';

const DEPTH = 40;
const COMMENTS = 200;

/** Keys of a thousand letters in each other, and comments in the innermost. */
function deepText(comments: number): string {
  const keys = Array.from({ length: DEPTH }, (_, depth) => `${' '.repeat(depth)}${'k'.repeat(1_000)}${depth}:\n`);
  const indent = ' '.repeat(DEPTH);
  return `${keys.join('')}${`${indent}# a comment\n`.repeat(comments)}${indent}last: 1\n`;
}

test('the place of a comment does not hold the keys that lead to it', () => {
  const placed = placedComments(deepText(COMMENTS));
  expect(placed).toHaveLength(COMMENTS);
  for (const { identity } of placed) expect(identity.length).toBeLessThan(200);
});

test('two places have two identities', () => {
  const [first, second] = placedComments('a:\n  # one\n  b: 1\nc:\n  # one\n  b: 1\n');
  expect(first?.identity).not.toBe(second?.identity);
});
