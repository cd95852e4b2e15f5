// The run's name in the body of a creation.

import { describe, expect, test } from 'vitest';
import { runNameIn, withRunName } from '../../src/apply/duplicates/run-name.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import { METADATA } from '../../src/catalog/fields/common.ts';
import { managedKinds as KINDS } from '../../src/catalog/lookup.ts';
import { readMarker, writeMarker } from '../../src/resource/marker/marker-codec.ts';

const MARKER = { v: 1, stack: 'shop', address: 'reserved_addrs.db', applied: {} } as const;

describe.each(KINDS.filter(({ fields }) => fields[METADATA] !== undefined).map((kind) => [kind.name, kind] as const))(
  'the body of a new %s',
  (_, kind) => {
    const sign = (user: string) => withRunName(kind, { [METADATA]: writeMarker(user, MARKER) }, 'run1')[METADATA];
    test.each(['', 'owner: shop', '{"a":1}', '{}', 'two\nlines'])('names the run beside %j', (user) => {
      const text = String(sign(user));
      expect(runNameIn(text)).toBe('run1');
      expect(readMarker(text).user).toBe(user);
    });
    test('stays within the limit of the field', () => {
      const text = writeMarker('x'.repeat(4096 - writeMarker('x', MARKER).length + 1), MARKER);
      expect(text).toHaveLength(4096);
      expect(withRunName(kind, { [METADATA]: text }, 'run1')).toEqual({ [METADATA]: text });
    });
    test('keeps a secret a secret', () => {
      const text = sign('plain');
      const hidden = withRunName(kind, { [METADATA]: new Secret(writeMarker('plain', MARKER)) }, 'run1')[METADATA];
      expect(hidden).toBeInstanceOf(Secret);
      expect(hidden instanceof Secret && hidden.reveal()).toBe(text);
    });
  },
);

test('without a name nothing changes', () => {
  const values = { [METADATA]: writeMarker('', MARKER), a: 1 };
  expect(withRunName(KINDS[0]!, values, undefined)).toBe(values);
});
