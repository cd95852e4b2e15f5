// Placeholders: what is written into a plan is filled to what was meant, and nothing else is taken for one.

import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { Secret } from '../../src/core/secrets/secret.ts';
import type { Value } from '../../src/core/value.ts';
import { Expression } from '../../src/core/value.ts';
import type { Lookup } from '../../src/resource/placeholder.ts';
import {
  digestPlaceholder,
  display,
  encode,
  fillPath,
  fillValues,
  attributePlaceholder,
  revealBody,
} from '../../src/resource/placeholder.ts';

const ID = { address: 'tls_edges.a', attr: 'id' };
const secret = new Secret('hush', { origin: 'tls_edges.a#key' });
const lookup = (more: Partial<Lookup> = {}): Lookup => ({
  attr: (address, attr) => (address === ID.address && attr === ID.attr ? 'edgtls_1' : undefined),
  secret: (from) => (from === 'tls_edges.a#key' ? secret : undefined),
  digest: (field, value) => `digest of ${field} ${JSON.stringify(value)}`,
  ...more,
});

interface Row {
  readonly name: string;
  readonly given: Value;
  readonly written: Json;
  readonly sent: Json;
}

const rows: readonly Row[] = [
  { name: 'a text', given: 'plain', written: 'plain', sent: 'plain' },
  { name: 'a dollar', given: '$5', written: '$5', sent: '$5' },
  { name: 'what looks like a placeholder', given: '${a.b.id}', written: '$${a.b.id}', sent: '${a.b.id}' },
  { name: 'what looks like an escaped one', given: '$${x}', written: '$$${x}', sent: '$${x}' },
  { name: 'what looks like a digest', given: '${digest:x}', written: '$${digest:x}', sent: '${digest:x}' },
  { name: 'a reference', given: new Expression([ID]), written: '${tls_edges.a.id}', sent: 'edgtls_1' },
  {
    name: 'text around one',
    given: new Expression(['x ', ID, ' y']),
    written: 'x ${tls_edges.a.id} y',
    sent: 'x edgtls_1 y',
  },
  {
    name: 'a dollar before one',
    given: new Expression(['$', ID]),
    written: '${$}${tls_edges.a.id}',
    sent: '$edgtls_1',
  },
  {
    name: 'two before one',
    given: new Expression(['$$', ID]),
    written: '${$}${$}${tls_edges.a.id}',
    sent: '$$edgtls_1',
  },
  { name: 'a secret', given: secret, written: { sensitive: true, from: 'tls_edges.a#key' }, sent: 'hush' },
  {
    name: 'a list',
    given: [new Expression([ID]), 1, null],
    written: ['${tls_edges.a.id}', 1, null],
    sent: ['edgtls_1', 1, null],
  },
  { name: 'an object', given: { a: { b: '${' } }, written: { a: { b: '$${' } }, sent: { a: { b: '${' } } },
];

describe('a value on its way into a plan and out of it', () => {
  test.each(rows)('$name', ({ given, written, sent }) => {
    expect(encode(given)).toEqual(written);
    expect(revealBody(fillValues({ field: encode(given) }, lookup()))).toEqual({ field: sent });
  });
});

test('an expression that is secret is shown as a mask, and written as where it is found', () => {
  const value = new Expression(['a', secret], { origin: 'x#y' });
  expect([display(value), encode(value)]).toEqual([{ sensitive: true }, { sensitive: true, from: 'x#y' }]);
});

test('a secret that is found nowhere is not written', () => {
  expect(() => encode(new Secret('hush'))).toThrow(/found nowhere/);
});

test('metadata has digests of what is sent beside it, or was sent before it', () => {
  const body = { metadata: `${digestPlaceholder('a')} ${digestPlaceholder('b')} ${digestPlaceholder('c')}`, a: '$${' };
  expect(fillValues(body, lookup(), { b: 2 })['metadata']).toBe('digest of a "${" digest of b 2 digest of c null');
});

test.each([
  ['an object that is not there', attributePlaceholder('tls_edges.b', 'id')],
  ['a placeholder that nobody wrote', '${nothing}'],
])('%s is a mistake of ours', (_, text) => {
  expect(() => fillValues({ a: text }, lookup())).toThrow();
});

test.each([['../x'], ['a/b'], ['a?b'], ['']])('a path takes no id like %j', (id) => {
  expect(() => fillPath(`/edges/${attributePlaceholder(ID.address, ID.attr)}`, lookup({ attr: () => id }))).toThrow();
});

test('a path is filled by ids', () => {
  expect(fillPath(`/edges/${attributePlaceholder(ID.address, ID.attr)}/routes`, lookup())).toBe(
    '/edges/edgtls_1/routes',
  );
});
