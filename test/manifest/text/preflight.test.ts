// What never reaches the parser of YAML.

import { describe, expect, test } from 'vitest';
import { linesOf } from '../../../src/manifest/text/lines.ts';
import { MAX_FILE_BYTES, preflight } from '../../../src/manifest/text/preflight.ts';

const look = (text: string) => preflight(text, linesOf('f.yaml', text));

describe('characters that nobody sees are told and replaced', () => {
  test.each([
    { name: 'an ordinary text stays', given: 'a: é 😀\n', text: 'a: é 😀\n', places: [] },
    { name: 'an empty text stays', given: '', text: '', places: [] },
    { name: 'tabs and line ends can be seen', given: 'a:\t1\r\n', text: 'a:\t1\r\n', places: [] },
    { name: 'a control character', given: 'a\u0007b', text: 'a_b', places: [[1, 2]] },
    { name: 'a NUL', given: '\u0000', text: '_', places: [[1, 1]] },
    { name: 'a mark that turns the direction', given: 'a\nb\u202ec', text: 'a\nb_c', places: [[2, 2]] },
    { name: 'a separator of lines', given: 'a\u2028b', text: 'a_b', places: [[1, 2]] },
    { name: 'half a character', given: 'a\ud800b', text: 'a_b', places: [[1, 2]] },
    {
      name: 'several, in their order',
      given: '\u0001a\u0002',
      text: '_a_',
      places: [
        [1, 1],
        [1, 3],
      ],
    },
  ])('$name', ({ given, text, places }) => {
    const made = look(given);
    expect([made.text, made.isRejected]).toEqual([text, false]);
    expect(made.diagnostics.map(({ code, range }) => [code, range?.line, range?.column])).toEqual(
      places.map((place) => ['hidden-character', ...place]),
    );
  });

  test('a problem names the character', () => {
    expect(look('\u202e').diagnostics[0]?.message).toContain('U+202E');
  });

  test('no more than twenty are told, and all are replaced', () => {
    const made = look('\u0001'.repeat(30));
    expect([made.diagnostics.length, made.text]).toEqual([20, '_'.repeat(30)]);
  });
});

describe('a text is at most 4 MiB, counted in bytes', () => {
  test.each([
    { name: 'one of exactly that size is read', given: 'a'.repeat(MAX_FILE_BYTES), expect: [] },
    { name: 'one byte more is not', given: 'a'.repeat(MAX_FILE_BYTES + 1), expect: ['file-too-large'] },
    {
      name: 'as many characters with more bytes are not',
      given: 'é'.repeat(MAX_FILE_BYTES - 1),
      expect: ['file-too-large'],
    },
  ])('$name', ({ given, expect: expected }) => {
    const made = look(given);
    expect(made.diagnostics.map(({ code }) => code)).toEqual(expected);
    expect([made.isRejected, made.text === '']).toEqual([expected.length > 0, expected.length > 0]);
  });
});
