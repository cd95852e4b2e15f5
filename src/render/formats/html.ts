// A view as an HTML page: how it stands, what stands in the way, what is lost, how much of what, and then every step.

import type { RenderOptions } from '../render-options.ts';
import type { View } from '../view/view.ts';
import { graphSection } from '../html/graph.ts';
import { element, page, stacked, type Markup } from '../html/html.ts';
import { bullets, prose, section, toneBar } from '../html/parts.ts';
import { problemSections } from '../html/problems.ts';
import { countSection, dangerSection, itemSection, rowSection } from '../html/steps.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'html', position: 40, isLog: false, draw: drawHtml } as const satisfies Writer;

function drawHtml(view: View, _style: RenderOptions): string {
  const { is, sentence, at, lists, outputs, rest } = view;
  const problems = problemSections(view);
  const counts = countSection(view);
  const listed = lists.flatMap(({ title, entries }) => section(title, bullets(entries)));
  const values = outputs.flatMap(([name, value]) => [element('dt', name), element('dd', element('code', value))]);
  const ends = section('Outputs', values.length === 0 ? [] : [element('dl', values)]);
  const parts = [
    ...(is === 'drift' ? [] : problems),
    ...dangerSection(view),
    ...(is === 'drift' ? [] : counts),
    ...graphSection(view),
    ...(is === 'report' ? ends : []),
    ...rowSection(view),
    ...itemSection(view),
    ...listed,
    ...(is === 'drift' ? [...counts, ...problems] : []),
    ...(is === 'report' ? [] : ends),
  ];
  return page(at === undefined ? sentence : `${at.stack}: ${sentence}`, [
    header(view),
    element('main', stacked(parts)),
    ...(rest.text === '' ? [] : [element('footer', [element('p', prose(rest.text)), ...bullets(rest.entries)])]),
  ]);
}

function header({ sentence, at, advice, items, rows }: View): Markup {
  const place =
    at === undefined ? [] : [element('p', ['Stack ', element('code', at.stack), ' at ', element('code', at.service)])];
  const [first = '', ...more] = sentence.split(/(?<=\.) /);
  return element('header', [
    ...place,
    element('h1', [first, ...(more.length === 0 ? [] : [' ', element('span', more.join(' '))])]),
    ...toneBar(rows.length > 0 ? rows : items),
    ...(advice === undefined ? [] : [element('p', prose(advice), { class: 'advice' })]),
  ]);
}
