// Logs of GitLab jobs: a section for each item, unfolded where something is lost.

import { expect, test } from 'vitest';
import { format as gitlab } from '../../../src/render/formats/gitlab.ts';
import { drawText } from '../../../src/render/text/text.ts';
import { plain } from '../sample.ts';
import { itemOf, viewOf } from '../view-sample.ts';

const marks = (parts: Parameters<typeof viewOf>[0]) =>
  [...gitlab.draw(viewOf(parts), plain).matchAll(/section_(start|end):0:(\w+)(\[collapsed=true\])?\r/g)].map(
    ([, kind, name, folded]) => [kind, name, folded !== undefined],
  );

test.each([
  {
    name: 'an item is folded',
    items: [itemOf()],
    is: [
      ['start', 'edgeform_step_1', true],
      ['end', 'edgeform_step_1', false],
    ],
  },
  {
    name: 'an item that loses something is not',
    items: [itemOf({ loses: 'much' })],
    is: [
      ['start', 'edgeform_step_1', false],
      ['end', 'edgeform_step_1', false],
    ],
  },
  { name: 'a view without items has no sections', items: [], is: [] },
])('$name', ({ items, is }) => {
  expect(marks({ items })).toEqual(is);
});

test('sections have names of their own and end in their order', () => {
  expect(
    marks({ items: [itemOf(), itemOf(), itemOf()] }).map(([kind, name]) => `${String(kind)} ${String(name).at(-1)}`),
  ).toEqual(['start 1', 'end 1', 'start 2', 'end 2', 'start 3', 'end 3']);
});

test('findings of drift are not folded', () => {
  expect(marks({ is: 'drift', items: [itemOf()] })).toEqual([]);
});

test('without its sections a log is the text', () => {
  const view = viewOf({ items: [itemOf({ why: 'because' })], outputs: [['a', '1']] });
  const bare = gitlab
    .draw(view, plain)
    .replaceAll(/\u001b\[0Ksection_end[^\n]*\n?/g, '')
    .replaceAll(/\u001b\[0Ksection_start[^\r]*\r\u001b\[0K/g, '');
  const words = (text: string) => text.split(/\s+/).join(' ');
  expect(words(bare)).toBe(words(drawText(view, plain)));
});
