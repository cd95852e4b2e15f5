// A property over random lists and maps, however they are written: a comment goes only with the line that it ends.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { editText } from '../../src/accept/text/edit-text.ts';

/** An item, in quotes or not, with a comment above it, and one that ends its line. */
const item = fc.record({
  name: fc.constantFrom('p', 'q', 'r', 's', 't', 'u'),
  isQuoted: fc.boolean(),
  isMap: fc.boolean(),
  above: fc.boolean(),
  beside: fc.boolean(),
});
type Item = typeof item extends fc.Arbitrary<infer One> ? One : never;

const list = fc.record({
  items: fc.uniqueArray(item, { selector: ({ name }) => name, maxLength: 6 }),
  /** Names of what is wanted; those that no item has are new. */
  wanted: fc.uniqueArray(fc.constantFrom('p', 'q', 'r', 's', 't', 'u', 'v', 'w'), { maxLength: 7 }),
  style: fc.constantFrom('lines', 'brackets', 'brackets with a last comma'),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  below: fc.boolean(),
  hasLastBreak: fc.boolean(),
});
type List = typeof list extends fc.Arbitrary<infer One> ? One : never;

function textOf({ items, style, lineBreak, below, hasLastBreak }: List): string {
  const inBrackets = style !== 'lines';
  const lines = items.flatMap((one, index) => {
    const comma = inBrackets && (index < items.length - 1 || style === 'brackets with a last comma') ? ',' : '';
    const above = one.above ? [`  # above ${one.name}`] : [];
    return [...above, ...linesOf(one, inBrackets ? '  ' : '  - ', comma)];
  });
  const last = below ? ['  # below'] : [];
  if (inBrackets) lines.unshift('a: [');
  else if (items.length > 0) lines.unshift('a: # all');
  else lines.unshift('a: [] # all');
  const text = [...lines, ...last, ...(inBrackets ? [']'] : [])].join(lineBreak);
  return hasLastBreak ? text + lineBreak : text;
}

function linesOf({ name, isQuoted, isMap, beside }: Item, begin: string, comma: string): string[] {
  const text = isQuoted ? `"${name}"` : name;
  const comment = beside ? ` # beside ${name}` : '';
  if (!isMap) return [`${begin}${text}${comma}${comment}`];
  if (comma !== '' || begin === '  ') return [`${begin}{ n: ${text} }${comma}${comment}`];
  return [`${begin}n: ${text}${comment}`, `    # in ${name}`, `    m: 1 # last of ${name}`];
}

function valueOf({ name, isMap }: Item, isBlock: boolean) {
  return isMap ? { n: name, ...(isBlock && { m: 1 }) } : name;
}

test('a list in another order, with other items', () => {
  const counts = { edited: 0, refused: 0 };
  fc.assert(
    fc.property(list, (one) => {
      const text = textOf(one);
      const items = new Map(one.items.map((own) => [own.name, own]));
      const wanted = one.wanted.map((name) => {
        const own = items.get(name as Item['name']);
        return own === undefined ? name : valueOf(own, one.style === 'lines');
      });
      const made = editText({ name: 'a.yaml', text }, { a: wanted });
      if (made.text === undefined) {
        expect(made.refused).not.toEqual([]);
        counts.refused += 1;
        return;
      }
      counts.edited += 1;
      const after = made.text.split(/\r?\n/);
      const alone = (lines: readonly string[]) => lines.filter((line) => /^ *# (above|below)/.test(line));
      expect(alone(after)).toEqual(alone(text.split(/\r?\n/)));
      for (const own of one.items) {
        if (!one.wanted.includes(own.name)) continue;
        const lines = linesOf(own, one.style === 'lines' ? '  - ' : '  ', '');
        const bare = after.map((line) => line.replace(/,( #|$)/, '$1'));
        for (const line of lines) expect(bare).toContain(line);
      }
    }),
    { numRuns: 500 },
  );
  expect(counts.edited).toBeGreaterThan(counts.refused * 9);
});
