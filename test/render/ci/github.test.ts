// Logs of GitHub Actions: groups that hide nothing that is lost, and annotations, few and escaped.

import { describe, expect, test } from 'vitest';
import { format as github } from '../../../src/render/formats/github.ts';
import { plain } from '../sample.ts';
import { itemOf, PLACE, problemOf, rowOf, viewOf } from '../view-sample.ts';

const linesOf = (parts: Parameters<typeof viewOf>[0]) => github.draw(viewOf(parts), plain).split('\n');
const notes = (parts: Parameters<typeof viewOf>[0]) =>
  linesOf(parts).filter((line) => /^::(?:error|warning)/.test(line));

describe('a group', () => {
  test('folds what an item changes', () => {
    const lines = linesOf({ items: [itemOf({ why: 'because' })] });
    expect(lines.filter((line) => line.startsWith('::'))).toEqual([
      '::group::~ update tls_edges.a  s1',
      '::endgroup::',
    ]);
  });

  test('folds nothing by which something is lost', () => {
    expect(linesOf({ items: [itemOf({ loses: 'much' })] }).filter((line) => line.startsWith('::'))).toEqual([]);
  });

  test('has a title that ends with its line', () => {
    const [title] = linesOf({ items: [itemOf({ address: 'a%b' })] }).filter((line) => line.startsWith('::group'));
    expect(title).toContain('a%25b');
  });
});

describe('an annotation', () => {
  test.each([
    {
      name: 'of an error stands at its place',
      problem: { code: 'x', place: PLACE },
      note: '::error file=edgeform.yaml,line=12,col=3,title=x::it is wrong',
    },
    { name: 'of a warning is one', problem: { group: 'warning', code: 'x' }, note: '::warning title=x::it is wrong' },
    {
      name: 'of what is refused is an error, by its group',
      problem: { group: 'refused' },
      note: '::error title=refused::it is wrong',
    },
    {
      name: 'names what it is about',
      problem: { code: 'x', address: 'tls_edges.a' },
      note: '::error title=x::tls_edges.a: it is wrong',
    },
    {
      name: 'has details in lines of its own',
      problem: { code: 'x', details: [{ is: 'fix', text: 'do' }] },
      note: '::error title=x::it is wrong%0Afix: do',
    },
    {
      name: 'has what looks like an escape escaped',
      problem: { code: 'x', text: '100%0A' },
      note: '::error title=x::100%250A',
    },
    {
      name: 'cannot be ended by its title or its file',
      problem: { code: 'a:b,c', place: { ...PLACE, file: 'a,b:c' } },
      note: '::error file=a%2Cb%3Ac,line=12,col=3,title=a%3Ab%2Cc::it is wrong',
    },
  ] as const)('$name', ({ problem, note }) => {
    expect(notes({ problems: [problemOf(problem)] })).toEqual([note]);
  });

  test('is there for ten errors and ten warnings, errors first', () => {
    const many = (group: 'error' | 'warning') => Array.from({ length: 12 }, () => problemOf({ group, code: 'x' }));
    const levels = notes({ problems: [...many('warning'), ...many('error')] }).map((line) => line.split(' ')[0]);
    expect(levels).toEqual([...Array<string>(10).fill('::error'), ...Array<string>(10).fill('::warning')]);
  });

  test.each([
    {
      name: 'is there for a step that went wrong',
      row: rowOf({ said: ['no', 'more'] }),
      note: ['::error title=failed%3A create tls_edges.a::no; more'],
    },
    {
      name: 'says how a step ended that says nothing',
      row: rowOf({ status: 'unknown' }),
      note: ['::error title=unknown%3A create tls_edges.a::unknown'],
    },
    { name: 'is not there for a step that only waits', row: rowOf({ status: 'blocked', tone: 'warn' }), note: [] },
  ])('$name', ({ row, note }) => {
    expect(notes({ is: 'report', rows: [row] })).toEqual(note);
  });

  test('of a report is not there for problems, which are told elsewhere', () => {
    expect(notes({ is: 'report', problems: [problemOf()] })).toEqual([]);
  });

  test.each([
    ['warning', 'warning'],
    ['error', 'error'],
    ['blocked', 'error'],
  ] as const)('is there for each finding of drift, with who made it: %s', (weight, level) => {
    const item = itemOf({
      weight,
      word: 'changed',
      live_id: 'edgtls_1',
      causes: [{ words: 'changed outside', fields: ['a', 'b'] }],
    });
    expect(notes({ is: 'drift', items: [item] })).toEqual([
      `::${level} title=drift::changed: tls_edges.a (edgtls_1)%0Achanged outside: a, b`,
    ]);
  });
});

test('nothing to say is nothing', () => {
  expect(github.draw(viewOf({ is: 'problems' }), plain)).toBe('');
});
