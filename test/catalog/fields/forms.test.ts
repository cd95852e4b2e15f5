// Forms of texts, and characters that no text may hold.

import { describe, expect, test } from 'vitest';
import type { Field } from '../../../src/catalog/field.ts';
import type { Pattern } from '../../../src/catalog/field.ts';
import { FORMS, forbiddenCharacterIn, withoutBlanks } from '../../../src/catalog/fields/forms.ts';
import { documented } from '../../../src/catalog/provenance.ts';

describe('forms', () => {
  test.each<{ name: string; form: Pattern; yes: readonly string[]; no: readonly string[] }>([
    {
      name: 'a host',
      form: FORMS.host,
      yes: ['a', 'a.example.com', 'a.example.com.', '*.example.com', 'é.test', 'a_b.test', '192.0.2.1'],
      no: ['', 'a:1', 'a/b', 'a b', 'a\u200bb', '$A.test', 'a*.test', '☃.test', 'a@b'],
    },
    {
      name: 'an e-mail address',
      form: FORMS.email,
      yes: ['a@b', 'a.b+c@é.test'],
      no: ['', '@b', 'a@', 'a@b@c', 'a b@c', 'a@$B'],
    },
    {
      name: 'a selector',
      form: FORMS.selector,
      yes: ['/', 'a.test', 'a.test/b', '/*'],
      no: ['', '/a b', '/a\n', '/a\u200b'],
    },
    {
      name: 'a name of a header',
      form: FORMS.headerName,
      yes: ['x-a', 'X_A', 'a!'],
      no: ['', 'x a', 'x:', 'é', 'x\n'],
    },
    {
      name: 'a value of a header',
      form: FORMS.headerValue,
      yes: ['', 'a', 'a b', 'a\tb', 'é'],
      no: [' a', 'a ', 'a\nb', 'a\u0000b', '\t'],
    },
  ])('$name', ({ form, yes, no }) => {
    const regex = new RegExp(form.regex, 'u');
    expect([yes.filter((text) => !regex.test(text)), no.filter((text) => regex.test(text))]).toEqual([[], []]);
  });
});

describe('a character that a text cannot hold', () => {
  const source = documented('§2');
  const text = (more: Partial<Field> = {}): Field => ({ type: 'string', doc: '', source, ...more }) as Field;
  const line = text();
  const lines = text({ lines: 'many' });
  const formed = text({ pattern: { regex: '^a\\nb\\n?$', words: '' } });
  const secret = text({ sensitive: true });

  test.each<{ name: string; given: string; field?: Field; expect: string | undefined }>([
    { name: 'none in an ordinary text', given: 'a é 😀', field: line, expect: undefined },
    { name: 'a control character', given: 'a\u0007', field: line, expect: 'U+0007' },
    { name: 'the first of several', given: '\u0001\u0002', field: line, expect: 'U+0001' },
    { name: 'a line break in a text of one line', given: 'a\nb', field: line, expect: 'U+000A' },
    { name: 'no line break in a text of many lines', given: 'a\nb\n', field: lines, expect: undefined },
    { name: 'a control character in a text of many lines', given: 'a\n\u0007', field: lines, expect: 'U+0007' },
    { name: 'no line break in a secret, which may be a key', given: 'a\nb\n', field: secret, expect: undefined },
    { name: 'only a final line break where a form says the rest', given: 'a\nb', field: formed, expect: undefined },
    { name: 'a final line break in spite of a form', given: 'a\nb\n', field: formed, expect: 'U+000A' },
    { name: 'no line break where no field is known', given: 'a\nb', expect: undefined },
  ])('$name', ({ given, field, expect: expected }) => {
    expect(forbiddenCharacterIn(given, field)).toBe(expected);
  });
});

test.each([
  { name: 'a text without what nobody sees', given: 'a\u200bb', expect: { text: 'ab', first: 'U+200B' } },
  { name: 'the first of several is named', given: '\u200ba\ufeffb', expect: { text: 'ab', first: 'U+200B' } },
  { name: 'a text that would be wrong all the same', given: 'x\u200bb', expect: undefined },
  { name: 'a text without such characters', given: 'ab', expect: undefined },
  { name: 'a line break is no such character', given: 'ab\n', expect: undefined },
])('$name', ({ given, expect: expected }) => {
  expect(withoutBlanks(given, /^ab$/u)).toEqual(expected);
});
