// Which edits are left out of a manifest that cannot have all of them, and how often it is loaded for that.

import { describe, expect, test } from 'vitest';
import { keepValid, type Tried } from '../../src/accept/keep-valid.ts';
import type { Edit } from '../../src/accept/wanted.ts';
import type { Diagnostic } from '../../src/core/diagnostic.ts';
import type { SourceMap } from '../../src/manifest/source-map.ts';

const COUNT = 4_000;
/** Four times the logarithm, and a few. */
const MOST = 60;

const rangeOf = (line: number) => ({ file: 'edgeform.yaml', line, column: 10, endLine: line, endColumn: 20 });
const named = (name: string, field: string): Edit => {
  const path = ['tls_edges', name, field];
  return { finding: {} as Edit['finding'], inner: field, path, value: name };
};
const numberOf = (edit: Edit) => Number(edit.path[1]?.slice(1));
const places = { value: ([, name = '']: readonly string[]) => rangeOf(Number(name.slice(1)) + 1) } as SourceMap;
const error = (text: string, more: Partial<Diagnostic> = {}): Diagnostic => {
  return { code: 'not-unique', severity: 'error', message: text, ...more };
};

/** What is kept and left of as many edits as `wrong` says something of. */
function outcomeOf(edits: readonly Edit[], wrong: (numbers: ReadonlySet<number>) => readonly Diagnostic[]) {
  let loads = 0;
  const tryWith = (some: readonly Edit[]): Tried => {
    loads += 1;
    return { failed: new Map(), problems: wrong(new Set(some.map(numberOf))), sourceMap: places };
  };
  const { kept, left } = keepValid(edits, tryWith);
  expect(wrong(new Set(kept.map(numberOf)))).toEqual([]);
  expect(kept.length + left.size).toBe(edits.length);
  return { kept, left: [...left].map(([edit, { problem }]) => `${numberOf(edit)} ${problem?.message ?? ''}`), loads };
}

const many = Array.from({ length: COUNT }, (_, n) => named(`t${n}`, 'description'));

describe('of thousands', () => {
  test('all are kept where nothing is wrong, and the manifest is loaded once', () => {
    expect(outcomeOf(many, () => [])).toMatchObject({ kept: many, left: [], loads: 1 });
  });

  test('those are left out that errors stand at, however many', () => {
    const wrong = (has: ReadonlySet<number>) =>
      [...has].flatMap((n) => (n % 100 === 7 ? [error(`wrong ${n}`, { range: rangeOf(n + 1) })] : []));
    const { left, loads } = outcomeOf(many, wrong);
    expect(left).toEqual(Array.from({ length: 40 }, (_, n) => `${n * 100 + 7} wrong ${n * 100 + 7}`));
    expect(loads).toBe(2);
  });

  test('the one that an error of something else names is left out', () => {
    const related = [{ message: 'first claimed here', range: rangeOf(1_235) }];
    const wrong = (has: ReadonlySet<number>) =>
      has.has(1_234) ? [error('twice', { range: rangeOf(9_999), related })] : [];
    const { left, loads } = outcomeOf(many, wrong);
    expect(left).toEqual(['1234 twice']);
    expect(loads).toBe(2);
  });

  test('the one is found by halves where no error has a place', () => {
    const { left, loads } = outcomeOf(many, (has) => (has.has(2_718) ? [error('somehow')] : []));
    expect(left).toEqual(['2718 somehow']);
    expect(loads).toBeLessThan(MOST);
  });

  test('some are left out of those that have to do with it where each one uncovers the next', () => {
    const chain = Array.from({ length: COUNT / 2 }, (_, n) => named(`t${n}`, 'hostports'));
    // Each takes what the next one gives up, and the last one takes what stays.
    const wrong = (has: ReadonlySet<number>) =>
      [...has].flatMap((n) =>
        n < chain.length && !has.has(n + 1) ? [error(`taken ${n}`, { range: rangeOf(n + 1) })] : [],
      );
    const edits = [...chain, ...many.slice(chain.length + 1)];
    const { kept, loads } = outcomeOf(edits, wrong);
    expect(kept).toEqual(many.slice(chain.length + 1));
    expect(loads).toBeLessThan(MOST);
  });
});

describe('of a few', () => {
  const few = Array.from({ length: 6 }, (_, n) => named(`t${n}`, 'description'));

  test('what was blamed for another one is put back', () => {
    // The error stands at the first, and the third is why: without it, nothing is wrong.
    const wrong = (has: ReadonlySet<number>) => [
      ...(has.has(2) ? [error('never', { range: rangeOf(3) })] : []),
      ...(has.has(0) && has.has(2)
        ? [error('both', { range: rangeOf(1), related: [{ message: 'and', range: rangeOf(3) }] })]
        : []),
    ];
    expect(outcomeOf(few, wrong).left).toEqual(['2 never']);
  });

  test('of those in the block of an error, only the one that it is about is left out', () => {
    const block = ['description', 'hostports', 'backend'].map((field) => named('t1', field));
    const tryWith = (edits: readonly Edit[]): Tried => {
      const isWrong = edits.some(({ inner }) => inner === 'hostports');
      const problems = isWrong ? [error('too much', { address: 'tls_edges.t1', range: rangeOf(50) })] : [];
      return { failed: new Map(), problems, sourceMap: places };
    };
    const { kept, left } = keepValid(block, tryWith);
    expect(kept.map(({ inner }) => inner)).toEqual(['description', 'backend']);
    expect([...left.values()]).toMatchObject([{ reason: 'invalid', problem: { message: 'too much' } }]);
  });

  test('all are left out where none is valid', () => {
    const wrong = (has: ReadonlySet<number>) => (has.size > 0 ? [error('nothing goes')] : []);
    expect(outcomeOf(few, wrong).left).toEqual(few.map((_, n) => `${n} nothing goes`));
  });
});
