// Addresses, as people write them and as markers and journals have them.

import { describe, expect, test } from 'vitest';
import { isName, parseAddress } from '../../src/catalog/address.ts';

const LONG = 'n'.repeat(201);

describe('isName', () => {
  test.each([
    { name: 'a'.repeat(200), expect: true },
    { name: LONG, expect: false },
    { name: '_a-1', expect: true },
    { name: '1a', expect: false },
    { name: '', expect: false },
  ])('$name: $expect', ({ name, expect: expected }) => {
    expect(isName(name)).toBe(expected);
  });
});

describe('parseAddress', () => {
  test('an object that is there keeps its address, however long its name is', () => {
    expect(parseAddress(`tls_edges.${LONG}`)?.name).toBe(LONG);
    expect(parseAddress(`https_edges.${LONG}.routes.r`)).toMatchObject({ name: 'r', parent: `https_edges.${LONG}` });
  });

  test.each(['tls_edges', 'tls_edges.', 'frobs.a', 'tls_edges.a.id', 'tls_edges.1'])('%s is none', (text) => {
    expect(parseAddress(text)).toBeUndefined();
  });
});
