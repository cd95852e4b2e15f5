// What a file of values says: plain text, as the reader of manifests reads it.

import { expect, test } from 'vitest';
import { readVarFile } from '../../../src/manifest/values/var-file.ts';

const read = (text: string) => readVarFile('--var-file "v.yaml"', 'v.yaml', text);

test.each([
  ['a text', 'a: some text\n', [['a', 'some text']]],
  ['a literal ${', 'a: "$${var.b}"\n', [['a', '${var.b}']]],
  ['a list', 'a: ["$${", x, 1]\n', [['a', ['${', 'x', '1']]]],
  [
    'other signs',
    'a: "$x {y} $"\nb: 1.50\n',
    [
      ['a', '$x {y} $'],
      ['b', '1.50'],
    ],
  ],
])('%s is read as in a manifest', (_, text, value) => {
  expect(read(text)).toEqual({ value, diagnostics: [] });
});

test.each(['a: "${var.b}"\n', 'a: "x ${file:y}"\n', 'a: [x, "${b"]\n'])('an expression is an error: %s', (text) => {
  const { diagnostics } = read(`${text}c: d\n`);
  expect(diagnostics.map(({ code, message }) => [code, message])).toEqual([
    [
      'bad-expression',
      '--var-file "v.yaml": the value of variable "a" holds an expression, but values of a file are plain text',
    ],
  ]);
});
