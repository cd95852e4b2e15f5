// What a run did, for people: its sentence first and last, and between only what needs them.

import { describe, expect, test } from 'vitest';
import { drawText } from '../../../src/render/text/text.ts';
import type { RenderOptions } from '../../../src/render/render-options.ts';
import { plain } from '../sample.ts';
import { PLACE, rowOf, viewOf } from '../view-sample.ts';

const done = rowOf({ status: 'done', outcome: 'done', tone: 'good' });
const blocksOf = (parts: Parameters<typeof viewOf>[0], style: RenderOptions = plain) =>
  drawText(viewOf({ is: 'report', advice: 'Do it again.', ...parts }), style)
    .split('\n\n')
    .map((part) => part.split('\n'));

describe('a report', () => {
  test.each([
    { name: 'without steps is its sentence', rows: [] },
    { name: 'of steps that were all done is its sentence', rows: [done, done] },
  ])('$name', ({ rows }) => {
    expect(blocksOf({ rows })).toEqual([['The sentence.']]);
  });

  test('names what was not done, why, and what to do', () => {
    const rows = [
      rowOf({ live_id: 'edgtls_1', phase: ' (new object)', place: PLACE, said: ['it was refused', 'one more'] }),
      done,
    ];
    expect(blocksOf({ rows })).toEqual([
      ['The sentence.'],
      [
        'failed  s1 + create (new object) tls_edges.a (edgtls_1)',
        '        it was refused',
        '        one more',
        '        edgeform.yaml:12:3',
      ],
      ['Do it again.', 'The sentence.'],
    ]);
  });

  test('is wrapped at words on a terminal, and nowhere else', () => {
    const parts = {
      sentence: 'word '.repeat(20).trim(),
      rows: [rowOf({ address: 'a'.repeat(30), live_id: 'b'.repeat(30) })],
    };
    const whole = blocksOf(parts).flat();
    const shown = blocksOf(parts, { ...plain, width: 60, isTerminal: true }).flat();
    expect(shown.filter((line) => line.length > 60)).toEqual([]);
    expect(shown.join(' ').split(/ +/)).toEqual(whole.join(' ').split(/ +/));
    expect(whole.filter((line) => line.length > 60)).toHaveLength(3);
  });

  test('keeps long reasons within the terminal', () => {
    const [, shown = []] = blocksOf({ rows: [rowOf({ said: ['word '.repeat(40).trim()] })] });
    expect(shown.filter((line) => line.length > plain.width)).toEqual([]);
  });
});
