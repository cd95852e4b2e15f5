// Comments in JSON: where they are, and the text without them.

import { describe, expect, test } from 'vitest';
import { blanked, jsonComments, parseFile } from '../../../src/manifest/text/parse.ts';

describe('a comment is what stands outside of texts', () => {
  test.each([
    { name: 'none', given: '{"a": 1}', expect: [] },
    { name: 'nothing at all', given: '', expect: [] },
    { name: 'one to the end of its line', given: '{} // why\n', expect: ['// why'] },
    { name: 'one between other things', given: '{/* why */"a": 1}', expect: ['/* why */'] },
    { name: 'one over several lines', given: '{/* a\n b */}', expect: ['/* a\n b */'] },
    { name: 'several', given: '// a\n{} // b', expect: ['// a', '// b'] },
    { name: 'slashes in a text are none', given: '{"a": "http://x"}', expect: [] },
    { name: 'a quote behind a backslash does not end a text', given: '{"a": "\\"// no"} // yes', expect: ['// yes'] },
    { name: 'slashes in single quotes are none', given: "{'a': '// no'}", expect: [] },
    { name: 'slashes in a word are none', given: '{a: http://x}', expect: [] },
    { name: 'slashes in a comment of YAML are none', given: '{} # see // there', expect: [] },
    { name: 'one that never ends goes to the end', given: '{} /* a\nb', expect: ['/* a\nb'] },
    { name: 'a single slash is none', given: '{"a": /}', expect: [] },
  ])('$name', ({ given, expect: expected }) => {
    expect(jsonComments(given).map(([start, end]) => given.slice(start, end))).toEqual(expected);
  });
});

test.each([
  { name: 'blanks take the place of a comment', given: '{} // why', expect: '{}       ' },
  { name: 'lines stay where they are', given: '/* a\nb */{}', expect: '    \n    {}' },
  { name: 'a text without comments stays', given: '{"a": "//"}', expect: '{"a": "//"}' },
])('$name', ({ given, expect: expected }) => {
  expect(blanked(given, jsonComments(given))).toBe(expected);
});

test('only the first comment is told, and where it stands', () => {
  const text = '{\n  // a\n  // b\n}';
  expect(
    parseFile('f.json', text).diagnostics.map(({ code, range }) => [
      code,
      range?.line,
      range?.column,
      range?.endColumn,
    ]),
  ).toEqual([['yaml-syntax', 2, 3, 7]]);
  expect(parseFile('f.json', '{}').diagnostics).toEqual([]);
});
