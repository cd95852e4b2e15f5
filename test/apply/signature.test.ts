// The run's name in the body of a creation.

import { describe, expect, test } from 'vitest';
import { signatureIn, signed } from '../../src/apply/duplicates/signature.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { managedKinds as KINDS } from '../../src/catalog/lookup.ts';
import { readMarker, writeMarker } from '../../src/resource/marker/owner.ts';

const MARKER = { v: 1, stack: 'shop', address: 'reserved_addrs.db', applied: {} } as const;

describe.each(KINDS.filter(({ fields }) => fields[METADATA] !== undefined).map((kind) => [kind.name, kind] as const))(
  'the body of a new %s',
  (_, kind) => {
    const sign = (user: string) => signed(kind, { [METADATA]: writeMarker(user, MARKER) }, 'run1')[METADATA];
    test.each(['', 'owner: shop', '{"a":1}', '{}', 'two\nlines'])('names the run beside %j', (user) => {
      const text = String(sign(user));
      expect(signatureIn(text)).toBe('run1');
      expect(readMarker(text).user).toBe(user);
    });
    test('stays within the limit of the field', () => {
      const text = writeMarker('x'.repeat(4096 - writeMarker('x', MARKER).length + 1), MARKER);
      expect(text).toHaveLength(4096);
      expect(signed(kind, { [METADATA]: text }, 'run1')).toEqual({ [METADATA]: text });
    });
    test('keeps a secret a secret', () => {
      const text = sign('plain');
      const hidden = signed(kind, { [METADATA]: new Secret(writeMarker('plain', MARKER)) }, 'run1')[METADATA];
      expect(hidden).toBeInstanceOf(Secret);
      expect(hidden instanceof Secret && hidden.reveal()).toBe(text);
    });
  },
);

test('without a name nothing changes', () => {
  const values = { [METADATA]: writeMarker('', MARKER), a: 1 };
  expect(signed(KINDS[0]!, values, undefined)).toBe(values);
});
