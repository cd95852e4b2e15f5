// What the safety rules have in common: which steps take something away, what goes with it, and how it is named.

import { describe, expect, test } from 'vitest';
import { deletedWith, describeClaim, describeOwner, nameOf, removalsOf } from '../../../src/plan/policies/policy.ts';
import { draft, live } from '../sample.ts';

const SITE = live('edghts_1', 'shop:https_edges.e');

test('removalsOf: deletions, and the half of a replacement that deletes', () => {
  const given = [
    draft('delete', 'https_edges.e', { live: SITE }),
    draft('replace', 'https_edges.e', { phase: 'delete', live: SITE }),
    draft('replace', 'https_edges.e', { phase: 'create' }),
    draft('release', 'https_edges.e', { live: SITE }),
    draft('update', 'https_edges.e', { live: SITE }),
    draft('delete', 'https_edges.gone'),
  ];
  expect(removalsOf(given).map((one) => one.draft)).toEqual(given.slice(0, 2));
});

test('deletedWith: the object, and what lies in it alone', () => {
  const inside = live('edghtsrt_1', '', { parentId: 'edghts_1' });
  const other = live('edghtsrt_2', '', { parentId: 'edghts_2' });
  const [removal] = removalsOf([draft('delete', 'https_edges.e', { live: SITE })]);
  expect(
    removal &&
      deletedWith(removal, {
        children: new Map([
          ['edghts_1', [inside]],
          ['edghts_2', [other]],
        ]),
      }),
  ).toEqual([SITE, inside]);
});

describe('names for people', () => {
  const KEY = 'hostports\0a.test:443';
  const hidden = { key: KEY, field: 'hostports', text: 'a.test:443', isSecret: true };
  test.each([
    ['an object by its marker', nameOf(SITE), 'https_edges.e'],
    ['an object without a marker by its id', nameOf(live('edghts_1')), 'edghts_1'],
    ['an owner and its address', describeOwner({ stack: 's', address: 'a.b' }), 'a.b of stack s'],
    ['an owner alone', describeOwner({ stack: 's', address: undefined }), 'of stack s'],
    ['a value', describeClaim(draft('create', 'tls_edges.a'), KEY), 'a.test:443'],
    [
      'another value than the secret one',
      describeClaim(draft('create', 'tls_edges.a', { secretClaims: [hidden] }), 'x\0y'),
      'y',
    ],
  ])('%s', (_, found, expected) => {
    expect(found).toBe(expected);
  });

  test('a secret value by its field alone', () => {
    const said = describeClaim(draft('create', 'tls_edges.a', { secretClaims: [hidden] }), KEY);
    expect(said).toContain('hostports');
    expect(said).not.toContain('a.test');
  });
});
