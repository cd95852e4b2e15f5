import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { escapeText, fillTemplate, tokensOf, unescapeText } from '../../src/core/text/template.ts';

const text = (value: string) => ({ is: 'text', text: value });
const expression = (inner: string) => ({ is: 'expression', inner, source: `\${${inner}}`, isClosed: true });

describe('tokensOf', () => {
  test.each([
    { name: 'nothing', given: '', gives: [] },
    { name: 'text alone', given: 'a $ b } {c}', gives: [text('a $ b } {c}')] },
    { name: 'an expression alone', given: '${a.b.c}', gives: [expression('a.b.c')] },
    { name: 'text around', given: 'a-${b}-c', gives: [text('a-'), expression('b'), text('-c')] },
    { name: 'neighbours', given: '${a}${b}', gives: [expression('a'), expression('b')] },
    { name: 'an escape is part of its text', given: 'a $${b} c', gives: [text('a ${b} c')] },
    { name: 'a dollar before an expression belongs to the escape', given: '$$${a}', gives: [text('$${a}')] },
    { name: 'an expression ends at the first brace', given: '${a${b}}', gives: [expression('a${b'), text('}')] },
    { name: 'an empty one', given: '${}', gives: [expression('')] },
    {
      name: 'one without an end',
      given: 'a ${b c',
      gives: [text('a '), { is: 'expression', inner: 'b c', source: '${b c', isClosed: false }],
    },
  ])('$name', ({ given, gives }) => {
    expect(tokensOf(given)).toEqual(gives);
  });
});

test('filling leaves alone what says nothing or does not end', () => {
  expect(fillTemplate('${a} $${a} ${} ${a', (inner) => `<${inner}>`)).toBe('<a> ${a} ${} ${a');
});

const SOUP = fc.array(fc.constantFrom('$', '{', '}', '${', '$${', 'a', '.', '\n'), { maxLength: 12 });

test('whatever is escaped holds no expression and is read as it was meant', () => {
  fc.assert(
    fc.property(SOUP, (pieces) => {
      const meant = pieces.join('');
      expect(unescapeText(escapeText(meant))).toBe(meant);
      expect(tokensOf(escapeText(meant)).every(({ is }) => is === 'text')).toBe(true);
    }),
  );
});

test('tokens are the text again', () => {
  fc.assert(
    fc.property(SOUP, (pieces) => {
      const written = tokensOf(pieces.join('')).map((token) =>
        token.is === 'text' ? escapeText(token.text) : token.source,
      );
      expect(tokensOf(written.join(''))).toEqual(tokensOf(pieces.join('')));
    }),
  );
});
