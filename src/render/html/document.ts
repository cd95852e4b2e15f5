// A view as an HTML page.

import type { RenderOptions } from '../render-options.ts';
import type { Line } from '../view/value.ts';
import type { Item, List, Problem, Row, Sign, View } from '../view/view.ts';
import { factsOf, HEADINGS, headline, placeText, PROBLEM_GROUPS } from '../view/view.ts';
import type { Content, Markup } from './html.ts';
import { element, page, stacked } from './html.ts';

/** More steps than this are folded, but for those that take something away. */
const MAX_OPEN = 30;

export function drawHtml(view: View, _style: RenderOptions): string {
  const { is, sentence, at, advice, items, rows, lists, outputs, rest } = view;
  const problems = problemSections(view);
  const changes = items.map((item, index) => changeDetails(item, index, items.length));
  return page(at === undefined ? sentence : `${at.stack}: ${sentence}`, [
    heading(sentence, at),
    ...(advice === undefined ? [] : [element('p', element('strong', advice))]),
    ...(is === 'drift' ? [] : problems),
    ...titled('Steps', rows.length === 0 ? [] : [rowTable(rows)]),
    ...titled(
      is === 'drift' ? 'Findings' : 'Steps',
      items.length === 0 ? [] : [itemTable(items, is === 'drift' ? 'Finding' : 'Action')],
    ),
    ...titled('Changes', changes.flat()),
    ...lists.flatMap(listSection),
    ...(is === 'drift' ? problems : []),
    ...titled('Outputs', outputs.length === 0 ? [] : [outputList(outputs)]),
    ...(rest.text === '' ? [] : [element('footer', [rest.text, ...bullets(rest.entries)])]),
  ]);
}

function titled(title: string, parts: readonly Markup[]): Markup[] {
  return parts.length === 0 ? [] : [element('h2', title), ...parts];
}

function heading(sentence: string, at: View['at']): Markup {
  const place =
    at === undefined ? [] : element('p', ['Stack ', element('code', at.stack), ' at ', element('code', at.service)]);
  return element('header', [element('h1', sentence), place]);
}

function bullets(entries: readonly string[]): Markup[] {
  return entries.length === 0 ? [] : [element('ul', stacked(entries.map((entry) => element('li', prose(entry)))))];
}

function listSection({ title, entries }: List): Markup[] {
  return titled(title, bullets(entries));
}

function problemSections({ problems, more }: View): Markup[] {
  const sections = PROBLEM_GROUPS.flatMap((group) => {
    const members = problems.filter((problem) => problem.group === group);
    if (members.length === 0) return [];
    const list = element('ul', stacked(members.map(problemItem)));
    return [element('section', [element('h2', HEADINGS[group]), list], { class: `problems ${group}` })];
  });
  return [...sections, ...bullets(more)];
}

function problemItem(problem: Problem): Markup {
  const { code, place, addresses } = problem;
  return element('li', [
    place === undefined ? '' : [element('code', placeText(place)), ' '],
    prose(headline(problem)),
    code === undefined ? '' : [' ', element('code', `[${code}]`, { class: 'meta' })],
    addresses.length === 0
      ? ''
      : element(
          'ul',
          addresses.map((address) => element('li', element('code', address))),
        ),
    factsOf(problem).map(({ lead, text, isCode }) =>
      element('p', [`${lead} `, isCode ? element('code', text) : prose(text)]),
    ),
  ]);
}

/** A sentence; what stands between back quotes is code. */
function prose(text: string): Content {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? element('code', part) : part));
}

function table(head: readonly string[], rows: readonly Markup[]): Markup {
  const titles = head.map((title) => element('th', title, { scope: 'col' }));
  return element('table', [element('thead', element('tr', titles)), element('tbody', stacked(rows))]);
}

function signText({ symbol, word, tone: style }: Sign, phase = ''): Markup {
  return element('span', [element('span', symbol, { class: 'sym' }), ` ${word}${phase}`], { class: `act ${style}` });
}

function idText(liveId: string | undefined): Content {
  return liveId === undefined ? '' : [' ', element('code', liveId, { class: 'meta' })];
}

function hasDetails({ lines, requests }: Item): boolean {
  return lines.length + requests.length > 0;
}

function itemTable(items: readonly Item[], first: string): Markup {
  const rows = items.map((item, index) => {
    const address = element('code', item.address);
    const name = hasDetails(item) ? element('a', address, { href: `#step-${index + 1}` }) : address;
    return element('tr', [
      element('td', signText(item)),
      element('td', [name, idText(item.liveId)]),
      element('td', whatOf(item)),
    ]);
  });
  return table([first, 'Address', 'What'], rows);
}

function whatOf(item: Item): Markup[] {
  const names = (list: readonly string[]): Content =>
    list.map((name, index) => [index === 0 ? '' : ', ', element('code', name)]);
  return [
    ...whyOf(item),
    ...(item.fields.length === 0 ? [] : [element('p', names(item.fields))]),
    ...item.causes.map(({ words, fields }) => element('p', [`${words}: `, names(fields)])),
    ...item.notes.map((note) => element('p', prose(note))),
    ...lossOf(item),
  ];
}

function whyOf({ why }: Item): Markup[] {
  return why === undefined ? [] : [element('p', prose(why))];
}

function lossOf({ loses }: Item): Markup[] {
  return loses === undefined ? [] : [element('p', [element('strong', 'loses: '), prose(loses)], { class: 'loses' })];
}

function changeDetails(item: Item, index: number, count: number): Markup[] {
  if (!hasDetails(item)) return [];
  const { address, liveId, meta, loses, lines, requests } = item;
  const blocks = [lines.map(diffLine), requests.map((line) => element('span', line))];
  const body = [
    ...(meta === '' ? [] : [element('p', meta, { class: 'meta' })]),
    ...whyOf(item),
    ...lossOf(item),
    ...blocks.filter((block) => block.length > 0).map((block) => element('pre', block)),
  ];
  const summary = element('summary', [signText(item), ' ', element('code', address), idText(liveId)]);
  const isOpen = count <= MAX_OPEN || loses !== undefined;
  const attributes = { id: `step-${index + 1}`, ...(isOpen && { open: '' }) };
  return [element('details', [summary, element('div', body, { class: 'body' })], attributes)];
}

const TAGS = { '+': 'ins', '-': 'del', '~': 'span', ' ': 'span' } as const;

function diffLine({ mark, depth, text }: Line): Markup {
  const content = `${mark} ${'  '.repeat(depth)}${text}`.trimEnd();
  return element(TAGS[mark], content, mark === '~' ? { class: 'changed' } : {});
}

function rowTable(rows: readonly Row[]): Markup {
  const lines = rows.map(({ action, address, liveId, phase, outcome, tone: style, said }) =>
    element('tr', [
      element('td', signText(action, phase)),
      element('td', [element('code', address), idText(liveId)]),
      element('td', element('span', outcome, { class: `status ${style}` })),
      element('td', prose(said.join('; '))),
    ]),
  );
  return table(['Action', 'Address', 'Outcome', 'Why'], lines);
}

function outputList(outputs: View['outputs']): Markup {
  const rows = outputs.flatMap(([name, value]) => [element('dt', name), element('dd', element('code', value))]);
  return element('dl', rows);
}
