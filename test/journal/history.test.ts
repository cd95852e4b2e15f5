// The file of records: what is read of it, and what stays of it when it grows.

import { expect, test } from 'vitest';
import { appendRecord, parseHistory } from '../../src/journal/history.ts';
import { STARTED_BY_NOBODY, type RunRecord } from '../../src/core/run-record.ts';

const record = (run: string, more: Partial<RunRecord> = {}): RunRecord => ({
  v: 1,
  run,
  command: 'apply',
  stack: 'shop',
  service: 'https://api.test/',
  began: '2030-01-01T00:00:00.000Z',
  ended: '2030-01-01T00:00:01.000Z',
  ...STARTED_BY_NOBODY,
  plan: 'sha256:0',
  totals: { done: 1 },
  exit_code: 0,
  steps: [{ address: 'tls_edges.a', action: 'update', status: 'done' }],
  steps_left_out: 0,
  ...more,
});
const lines = (...records: unknown[]) => records.map((one) => `${JSON.stringify(one)}\n`).join('');

/** A file of that text, in memory. */
function fileOf(text: string | undefined) {
  const file = { text };
  return {
    file,
    files: {
      read: () => file.text,
      writeAtomic: (_path: string, whole: string) => {
        file.text = whole;
      },
      openAppender: () => ({
        append: (more: string) => {
          file.text = `${file.text ?? ''}${more}`;
          return Promise.resolve();
        },
        close: () => undefined,
      }),
    },
  };
}

const runsIn = (text: string) => parseHistory(text, 'h').records.map(({ run }) => run);

test.each([
  ['no JSON', 'checked by ops'],
  ['the beginning of a record', '{"v":1,"run":"to'],
  ['a day that does not exist', JSON.stringify(record('x', { ended: '2030-13-99T00:00:00Z' }))],
  ['a link that is none', JSON.stringify(record('x', { link: 'javascript:alert(1)' }))],
  ['another version', JSON.stringify({ ...record('x'), v: 2 })],
  ['no steps', JSON.stringify({ ...record('x'), steps: 'all' })],
  ['a step without an address', JSON.stringify({ ...record('x'), steps: [{}] })],
  ['an exit code that is none', JSON.stringify({ ...record('x'), exit_code: '0' })],
  ['a time that is none', JSON.stringify({ ...record('x'), ended: 'now\u001b[31m' })],
  ['a text without a bound', JSON.stringify({ ...record('x'), actor: 'x'.repeat(5_000) })],
])('%s in place of a record is skipped and named with its line', (_what, line) => {
  const text = `${lines(record('one'))}${line}\n${lines(record('two'))}`;
  const { records, diagnostics } = parseHistory(text, 'h');
  expect(records.map(({ run }) => run)).toEqual(['one', 'two']);
  expect(diagnostics).toMatchObject([{ code: 'history-damaged', severity: 'warning' }]);
  expect(diagnostics[0]?.message).toMatch(/^"h", line 2: .*, and is skipped$/);
});

test('a record after a line that a crash cut is a line of its own', async () => {
  const { file, files } = fileOf(`${lines(record('one'))}{"v":1`);
  await appendRecord('h', record('two'), files);
  expect(runsIn(file.text ?? '')).toEqual(['one', 'two']);
});

test('a file that is full loses its older half, in whole lines', async () => {
  const steps = Array.from({ length: 1_000 }, () => ({
    address: `tls_edges.${'x'.repeat(90)}`,
    action: 'a',
    status: 's',
  }));
  const one = lines(record('0', { steps }));
  const count = Math.floor((8 * 1024 * 1024) / one.length);
  const all = Array.from({ length: count }, (_, at) => record(String(at), { steps }));
  const { file, files } = fileOf(lines(...all));
  await appendRecord('h', record('new', { steps }), files);
  const left = runsIn(file.text ?? '');
  expect(left.at(-1)).toBe('new');
  expect(left.length).toBeGreaterThan(count / 2 - 1);
  expect(left.length).toBeLessThan(count / 2 + 3);
  expect(file.text).toMatch(/^\{"v":1,/);
});

test('of a file that somebody made larger, the newest part is read', () => {
  const text = `${'x'.repeat(9 * 1024 * 1024)}\n${lines(record('one'))}broken\n`;
  const { records, diagnostics } = parseHistory(text, 'h');
  expect(records.map(({ run }) => run)).toEqual(['one']);
  expect(diagnostics[0]?.message).toContain('line 3');
});

test('a torn line that is longer than a file may be takes no record with it, and is named', async () => {
  const torn = `${lines(record('one'), record('two'))}${'A'.repeat(9 * 1024 * 1024)}`;
  expect(runsIn(torn)).toEqual(['one', 'two']);
  expect(parseHistory(torn, 'h').diagnostics).toMatchObject([{ code: 'history-damaged' }]);
  const { file, files } = fileOf(torn);
  await appendRecord('h', record('three'), files);
  expect(runsIn(file.text ?? '')).toEqual(['one', 'two', 'three']);
});
