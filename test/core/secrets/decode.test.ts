// Texts without the escapes that encoders write, and where each part of them stands.

import { describe, expect, test } from 'vitest';
import { decodedViews, withoutEscapes, ENTITIES } from '../../../src/core/secrets/decode.ts';
import { plainView, rewritten } from '../../../src/core/secrets/view.ts';

const last = (text: string) => withoutEscapes(plainView(text)).at(-1)?.text;
const texts = (text: string) => decodedViews(text).map((view) => view.text);

describe('each way to escape is undone', () => {
  test.each([
    { name: 'nothing', given: '', expect: '' },
    { name: 'a plain text stays', given: 'pass-word_1', expect: 'pass-word_1' },
    { name: 'JSON', given: '\\u0070a\\"ss', expect: 'pa"ss' },
    { name: 'line ends of JSON', given: 'a\\nb', expect: 'a\nb' },
    { name: 'a character beyond the basic plane', given: '\\u{1f600}', expect: '😀' },
    { name: 'two halves of a character', given: '\\ud83d\\ude00', expect: '😀' },
    { name: 'bytes of C', given: '\\x70\\xc3\\xa9', expect: 'pé' },
    { name: 'octal bytes', given: '\\303\\251', expect: 'é' },
    { name: 'percent signs', given: 'p%61ss%C3%A9', expect: 'passé' },
    { name: 'a byte that is no UTF-8 is Latin-1', given: '%E9', expect: 'é' },
    { name: 'percent signs with units', given: '%u0070', expect: 'p' },
    { name: 'numbers of HTML', given: '&#112;&#x61;', expect: 'pa' },
    { name: 'names of HTML', given: '&lt;&eacute;&amp;', expect: '<é&' },
    { name: 'a name of HTML that nobody knows stays', given: '&nobody;', expect: '&nobody;' },
    { name: 'code points', given: 'U+0070 U+0061', expect: 'pa' },
    { name: 'bytes in a list', given: '70:61:73:73', expect: 'pass' },
    { name: 'quotes of a shell', given: `it'\\''s`, expect: "it's" },
    { name: 'bytes that were misread', given: 'passÃ©', expect: 'passé' },
    { name: 'a letter apart from its mark', given: 'e\u0301', expect: 'é' },
    { name: 'what nobody sees', given: 'pa\u200bss', expect: 'pass' },
    { name: 'one escape in another', given: '%2561', expect: 'a' },
    { name: 'several kinds in a row', given: '&#112;%61\\u0073s', expect: 'pass' },
    { name: 'a number that is no character stays', given: '&#x110000;', expect: '&#x110000;' },
  ])('$name', ({ given, expect: expected }) => {
    expect(last(given)).toBe(expected);
  });

  test('the text itself comes first', () => {
    expect(withoutEscapes(plainView('%61')).map((view) => view.text)).toEqual(['%61', 'a']);
  });

  test('layers are undone one by one, and not without end', () => {
    const layers = withoutEscapes(plainView(`%${'25'.repeat(20)}61`));
    expect(layers.length).toBeLessThanOrEqual(6);
    expect(last('%25252561')).toBe('a');
  });
});

describe('texts that may be something else are read both ways', () => {
  const secret = 'a secret of many words';

  test.each([
    { name: 'base64', given: Buffer.from(secret).toString('base64') },
    { name: 'base64 for addresses', given: Buffer.from(secret).toString('base64url') },
    { name: 'base64 behind a name of the same letters', given: `k${Buffer.from(secret).toString('base64')}` },
    { name: 'base64 in base64', given: Buffer.from(Buffer.from(secret).toString('base64')).toString('base64') },
    {
      name: 'base64 over several lines',
      given: Buffer.from(secret)
        .toString('base64')
        .replace(/(.{20})/g, '$1\n'),
    },
    { name: 'mail', given: secret.replaceAll(' ', '=20') },
    { name: 'a line of mail that goes on', given: secret.replace('many', 'ma=\r\nny') },
    { name: 'an escape in base64', given: Buffer.from(encodeURIComponent(secret)).toString('base64') },
  ])('$name', ({ given }) => {
    expect(texts(given).some((text) => text.includes(secret))).toBe(true);
    expect(texts(given)[0]).toBe(given);
  });

  test.each(['a=12', 'short', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'])('%s is never lost', (given) => {
    expect(texts(given)[0]).toBe(given);
  });

  test('bytes that are no text are not read as one', () => {
    const bytes = Buffer.from(Array.from({ length: 48 }, (_, index) => 0x80 + index)).toString('base64');
    expect(texts(bytes)).toEqual([bytes]);
  });
});

describe('a part of a decoded text stands where its escape stands', () => {
  test.each([
    { name: 'before an escape', given: 'ab%63', span: [0, 2], expect: 'ab' },
    { name: 'an escape as a whole', given: 'ab%63d', span: [2, 3], expect: '%63' },
    { name: 'behind an escape', given: 'ab%63de', span: [3, 5], expect: 'de' },
    { name: 'over several escapes', given: '%61b%63', span: [0, 3], expect: '%61b%63' },
    { name: 'through two layers', given: 'x%2561y', span: [1, 2], expect: '%2561' },
    { name: 'beside what was taken away', given: 'a\u200bb', span: [0, 2], expect: 'a\u200bb' },
  ] as const)('$name', ({ given, span: [start, end], expect: expected }) => {
    const found = withoutEscapes(plainView(given)).at(-1)?.sourceOf({ start, end });
    expect(given.slice(found?.start, found?.end)).toBe(expected);
  });

  test('a part of base64 stands in the part of its run that says it', () => {
    const run = Buffer.from('0123456789abcdef').toString('base64');
    const given = `key: ${run} end`;
    const view = decodedViews(given).find(({ text }) => text.includes('0123456789abcdef'));
    const start = view?.text.indexOf('3456') ?? -1;
    const found = view?.sourceOf({ start, end: start + 4 });
    expect(found).toEqual({ start: 5 + 4, end: 5 + 10 });
  });
});

test('a rewriting that changes nothing is none', () => {
  const way = { tokens: /a/g, change: (token: string) => token };
  expect(rewritten(plainView('banana'), way)).toBeUndefined();
  expect(rewritten(plainView('banana'), { ...way, change: () => 'oo' })?.text).toBe('boonoonoo');
});

test.each([
  ['nbsp', '\u00a0'],
  ['yuml', 'ÿ'],
  ['times', '×'],
  ['euro', '€'],
  ['quot', '"'],
])('&%s; is %j', (name, character) => {
  expect(ENTITIES.get(name)).toBe(character);
});
