// Tries readers on edited texts. A case is a number: it draws the reader, the text and the edits, so that it can be repeated.
// Every reader ends with a value or with problems, each problem has a place inside its file, and the operations are linear in
// the size of the text, whatever is wrong with it.

import type { Diagnostic, SourceRange } from '../../../src/core/diagnostic.ts';
import { chanceOf } from '../../support/chance.ts';
import { drawEdits, EDITS, repeatBody, type Chance } from './edits.ts';
import { countOperations } from './operations.ts';
import type { TextReader } from './readers.ts';

/** What a short text may cost: suggestions, tables that are made once, and one hundred broken blocks. */
const FREE = 3_000_000;
/** What each further character may cost. A good manifest costs about thirty; the YAML library takes most of them. */
const EACH = 500;
/** Twice the text may cost so many times as much for each character that was added. */
const MAX_GROWTH = 1.6;

type TextReaders = Readonly<Record<string, TextReader>>;

export interface TextCase {
  readonly seed: number;
  readonly reader: string;
  readonly edits: readonly string[];
  /** The text with repetitions of so many times. */
  readonly textAt: (times: number) => string;
  readonly times: number;
}

export interface TextFinding {
  readonly seed: number;
  readonly what: string;
}

/** The case of a number; `most` limits the size of its text. The first ones repeat each example, and others draw edits. */
export function caseOf(readers: TextReaders, seed: number, most: number): TextCase {
  const all = Object.entries(readers).flatMap(([reader, { seeds }]) => seeds.map((text) => ({ reader, text })));
  const repeated = all[Math.floor(seed / 2)];
  if (repeated === undefined) return drawnCase(readers, seed, most);
  const { reader, text } = repeated;
  const isSame = seed % 2 === 0;
  const textAt = (count: number) => repeatBody(text, count, isSame).slice(0, most);
  const times = Math.min(2_000, Math.ceil(most / Math.max(1, text.length - 22)));
  return { seed, reader, edits: [isSame ? 'repeat everything' : 'repeat everything under other names'], textAt, times };
}

/** How many cases repeat an example. */
export function countOfRepeated(readers: TextReaders): number {
  return 2 * Object.values(readers).reduce((sum, { seeds }) => sum + seeds.length, 0);
}

function drawnCase(readers: TextReaders, seed: number, most: number): TextCase {
  const chance = numbersFrom(seed);
  const names = Object.keys(readers);
  const reader = names[Math.floor(chance() * names.length)] ?? '';
  const seeds = readers[reader]?.seeds ?? [];
  const text = seeds[Math.floor(chance() * seeds.length)] ?? '';
  const edits = drawEdits(chance);
  const times = Math.ceil(2_000 ** chance());
  const first = chance() * 1_000_000;
  const textAt = (count: number) => {
    const own = numbersFrom(first);
    return edits.reduce((left, name) => (EDITS[name]?.(left, own, count) ?? left).slice(0, most), text);
  };
  return { seed, reader, edits, textAt, times };
}

/** A number from 0 to 1, always the same ones for a seed. */
function numbersFrom(seed: number): Chance {
  const chance = chanceOf(seed);
  return () => chance(1_000_000) / 1_000_000;
}

/** What is wrong with how the reader took the case; undefined if nothing is. */
export function tryCase(readers: TextReaders, one: TextCase): TextFinding | undefined {
  const reader = readers[one.reader];
  if (reader === undefined) return undefined;
  const what = wrongIn(reader, one);
  return what === undefined ? undefined : { seed: one.seed, what: `${one.reader}, ${one.edits.join(', ')}: ${what}` };
}

interface Measured {
  readonly length: number;
  readonly operations: number;
}

/** A text, and what its reader made of it. */
interface Reading {
  readonly text: string;
  problems: readonly Diagnostic[];
  thrown: unknown;
}

function wrongIn(reader: TextReader, { textAt, times }: TextCase): string | undefined {
  const sizes = [Math.ceil(times / 4), Math.ceil(times / 2), times];
  const readings = sizes.map((count): Reading => ({ text: textAt(count), problems: [], thrown: undefined }));
  const operations = countOperations(readings.map((reading) => () => read(reader, reading)));
  for (const { text, problems, thrown } of readings) {
    if (thrown !== undefined) return `throws ${describe(thrown)}`;
    const outside = problems
      .map(({ range }) => range)
      .find((range) => range !== undefined && !isInside(range, reader, text));
    if (outside !== undefined) return `a problem is outside the file, at ${outside.line}:${outside.column}`;
  }
  return tooMany(readings.map(({ text }, index) => ({ length: text.length, operations: operations[index] ?? 0 })));
}

function read(reader: TextReader, reading: Reading): void {
  try {
    reading.problems = reader.read(reading.text);
  } catch (error) {
    reading.thrown = error;
  }
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message).slice(0, 600) : String(thrown);
}

function isInside({ file, line, column, endLine, endColumn }: SourceRange, reader: TextReader, text: string): boolean {
  // A problem inside an example of a policy has the place of the example.
  if (file !== reader.file) return false;
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const [first, last] = [lines[line - 1], lines[endLine - 1]];
  if (first === undefined || last === undefined) return false;
  return column >= 1 && column <= first.length + 2 && endColumn >= 1 && endColumn <= last.length + 2;
}

/** Says when operations grow faster than the text. */
function tooMany(measured: readonly Measured[]): string | undefined {
  const [small, middle, large] = measured;
  if (small === undefined || middle === undefined || large === undefined) return undefined;
  const over = measured.find(({ length, operations }) => operations > FREE + EACH * length);
  if (over !== undefined) return `${over.operations} operations for ${over.length} characters`;
  const [before, after] = [growthOf(small, middle), growthOf(middle, large)];
  if (large.operations < FREE || before === undefined || after === undefined) return undefined;
  // A longer text may be given up earlier, and cost less.
  if (after <= Math.max(0, before) * MAX_GROWTH + EACH / 2) return undefined;
  return `each further character costs ${Math.round(before)} operations, and then ${Math.round(after)}`;
}

/** Operations for each character that was added. */
function growthOf(from: Measured, to: Measured): number | undefined {
  const added = to.length - from.length;
  return added < 500 ? undefined : (to.operations - from.operations) / added;
}

export interface TextRun {
  readonly from: number;
  /** The distance between two cases. */
  readonly every: number;
  readonly isOver: (tried: number) => boolean;
  readonly most: number;
}

/** Tries one case after the other, and returns what was found. */
export function tryTexts(readers: TextReaders, { from, every, isOver, most }: TextRun) {
  const findings: TextFinding[] = [];
  let tried = 0;
  for (; !isOver(tried); tried += 1) {
    const found = tryCase(readers, caseOf(readers, from + tried * every, most));
    if (found !== undefined) findings.push(found);
  }
  return { tried, findings };
}

/** Throws unless loops, searches and readers that are wrong are noticed: counts that see nothing would find nothing. */
export function checkCounting(): void {
  const linear = WRONG_READERS['takes the square'];
  const counts = countOperations([1, 2].map((times) => () => void linear?.('x'.repeat(times * 1_000))));
  const [once = 0, twice = 0] = counts;
  if (once < 1_000_000 || twice < 3.9 * once) throw new Error(`operations are not counted: ${counts.join(', ')}`);
  for (const [name, read] of Object.entries(WRONG_READERS)) {
    const table = { wrong: { file: 'f.yaml', seeds: [], read } };
    const textAt = (count: number) => 'a: 1\n'.repeat(count);
    const found = tryCase(table, { seed: 0, reader: 'wrong', edits: [], textAt, times: 800 });
    if (found === undefined) throw new Error(`a reader that ${name} is not found`);
  }
}

const WRONG_READERS: Readonly<Record<string, TextReader['read']>> = {
  throws: () => {
    throw new RangeError('too deep');
  },
  'puts a problem outside': (text) => {
    const [line, column] = [text.split('\n').length + 5, 1];
    const range = { file: 'f.yaml', line, column, endLine: line, endColumn: column };
    return [{ code: 'yaml-syntax', severity: 'error', message: 'x', range }];
  },
  'takes the square': (text) => {
    let sum = 0;
    for (let a = 0; a < text.length; a += 1) for (let b = 0; b < text.length; b += 1) sum += a ^ b;
    return sum === -1 ? [{ code: 'yaml-syntax', severity: 'error', message: 'x' }] : [];
  },
  'searches from each place': (text) => {
    for (let at = 0; at < text.length; at += 1) if (text.slice(at).indexOf('y') > 0) return [];
    return [];
  },
};
