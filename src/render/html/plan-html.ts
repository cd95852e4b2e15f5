// A plan, a report and problems as HTML pages.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Output, Problem, ResultRow, StepSection } from '../document.ts';
import { totals } from '../text/diagnostic.ts';
import { diagnosticProblems, HEADINGS, PROBLEM_GROUPS, planDocument, runDocument } from '../document.ts';
import type { Content, Markup } from './html.ts';
import { element, page, stacked } from './html.ts';
import type { Ending } from '../json/json.ts';
import { phaseWords, WORDS } from '../text/report.ts';
import { SYMBOLS } from '../text/step.ts';
import type { Style } from '../style.ts';
import type { Line } from '../text/value.ts';

/** More steps than this are folded, but for those that take something away. */
const MAX_OPEN = 30;

export function planHtml(plan: Plan, style: Style): string {
  const { stack, service, verdict, problems, steps, outputs, facts } = planDocument(plan, style);
  return page(`${stack}: ${verdict}`, [
    heading(verdict, stack, service),
    ...problemSections(problems),
    ...(steps.length === 0 ? [] : [element('h2', 'Steps'), stepTable(steps)]),
    ...(style.detail === 'names' || steps.length === 0 ? [] : [element('h2', 'Changes')]),
    ...(style.detail === 'names' ? [] : steps.map((step, index) => stepDetails(step, index, steps.length))),
    ...outputList(outputs),
    ...(facts.length === 0 ? [] : [element('footer', facts.join(' '))]),
  ]);
}

export function reportHtml(ending: Ending): string {
  const { stack, service, sentence, advice, problems, rows, outputs } = runDocument(ending);
  return page(`${stack}: ${sentence}`, [
    heading(sentence, stack, service),
    ...(advice === undefined ? [] : [element('p', element('strong', advice))]),
    ...problemSections(problems),
    ...(rows.length === 0 ? [] : [element('h2', 'Steps'), resultTable(rows)]),
    ...outputList(outputs),
  ]);
}

export function diagnosticsHtml(diagnostics: readonly Diagnostic[]): string {
  const sentence = `${totals(diagnostics) || 'No problems found'}.`;
  return page(sentence, [
    element('header', element('h1', sentence)),
    ...problemSections(diagnosticProblems(diagnostics)),
  ]);
}

function heading(sentence: string, stack: string, service: string): Markup {
  const place = element('p', ['Stack ', element('code', stack), ' at ', element('code', service)]);
  return element('header', [element('h1', sentence), place]);
}

function problemSections(problems: readonly Problem[]): Markup[] {
  return PROBLEM_GROUPS.flatMap((group) => {
    const members = problems.filter((problem) => problem.group === group);
    if (members.length === 0) return [];
    const list = element('ul', stacked(members.map(problemItem)));
    return [element('section', [element('h2', HEADINGS[group]), list], { class: `problems ${group}` })];
  });
}

function problemItem({ code, text, place, addresses, facts }: Problem): Markup {
  const at: Content = place === undefined ? '' : [element('code', `${place.file}:${place.line}:${place.column}`), ' '];
  const name: Content = code === undefined ? '' : [' ', element('code', `[${code}]`, { class: 'meta' })];
  const list: Content =
    addresses.length === 0
      ? ''
      : element(
          'ul',
          addresses.map((address) => element('li', element('code', address))),
        );
  return element('li', [
    at,
    prose(text),
    name,
    list,
    facts.map(({ lead, text: what, isCode }) =>
      element('p', [`${lead} `, isCode ? element('code', what) : prose(what)]),
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

function actionCell(action: StepSection['action'], words: string): Markup {
  return element(
    'td',
    element('span', [element('span', SYMBOLS[action], { class: 'sym' }), ` ${words}`], {
      class: `act ${action}`,
    }),
  );
}

function stepTable(steps: readonly StepSection[]): Markup {
  const rows = steps.map((step, index) => {
    const isShown = step.lines.length + step.requests.length > 0;
    const name = isShown
      ? element('a', element('code', step.address), { href: `#step-${index + 1}` })
      : element('code', step.address);
    return element('tr', [
      actionCell(step.action, step.action),
      element('td', [name, idText(step.liveId)]),
      element('td', words(step)),
    ]);
  });
  return table(['Action', 'Address', 'What'], rows);
}

function idText(liveId: string | undefined): Content {
  return liveId === undefined ? '' : [' ', element('code', liveId, { class: 'meta' })];
}

function words({ why, loses, fields, drifted }: StepSection): Markup[] {
  const names = (list: readonly string[]): Content =>
    list.map((name, index) => [index === 0 ? '' : ', ', element('code', name)]);
  return [
    ...(why === undefined ? [] : [element('p', prose(why))]),
    ...(fields.length === 0 ? [] : [element('p', names(fields))]),
    ...(drifted.length === 0 ? [] : [element('p', ['changed outside: ', names(drifted)])]),
    ...(loses === undefined ? [] : [element('p', [element('strong', 'loses: '), prose(loses)], { class: 'loses' })]),
  ];
}

function stepDetails(step: StepSection, index: number, count: number): Markup {
  const { action, address, liveId, meta, why, loses, lines, requests } = step;
  if (lines.length + requests.length === 0) return { markup: '' };
  const sign = element('span', SYMBOLS[action], { class: 'sym' });
  const title = [
    element('span', [sign, ` ${action}`], { class: `act ${action}` }),
    ' ',
    element('code', address),
    idText(liveId),
  ];
  const body = [
    element('p', meta, { class: 'meta' }),
    ...(why === undefined ? [] : [element('p', prose(why))]),
    ...(loses === undefined ? [] : [element('p', [element('strong', 'loses: '), prose(loses)], { class: 'loses' })]),
    ...(lines.length === 0 ? [] : [element('pre', lines.map(diffLine))]),
    ...(requests.length === 0
      ? []
      : [
          element(
            'pre',
            requests.map((line) => element('span', line)),
          ),
        ]),
  ];
  const isOpen = count <= MAX_OPEN || loses !== undefined;
  return element('details', [element('summary', title), element('div', body, { class: 'body' })], {
    id: `step-${index + 1}`,
    ...(isOpen && { open: '' }),
  });
}

function diffLine({ mark, depth, text }: Line): Markup {
  const content = `${mark} ${'  '.repeat(depth)}${text}`.trimEnd();
  if (mark === '+') return element('ins', content);
  if (mark === '-') return element('del', content);
  return mark === '~' ? element('span', content, { class: 'changed' }) : element('span', content);
}

function resultTable(rows: readonly ResultRow[]): Markup {
  const lines = rows.map(({ action, address, liveId, phase, status, error }) =>
    element('tr', [
      actionCell(action, `${action}${phaseWords(phase)}`),
      element('td', [element('code', address), idText(liveId)]),
      element('td', element('span', WORDS[status], { class: `status ${status}` })),
      element('td', prose(error ?? '')),
    ]),
  );
  return table(['Action', 'Address', 'Outcome', 'Why'], lines);
}

function outputList(outputs: readonly Output[]): Markup[] {
  if (outputs.length === 0) return [];
  const rows = outputs.flatMap(([name, value]) => [element('dt', name), element('dd', element('code', value))]);
  return [element('h2', 'Outputs'), element('dl', rows)];
}
