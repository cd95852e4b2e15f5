// Metadata and its marker are one text of the service, which is at most 4096 bytes (§8).

import { describe, expect, test } from 'vitest';
import { checkMetadataLength } from '../../../src/manifest/rules/metadata-length.ts';
import { placesOf, stackOf } from '../../support/manifest-parts.ts';

const block = (metadata: string, more = '') => `stack: shop\nreserved_addrs: { a: { metadata: "${metadata}"${more} } }`;
const judge = (text: string) => placesOf(checkMetadataLength(stackOf(text)));
const long = 'x'.repeat(4090);

describe('a text leaves room for its marker', () => {
  test.each([
    ['no text', 'stack: shop\nreserved_addrs: { a: {} }', []],
    ['a short text', block('x'), []],
    ['a text that alone is as long as it may be', block('x'.repeat(4096)), ['metadata-too-long 2:34']],
    ['a text that its marker makes too long', block(long), ['metadata-too-long 2:34']],
    ['bytes count, not characters', block('é'.repeat(2000)), ['metadata-too-long 2:34']],
    ['what is left alone is not sent', block(long, ', lifecycle: { ignore_changes: [metadata] }'), []],
    ['what may be left alone', block(long, ', lifecycle: { ignore_changes: !x [] }'), []],
    [
      'each object',
      `${block(long)}\napi_keys: { b: { metadata: ${long} } }`,
      ['metadata-too-long 3:28', 'metadata-too-long 2:34'],
    ],
  ])('%s', (_, given, expected) => {
    expect(judge(given)).toEqual(expected);
  });

  test('the longer the name of the stack and the more fields, the less room there is', () => {
    const fits = (text: (length: number) => string) => {
      for (let length = 4096; length > 0; length--) if (judge(text(length)).length === 0) return length;
      return 0;
    };
    const plain = fits((length) => block('x'.repeat(length)));
    expect(fits((length) => block('x'.repeat(length)).replace('shop', 'shopping'))).toBe(plain - 4);
    expect(fits((length) => block('x'.repeat(length), ', region: eu'))).toBeLessThan(plain);
    expect(fits((length) => block('x'.repeat(length), ', lifecycle: { prevent_destroy: true }'))).toBeLessThan(plain);
  });
});
