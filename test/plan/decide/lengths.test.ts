// Texts that are, or may become, longer than the service allows.

import { describe, expect, test } from 'vitest';
import { kindByName } from '../../../src/catalog/lookup.ts';
import { Secret } from '../../../src/core/secrets/secret.ts';
import type { ValueObject } from '../../../src/core/value.ts';
import { Expression } from '../../../src/core/value.ts';
import { tooLong } from '../../../src/plan/decide/lengths.ts';

const EDGE = kindByName('tls_edge');
const refs = (count: number, rest = '') =>
  new Expression([rest, ...Array.from({ length: count }, () => ({ address: 'tls_edges.b', attr: 'uri' }))]);

interface Row {
  readonly name: string;
  readonly kind?: string;
  readonly given: ValueObject;
  readonly says: readonly string[];
}

describe('tooLong', () => {
  test.each<Row>([
    { name: 'nothing', given: {}, says: [] },
    { name: 'as long as it may be', given: { description: 'x'.repeat(255) }, says: [] },
    { name: 'one more', given: { description: 'x'.repeat(256) }, says: ['shorten it by 1'] },
    { name: 'bytes, not characters', given: { description: 'ü'.repeat(128) }, says: ['256 bytes'] },
    {
      name: 'characters where the service counts those',
      kind: 'event_subscription',
      given: { description: 'ü'.repeat(255) },
      says: [],
    },
    { name: 'a secret by its length', given: { description: new Secret('x'.repeat(256)) }, says: ['description'] },
    { name: 'what is known only later counts for nothing', given: { description: refs(9, 'x'.repeat(255)) }, says: [] },
    {
      name: 'a secret inside such a text counts',
      given: { description: new Expression([new Secret('x'.repeat(256)), ...refs(1).parts]) },
      says: ['256 bytes'],
    },
    { name: 'not metadata, which is judged with its marker', given: { metadata: 'x'.repeat(5_000) }, says: [] },
    { name: 'not what is no text', given: { hostports: [] }, says: [] },
    { name: 'not a text without a limit', given: { hostports: ['x'.repeat(70_000)] }, says: [] },
  ])('$name', ({ kind = EDGE.name, given, says }) => {
    const found = tooLong(kindByName(kind), 'tls_edges.a', given);
    expect(found.map(({ code, severity, address }) => [code, severity, address])).toEqual(
      says.map(() => ['too-long', 'error', 'tls_edges.a']),
    );
    says.forEach((word, at) => {
      expect(found[at]?.message).toContain(word);
    });
    expect(found.map(({ message }) => message).join()).not.toContain('xxx');
  });
});
