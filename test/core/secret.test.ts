// However a secret is turned into text, it is a mask.

import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { SECRET_MASK } from '../../src/core/secrets/known.ts';
import { Secret } from '../../src/core/secrets/secret.ts';

const secret = new Secret('hunter2-of-the-user');

test.each([
  ['String', String(secret)],
  ['JSON', JSON.stringify({ secret })],
  ['inspect', inspect({ secret }, { showHidden: true, depth: 5 })],
  ['keys and values', JSON.stringify(Object.entries(secret))],
  ['join', [secret].join()],
])('by %s', (how, text) => {
  expect(text).not.toContain('hunter2');
  if (how !== 'keys and values') expect(text).toContain(SECRET_MASK);
});

test('it gives its text to who asks for it', () => {
  expect(secret.reveal()).toBe('hunter2-of-the-user');
});
