// The text of a journal: what is written is read, and what is damaged in any byte is never read as something else.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JournalEntry } from '../../src/journal/entry.ts';
import { encodeJournal, operationOf } from '../../src/journal/entry.ts';
import { parseJournal } from '../../src/journal/parse.ts';
import { begin, deletion, intent, journals, outcome, resolved, update } from './sample.ts';

const SMALL: readonly JournalEntry[] = [
  begin('r1'),
  intent('r1', 1),
  outcome(1, 'unknown'),
  begin('r2'),
  resolved('t_1'),
  update('r2', 1, 't_1'),
  outcome(1, 'done'),
  { type: 'stored', address: 'things.a', live_id: 't_1' },
  { type: 'end', run: 'r2', result: 'done' },
];
const TEXT = encodeJournal(SMALL).text;
const codesOf = (text: string) => parseJournal(text).diagnostics.map((one) => one.code);

describe('round trip', () => {
  test('every entry, in any order that runs allow', () => {
    fc.assert(
      fc.property(journals, (entries) => {
        expect(parseJournal(encodeJournal(entries).text)).toEqual({ value: entries, diagnostics: [] });
      }),
      { numRuns: 500 },
    );
  });

  test('any text in any place is on one line, and is read as it was written or not at all', () => {
    const text = fc.string({ unit: fc.constantFrom(...'a"\\{}:,\n\r\u2028\u2029\0\ufeff\ud83d\ude00é'.split('')) });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const entries = [{ ...begin(a), stack: b }, intent(a, 1, { address: b })];
        const encoded = encodeJournal(entries).text;
        expect(encoded.split('\n')).toHaveLength(3);
        const hasForm = [a, b].every((one) => /^a+$/.test(one));
        expect(parseJournal(encoded).value).toEqual(hasForm ? entries : undefined);
      }),
    );
  });
});

describe('damage', () => {
  test('every byte flipped, in every bit and as some hostile values: an error, or the very same entries', () => {
    const bytes = Buffer.from(TEXT);
    const wrong: string[] = [];
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      const others = [1, 2, 4, 8, 16, 32, 64, 128].map((bit) => byte ^ bit);
      for (const value of new Set([...others, 0, 10, 13, 32, 125])) {
        if (value === byte) continue;
        const damaged = Buffer.from(bytes);
        damaged[at] = value;
        const { value: entries, diagnostics } = parseJournal(damaged.toString('utf8'));
        const isRefused = entries === undefined && diagnostics[0]?.code === 'journal-damaged';
        // Only a zero in place of the last line end is read, and then nothing is lost.
        const isSame = JSON.stringify(entries) === JSON.stringify(SMALL) && value === 0 && at === bytes.length - 1;
        if (!isRefused && !isSame) wrong.push(`${at}: ${byte} -> ${value}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('truncated at every length: whole lines with a warning, never nothing', () => {
    const lines = TEXT.split('\n');
    for (let length = 0; length < TEXT.length; length += 1) {
      const { value, diagnostics } = parseJournal(TEXT.slice(0, length));
      const whole = TEXT.slice(0, length).split('\n').length - 1;
      // The line end alone may be missing.
      const isWhole = TEXT[length] === '\n';
      const kept = whole + (isWhole ? 1 : 0);
      const isAtEnd = isWhole || TEXT[length - 1] === '\n';
      expect(value).toEqual(kept === 0 ? undefined : SMALL.slice(0, kept));
      const expected = kept === 0 ? ['journal-damaged'] : isAtEnd ? [] : ['journal-torn'];
      expect(diagnostics.map((one) => one.code)).toEqual(expected);
      expect(kept).toBeLessThan(lines.length);
    }
  });

  test('a line removed, doubled or moved', () => {
    const lines = TEXT.trimEnd().split('\n');
    const text = (list: readonly string[]) => list.map((line) => `${line}\n`).join('');
    lines.forEach((line, at) => {
      const isLast = at === lines.length - 1;
      if (!isLast) expect(codesOf(text(lines.toSpliced(at, 1)))).toEqual(['journal-damaged']);
      expect(codesOf(text(lines.toSpliced(at, 0, line)))).toEqual(['journal-damaged']);
      if (!isLast) expect(codesOf(text(lines.toSpliced(at, 2, lines[at + 1]!, line)))).toEqual(['journal-damaged']);
    });
  });

  test.each([
    ['an empty file', ''],
    ['zeros', '\0\0\0'],
    ['an empty line', `${TEXT}\n`],
    ['words', `${TEXT}gone`],
    ['something after the last line', `${TEXT.trimEnd()}x`],
    ['line ends of another system', TEXT.replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${TEXT}`],
    ['a last line that was edited', TEXT.trimEnd().replace('"result":"done"', '"result":"Done"')],
  ])('%s', (_, text) => {
    expect(codesOf(text)).toEqual(['journal-damaged']);
  });

  test('zeros that a file system left after a torn line are part of it', () => {
    expect(codesOf(`${TEXT}{"c":"abc\0\0\0`)).toEqual(['journal-torn']);
    expect(codesOf(`${TEXT}\0\0\0`)).toEqual([]);
  });

  test('a torn line is read once, however many brackets it has', () => {
    expect(codesOf(`${TEXT}{"c":"${'}'.repeat(1_000_000)}`)).toEqual(['journal-torn']);
    expect(codesOf(`${TEXT}{"c":"abc"${',"a":{}'.repeat(100_000)}`)).toEqual(['journal-torn']);
  });

  test('the message names file, line and what to do', () => {
    const [found] = parseJournal(TEXT.replace('"unknown"', '"done"'), 'x.jsonl').diagnostics;
    expect(found?.message).toBe('"x.jsonl", line 3: does not have its checksum, or a line before it is missing');
    expect(found?.fix).toContain('by hand');
  });

  test.each([1, 3])('version %d is named beside our own', (version) => {
    const text = TEXT.replace('"v":2', `"v":${version}`);
    expect(parseJournal(text).diagnostics[0]?.message).toContain(
      `line 1: the journal has version ${version}, and this edgeform reads version 2`,
    );
  });

  test('fields that this version does not write are refused, with a good checksum, too', () => {
    for (const change of [
      { n: 0 },
      { n: '1' },
      { extra: 1 },
      { method: 'PUT' },
      { live_id: 1 },
      { replaces: 'a/b' },
      { releases: false },
      { type: 'other' },
      { address: undefined },
    ]) {
      const { text } = encodeJournal([begin('r1'), Object.assign({}, intent('r1', 1), change)]);
      expect(codesOf(text), JSON.stringify(change)).toEqual(['journal-damaged']);
    }
  });
});

test('an outcome after an unknown one is the last word', () => {
  const entries = [begin('r1'), intent('r1', 1), outcome(1, 'unknown'), outcome(1, 'done', 't_1')];
  expect(codesOf(encodeJournal(entries).text)).toEqual([]);
});

test('deleting something below an object updates the object', () => {
  expect(operationOf(deletion('r', 1, 't_1'))).toBe('delete');
  expect(operationOf({ ...deletion('r', 1, 't_1'), path: '/things/t_1/part' })).toBe('update');
  expect(operationOf({ ...update('r', 1, 't_1'), releases: true })).toBe('release');
  expect(operationOf(update('r', 1, 't_1'))).toBe('update');
  expect(operationOf(intent('r', 1))).toBe('create');
});
