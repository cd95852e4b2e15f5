// What a short or a broken manifest can make the loader spend is bounded, by counts and sizes.

import { describe, expect, test } from 'vitest';
import { parseDocuments, parseFile } from '../../src/manifest/text/parse.ts';
import { byTurns } from '../support/full.ts';
import { diagnose, HEAD } from '../support/loading.ts';

const MIB = 1024 * 1024;

function problems(text: string): string[] {
  return diagnose(text).map(
    ({ code, message, range }) => `${code} ${range?.line ?? 0}:${range?.column ?? 0} ${message}`,
  );
}

function variable(size: number): string {
  return `${HEAD}variables: { x: { default: "${'y'.repeat(size)}" } }\n`;
}

describe('filled text', () => {
  test('that would be longer than any string is refused where it is written', () => {
    const text = `${variable(1_000_000)}outputs:\n  a: "${'${var.x}'.repeat(2000)}"\n`;
    expect(problems(text)).toEqual([
      'too-large 5:6 the texts up to this one would become larger than 16 MiB once their expressions are filled in',
    ]);
  });

  test('around references is counted, too', () => {
    const text = `${variable(MIB)}reserved_addrs: { r: {} }\noutputs:\n  a: "${'${var.x}${reserved_addrs.r.addr}'.repeat(17)}"\n`;
    expect(problems(text).map((one) => one.slice(0, 13))).toEqual(['too-large 6:6']);
  });

  test('is bounded in all', () => {
    const outputs = Array.from({ length: 6 }, (_, index) => `  a${index}: "${'${var.x}'.repeat(4)}"\n`).join('');
    expect(problems(`${variable(MIB)}outputs:\n${outputs}`).map((one) => one.slice(0, 13))).toEqual([
      'too-large 9:7',
      'too-large 10:',
    ]);
  });
});

describe('a file with more than a hundred errors in its text', () => {
  const broken = (count: number) =>
    `${HEAD}failover_backends:\n${Array.from({ length: count }, (_, i) => `  a${i}:\n    backends: [bkdhr_1]\n    description: "x\n`).join('')}`;
  const notLookedAt = 'the file has more than 100 errors, and is not checked any further';

  test('is not checked any further, which one diagnostic says', () => {
    const { diagnostics } = parseFile('f.yaml', broken(1000));
    expect(diagnostics.filter(({ message }) => message === notLookedAt)).toHaveLength(1);
    expect(diagnostics.length).toBe(101);
  });

  test('is read to its end when few are broken', () => {
    const { diagnostics } = parseFile('f.yaml', broken(20));
    expect(diagnostics.map(({ message }) => message)).not.toContain(notLookedAt);
    expect(diagnostics).toHaveLength(20);
  });

  test('is given up in all of its documents and sections together', () => {
    const sections = Array.from({ length: 60 }, (_, i) => `s${i}:\n  a:\n    description: "x\n`).join('');
    const files = parseDocuments('f.yaml', `${sections}---\n${sections}`);
    const found = files.flatMap(({ diagnostics }) => diagnostics);
    expect(found.filter(({ message }) => message === notLookedAt)).toHaveLength(1);
    expect(found.length).toBe(102);
  });
});

describe('lines before and between what is read', () => {
  // Expressions that are tried again from each of these lines would need hours.
  const MANY = 20_000;

  test('comments with Windows line ends stand before a document that begins with its mark, or has none', () => {
    const comments = '# a comment\r\n'.repeat(MANY);
    const body = 'version: 1\r\nstack: shop\r\n';
    expect(problems(`${comments}${body}`)).toEqual([]);
    expect(problems(`${comments}---\r\n${body}`)).toEqual([]);
    expect(problems(`${comments}--- # begins\n${body}`)).toEqual([]);
    expect(problems(`${comments}${body}bogus: [\r\n`)).toHaveLength(1);
  });

  test('empty lines stand before a problem', () => {
    const [found] = diagnose(`${HEAD}${'\n'.repeat(MANY)}bogus: 1\n`);
    expect(found?.range?.line).toBe(HEAD.split('\n').length + MANY);
  });
});

describe('a text with more marks of one kind than the library is given', () => {
  // The others with `npm run test:full`.
  const pieces = ['? a\n', '-\n', '[]\n', 'a:\n', '---\n', ']\n', '&a ', '!a ', '"a"\n', '\ta: 1\n'];
  test.each(byTurns(pieces, 2, 4))('is not read beyond them: %j', (piece) => {
    const [problem, ...others] = parseFile('f.yaml', piece.repeat(270_000)).diagnostics;
    expect(problem?.code).toBe('too-large');
    expect(problem?.fix).toBe('split the stack into several files');
    expect(others).toEqual([]);
  });

  test.each(['\n', '\r\n'])('is read while it has fewer, whichever reader takes it: %j', (end) => {
    const blocks = Array.from({ length: 53_000 }, (_, n) => `  a${n}: { region: eu }${end}`).join('');
    expect(parseFile('f.yaml', `reserved_addrs:${end}${blocks}`).diagnostics).toEqual([]);
  });
});

const outputs = (count: number) =>
  Array.from({ length: count }, (_, index) => `  o${index}: "\${tls_edges.a.id}"\n`).join('');

describe('more problems than the arguments of a call', () => {
  test('are told up to a thousand, each at its place', () => {
    const found = diagnose(`${HEAD}outputs:\n  o: 1\nmoved:\n${'  - {}\n'.repeat(150_000)}`);
    expect(found).toHaveLength(1_001);
    expect(found.at(-1)?.range).toMatchObject({ line: 1_005, column: 5 });
  });

  test('are reported, where each is right in itself', () => {
    const found = diagnose(`${HEAD}outputs:\n${outputs(130_000)}`);
    expect(found).toHaveLength(130_000);
  });

  test('also those of one text', () => {
    const found = diagnose(`${HEAD}outputs:\n  o: "${'${tls_edges.a.id}'.repeat(150_000)}"\n`);
    expect(found.map(({ code }) => code)).toEqual(['unknown-reference']);
  });
});
