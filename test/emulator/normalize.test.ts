// How a normalising service keeps values, typed by hand: what it answers differs from what was sent.

import { expect, test } from 'vitest';
import type { Field } from '../../src/catalog/field.ts';
import { documented } from '../../src/catalog/provenance.ts';
import type { Json } from '../../src/core/json.ts';
import { keptItems, keptValue } from '../../src/emulator/normalize.ts';

const base = { doc: '', source: documented('§2') };
const text = (form: Extract<Field, { type: 'string' }>['form']): Field => ({
  type: 'string',
  ...base,
  ...(form && { form }),
});
const PEM = `-----BEGIN PUBLIC KEY-----\n${'A'.repeat(70)}\n-----END PUBLIC KEY-----`;

test.each<[string, Field, Json, Json]>([
  ['a text without a form', text(undefined), 'A ', 'A '],
  ['case', text('caseless'), 'JSON', 'json'],
  ['blanks at the ends', text('trimmed'), ' a\nb \n', 'a\nb'],
  ['a host', text('host'), '*.MÜNCHEN.example.', '*.xn--mnchen-3ya.example'],
  ['a hostport', text('hostport'), 'A.example.:443', 'a.example:443'],
  ['an IPv6 hostport', text('hostport'), '[2001:DB8:0::1]:443', '[2001:db8::1]:443'],
  ['an e-mail address', text('email'), 'Ops@MÜNCHEN.example', 'ops@xn--mnchen-3ya.example'],
  ['a path', text('selector'), '/Api', '/Api'],
  ['a host with a path', text('selector'), 'A.example./Api', 'a.example/Api'],
  ['an ACL rule', text('bind-rule'), 'bind:*.A.example', 'bind:*.a.example'],
  ['a label in an ACL', text('bind-rule'), 'bind:Team=Web', 'bind:Team=Web'],
  ['a URL', text('url'), 'HTTPS://A.example/Realm', 'https://a.example/Realm'],
  ['a key in one line', text('public-key'), 'ssh-rsa AAAA ops\n', 'ssh-rsa AAAA'],
  ['a key in a block', text('public-key'), PEM, `${PEM.replace('A'.repeat(64), `${'A'.repeat(64)}\n`)}\n`],
  ['a 32-bit number', { type: 'number', form: 'float32', ...base }, 0.3, 0.30000001192092896],
  ['another number', { type: 'number', ...base }, 0.3, 0.3],
])('%s', (_, field, sent, kept) => {
  expect(keptValue(field, sent)).toBe(kept);
});

test('a set has an order of its own and each item once, a list stays', () => {
  const list = { type: 'list', items: text(undefined), ...base } as const;
  expect(keptItems({ ...list, order: 'ignored' }, ['a', 'b', 'a'])).toEqual(['b', 'a']);
  expect(keptItems({ ...list, order: 'kept' }, ['a', 'b', 'a'])).toEqual(['a', 'b', 'a']);
});
