import { describe, expect, test } from 'vitest';
import { escapeControls, escapeControlsInJson } from '../../src/core/text/escape-controls.ts';

const HIDDEN =
  /[\u0000-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff]|[\u{e0000}-\u{e0fff}]|\p{Cs}/u;

function everyCodePoint(visit: (character: string, code: number) => void): void {
  for (let code = 0; code <= 0x10ffff; code++) visit(String.fromCodePoint(code), code);
}

describe('visible', () => {
  test('no code point gives an output that a terminal acts on or that cannot be seen', () => {
    const wrong: number[] = [];
    everyCodePoint((character, code) => {
      if (code !== 0xfffc && code !== 0xfffd && HIDDEN.test(escapeControls(character)) && !/\p{Cn}/u.test(character))
        wrong.push(code);
    });
    expect(wrong.map((code) => code.toString(16))).toEqual([]);
  });

  test('letters, marks, digits, punctuation and symbols that can be seen stay as they are', () => {
    const wrong: number[] = [];
    everyCodePoint((character, code) => {
      if (
        /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) &&
        !/[\p{Default_Ignorable_Code_Point}\u2800]/u.test(character) &&
        escapeControls(character) !== character
      )
        wrong.push(code);
    });
    expect(wrong.map((code) => code.toString(16))).toEqual([]);
  });

  test.each([
    { name: 'colour', given: '\u001b[31mred', expect: '\\x1b[31mred' },
    { name: 'C1 control sequence', given: '\u009b31m', expect: '\\x9b31m' },
    { name: 'overwriting', given: 'good\rbad', expect: 'good\\rbad' },
    { name: 'a line break', given: 'a\nb', expect: 'a\\nb' },
    { name: 'reversed text', given: 'a\u202eb', expect: 'a\\u{202e}b' },
    { name: 'a zero-width space', given: 'a\u200bb', expect: 'a\\u{200b}b' },
    { name: 'line and paragraph separators', given: '\u2028\u2029', expect: '\\u{2028}\\u{2029}' },
    { name: 'half of a pair', given: 'a\ud800b', expect: 'a\\u{d800}b' },
    { name: 'invisible tags', given: '\u{e0041}', expect: '\\u{e0041}' },
    { name: 'an emoji', given: '🚀', expect: '🚀' },
  ])('$name', ({ given, expect: wanted }) => {
    expect(escapeControls(given)).toBe(wanted);
  });

  test.each([
    '::error::x',
    '  ::set-output name=a::b',
    '##[error]x',
    'a ##[group]',
    '##vso[task.complete]',
    "##teamcity[message text='x']",
  ])('the log command %j is not one any more', (text) => {
    expect(escapeControls(text)).not.toMatch(/##\w*\[|^\s*::/);
  });
});

describe('visibleJson', () => {
  test('parses to the same value and holds no hidden character', () => {
    const value = { text: '\u001b[31m\u009b\u202e\u200b\u2028\u{e0041}\ud800 ##[error] é 🚀' };
    const json = escapeControlsInJson(JSON.stringify(value, null, 2));
    expect(JSON.parse(json)).toEqual(value);
    expect(json.replaceAll('\n', '')).not.toMatch(HIDDEN);
    expect(json).not.toContain('##[');
  });
});
