// A view as an HTML page: the summary line, problems, losses, counts, and then every step.

import { groupBy } from '../../core/group.ts';
import { groupsOf, headline, placeText, type Problem, type Sign, type View } from '../view/view.ts';
import { element, HIDDEN, page, prose, section, stacked, type Content, type Markup } from '../html/html.ts';
import { countSection, dangerSection, listSections } from '../html/steps.ts';
import type { Writer } from '../writer.ts';

export const format = { name: 'html', position: 40, isLog: false, draw: drawHtml } as const satisfies Writer;

function drawHtml(view: View): string {
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
    ...(is === 'report' ? ends : []),
    ...listSections(view),
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

/** The number of items per tone as a bar, decorative only. */
function toneBar(signs: readonly Pick<Sign, 'tone'>[]): Markup[] {
  const byTone = groupBy(signs, ({ tone }) => tone);
  let at = 0;
  const parts = [...byTone].map(([tone, { length }]) => {
    const part = element('rect', '', { class: tone, x: at, width: length, height: 1 });
    at += length;
    return part;
  });
  const box = { class: 'bar', viewBox: `0 0 ${at} 1`, preserveAspectRatio: 'none', ...HIDDEN };
  return at === 0 ? [] : [element('svg', parts, box)];
}

/** A section per group, in order. */
function problemSections({ problems, more }: View): Markup[] {
  const sections = groupsOf(problems).flatMap(({ group, title, members }) => {
    const list = element('ul', stacked(members.map(problemItem)));
    return section(title, [list], `problems ${group === 'warning' ? 'warn' : 'bad'}`);
  });
  return [...sections, ...bullets(more)];
}

function problemItem(problem: Problem): Markup {
  const { code, addresses, related, details } = problem;
  const names = addresses.map((address) => element('li', element('code', address)));
  return element('li', [
    prose(headline(problem)),
    code === undefined ? '' : [' ', element('code', code, { class: 'meta' })],
    placeParts(problem),
    names.length === 0 ? '' : element('ul', names),
    related.map((other) => [element('p', ['see also: ', prose(other.text)]), placeParts(other)]),
    details.map(({ lead, text, isCode }) =>
      element('p', [element('span', lead, { class: 'meta' }), ' ', isCode ? element('code', text) : prose(text)]),
    ),
  ]);
}

function placeParts({ place, frame }: Pick<Problem, 'place' | 'frame'>): Content {
  if (place === undefined) return '';
  const name = element('p', element('code', placeText(place)), { class: 'meta' });
  return frame === undefined ? name : [name, frameBlock(place.line, frame)];
}

function frameBlock(number: number, { before, line, lead, length }: NonNullable<Problem['frame']>): Markup {
  const letters = Array.from(line);
  const marked = [
    letters.slice(0, lead).join(''),
    element('mark', letters.slice(lead, lead + length).join('') || ' '),
    letters.slice(lead + length).join(''),
  ];
  const numbered = (at: number, content: Content) =>
    element('span', [element('span', String(at).padStart(String(number).length), { class: 'meta' }), '  ', content]);
  return element('pre', [...(number > 1 ? [numbered(number - 1, before)] : []), numbered(number, marked)], {
    class: 'frame',
  });
}

function bullets(entries: readonly string[]): Markup[] {
  const items = entries.map((entry) => element('li', prose(entry)));
  return items.length === 0 ? [] : [element('ul', items)];
}
