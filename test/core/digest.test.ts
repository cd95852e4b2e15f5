// Digests: what they tell apart, and what their length says.

import { describe, expect, test } from 'vitest';
import {
  bareDigest,
  DIGEST_LENGTHS,
  digestOfValue,
  hasSecretAt,
  secrecyOfDigest,
  secretDigest,
  secretsAt,
  sha256,
  shortDigest,
} from '../../src/core/digest.ts';

test('a plain digest is that of everybody else', () => {
  expect(sha256('')).toBe('sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(shortDigest('')).toBe('47DEQpj8HBSa');
});

describe('the length of a digest tells what it was made of', () => {
  test.each(['plain', 'secret', 'hidden'] as const)('%s', (secrecy) => {
    const digest = digestOfValue('text', secrecy, 'salt');
    expect([digest.length, secrecyOfDigest(digest)]).toEqual([DIGEST_LENGTHS[secrecy], secrecy]);
    expect(secrecyOfDigest(`${digest}${secretsAt(['a'])}`)).toBe(secrecy);
  });
});

describe('a digest of a secret is salted', () => {
  test.each([
    { name: 'the same text and salt', other: () => secretDigest('a', 's'), same: true },
    { name: 'another salt', other: () => secretDigest('a', 't'), same: false },
    { name: 'another text', other: () => secretDigest('b', 's'), same: false },
    { name: 'a border that moved between the two', other: () => secretDigest('sa', ''), same: false },
  ])('$name', ({ other, same }) => {
    expect(secretDigest('a', 's') === other()).toBe(same);
  });

  test('a plain one is not', () => {
    expect(digestOfValue('a', 'plain', 's')).toBe(digestOfValue('a', 'plain', 't'));
  });
});

describe('places of secrets follow a digest', () => {
  test.each([
    { name: 'none', places: [], asked: 'a', expect: false },
    { name: 'one', places: ['a.b'], asked: 'a.b', expect: true },
    { name: 'another', places: ['a.b'], asked: 'a.c', expect: false },
    { name: 'a place above is another', places: ['a.b'], asked: 'a', expect: false },
    { name: 'each of several', places: ['z', 'a', 'm'], asked: 'a', expect: true },
  ])('$name', ({ places, asked, expect: expected }) => {
    const digest = `${shortDigest('x')}${secretsAt(places)}`;
    expect([hasSecretAt(digest, asked), bareDigest(digest)]).toEqual([expected, shortDigest('x')]);
  });

  test('their order makes no difference', () => {
    expect(secretsAt(['a', 'b', 'c'])).toBe(secretsAt(['c', 'a', 'b']));
    expect(secretsAt([])).toBe('');
  });
});
