import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/core/json.ts';
import { differenceLines } from '../../src/render/view/values/value.ts';
import { inline } from '../../src/render/view/values/value.ts';

function shown(before: Json, after: Json, ordered = false, width = 100): string[] {
  const lines = differenceLines({ label: 'field', before, after, depth: 0 }, { width, full: false, ordered });
  return lines.map(({ mark, depth, text }) => `${'  '.repeat(depth)}${mark} ${text}`.trimEnd());
}

const hidden = { sensitive: true };

describe('differenceLines', () => {
  test.each<{ name: string; before: Json; after: Json; ordered?: boolean; expect: readonly string[] }>([
    { name: 'a new value', before: null, after: 'a', expect: ['+ field: a'] },
    { name: 'a value that goes', before: 7, after: null, expect: ['- field: 7'] },
    { name: 'a number that was text', before: '1', after: 1, expect: ['~ field: "1" → 1'] },
    {
      name: 'a set',
      before: ['a', 'b'],
      after: ['b', 'c'],
      expect: ['~ field:', '  - a', '  + c', '    … 1 unchanged item'],
    },
    {
      name: 'a reordered list',
      before: ['a', 'b'],
      after: ['b', 'a'],
      ordered: true,
      expect: ['~ field:', '  - a', '    b', '  + a'],
    },
    {
      name: 'a map',
      before: { 'x-a': '1', 'x-b': 'x', same: 'y' },
      after: { 'x-b': 'z', 'x-c': 'w', same: 'y' },
      expect: ['~ field:', '  - x-a: "1"', '  ~ x-b: x → z', '  + x-c: w'],
    },
    { name: 'a list of objects', before: [{ type: 'a.v0' }], after: [], expect: ['~ field:', '  - {type: a.v0}'] },
    {
      name: 'masked items of which nothing says that they are the same',
      before: [hidden, 'a'],
      after: [hidden, 'a'],
      expect: ['~ field:', '  - (sensitive)', '  + (sensitive)', '    … 1 unchanged item'],
    },
    { name: 'a secret that changed', before: hidden, after: hidden, expect: ['~ field: (sensitive, changed)'] },
    { name: 'a secret that is new', before: null, after: hidden, expect: ['+ field: (sensitive)'] },
    { name: 'a secret that goes', before: hidden, after: null, expect: ['- field: (sensitive)'] },
    {
      name: 'a secret inside an object',
      before: { a: hidden, b: 1 },
      after: { a: hidden, b: 2 },
      expect: ['~ field:', '  ~ b: 1 → 2'],
    },
    {
      name: 'one line of a text',
      before: 'a\nb\nc',
      after: 'a\nx\nc',
      expect: ['~ field:', '    … 1 unchanged line', '  - | b', '  + | x', '    … 1 unchanged line'],
    },
    {
      name: 'the final line break of a text',
      before: 'a\nb',
      after: 'a\nb\n',
      expect: ['~ field:', '    … 2 unchanged lines', '  ~ only the final line break differs'],
    },
    {
      name: 'two forms of the same letters',
      before: 'caf\u00e9',
      after: 'cafe\u0301',
      expect: ['~ field: "caf\\u{e9}" → "cafe\\u{301}"'],
    },
    {
      name: 'two forms of the same letters in a set, beside others',
      before: ['caf\u00e9', 'na\u00efve'],
      after: ['cafe\u0301', 'z\u00fcrich'],
      expect: ['~ field:', '  - "caf\\u{e9}"', '  - "na\u00efve"', '  + "cafe\\u{301}"', '  + "z\u00fcrich"'],
    },
    {
      name: 'two forms of the same letters in a line of a text',
      before: 'a\ncaf\u00e9',
      after: 'a\ncafe\u0301',
      expect: ['~ field:', '    … 1 unchanged line', '  - | caf\\u{e9}', '  + | cafe\\u{301}'],
    },
    { name: 'a blank at the end', before: 'a', after: 'a ', expect: ['~ field: a → "a "'] },
    {
      name: 'a blank at the end of a line of a text',
      before: 'a\nb',
      after: 'a  \nb',
      expect: ['~ field:', '  - | a', '  + | a\\x20\\x20', '    … 1 unchanged line'],
    },
  ])('$name', ({ before, after, ordered, expect: wanted }) => {
    expect(shown(before, after, ordered)).toEqual(wanted);
  });

  test('long values stand below each other and are never cut', () => {
    const [old, now] = ['a'.repeat(80), 'b'.repeat(80)];
    expect(shown(old, now)).toEqual(['~ field:', `  - ${old}`, `  + ${now}`]);
  });
});

describe('inline', () => {
  test.each<{ given: Json; expect: string }>([
    { given: 'edge', expect: 'edge' },
    { given: 'true', expect: '"true"' },
    { given: '1.2', expect: '"1.2"' },
    { given: '', expect: '""' },
    { given: 'two words', expect: '"two words"' },
    { given: 'a\u001bb', expect: '"a\\u001bb"' },
    { given: '(known after apply)', expect: '"(known after apply)"' },
    { given: '${reserved_addrs.db.addr}', expect: '(known after apply: reserved_addrs.db.addr)' },
    { given: 'x${reserved_addrs.db.addr}', expect: '"x${reserved_addrs.db.addr}" (known after apply)' },
    { given: '$${reserved_addrs.db.addr}', expect: '"${reserved_addrs.db.addr}"' },
    {
      given: '$${a.b.id}${reserved_addrs.db.addr}',
      expect: '"${a.b.id}${reserved_addrs.db.addr}" (known after apply)',
    },
    { given: '${no reference}', expect: '"${no reference}"' },
    { given: { a: [1, null], b: { sensitive: true } }, expect: '{a: [1, null], b: (sensitive)}' },
  ])('$given is shown as $expect', ({ given, expect: wanted }) => {
    expect(inline(given)).toBe(wanted);
  });
});
