// What a secret may read like.

import { describe, expect, test } from 'vitest';
import { base64Forms, spellings } from '../../../src/core/secrets/spellings.ts';

const hex = (text: string) => Buffer.from(text).toString('hex');

describe('a secret is looked for in each of its forms', () => {
  test.each<{ name: string; given: string; has: readonly string[]; lacks?: readonly string[] }>([
    {
      name: 'as it is and in hexadecimal',
      given: 'token-1',
      has: ['token-1', hex('token-1'), hex('token-1').toUpperCase()],
    },
    { name: 'in lower case, as we tell names', given: 'TopSecret42', has: ['TopSecret42', 'topsecret42'] },
    { name: 'not in lower case when it may be any word', given: 'Local', has: ['Local'], lacks: ['local'] },
    { name: 'without blanks around it', given: ' pass word\n', has: [' pass word\n', 'pass word'] },
    { name: 'with a plus for a blank, as in forms', given: 'pass word', has: ['pass+word'] },
    { name: 'decoded, when it looks escaped', given: 'p%61ssword', has: ['p%61ssword', 'password'] },
    { name: 'not as a few letters that are left of it', given: '%61%62', has: ['%61%62'], lacks: ['ab'] },
    { name: 'line by line', given: 'first line\nsecond line', has: ['first line', 'second line'] },
    { name: 'without short lines', given: 'first line\nshort', has: ['first line'], lacks: ['short'] },
    {
      name: 'without frames, which many files have',
      given: '-----BEGIN KEY-----\nMIIBsecret\n-----END KEY-----',
      has: ['MIIBsecret'],
      lacks: ['-----BEGIN KEY-----', '-----END KEY-----'],
    },
  ])('$name', ({ given, has, lacks = [] }) => {
    const found = spellings(given);
    expect([has.filter((one) => !found.includes(one)), lacks.filter((one) => found.includes(one))]).toEqual([[], []]);
  });

  test.each(['token', 'a b', 'x\ny', 'p%61ss'])('the secret itself comes first, and no form twice: %j', (given) => {
    const found = spellings(given);
    expect([found[0], new Set(found).size]).toEqual([given, found.length]);
  });
});

describe('base64 of a secret is known wherever it begins', () => {
  test.each(['', 'x', 'xy', 'xyz'])('behind %j', (before) => {
    const text = Buffer.from(`${before}a secret?>z`).toString('base64');
    expect(base64Forms('a secret?>').some((form) => text.includes(form))).toBe(true);
  });

  test('also with signs for addresses', () => {
    const text = Buffer.from('>>>???secret').toString('base64url');
    expect(base64Forms('>>>???secret').some((form) => text.includes(form))).toBe(true);
  });

  test('what is too short says nothing', () => {
    expect(base64Forms('a')).toEqual([]);
    expect(base64Forms('')).toEqual([]);
  });
});
