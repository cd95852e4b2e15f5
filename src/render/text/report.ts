// The result of a run: totals, problems and what to do next.

import { paint, type RenderOptions } from '../render-options.ts';
import type { EventView } from '../view/event.ts';
import type { Row, View } from '../view/view.ts';
import { fitted, indented, wrap } from './lines.ts';

/** Number of problems shown after an interruption: whoever stopped the run waits for its end. */
const FEW = 5;
const MARGIN = 16;

/** Totals first and last, problems between. */
export function reportBlocks({ sentence, rows, advice, isBrief }: View, style: RenderOptions): string[][] {
  const strong = fitted(sentence, style).map((line) => paint(style, 'strong', line));
  const problems = rows.filter(({ status }) => status !== 'done');
  if (problems.length === 0) return [strong];
  const shown = problems.slice(0, isBrief ? FEW : Infinity);
  const more = problems.length - shown.length;
  return [
    strong,
    [
      ...shown.flatMap((row) => [
        ...headLines(row, style),
        ...(isBrief ? [] : row.said.flatMap((text) => indented(text, style.width, ' '.repeat(MARGIN)))),
      ]),
      ...(more > 0 ? [`… and ${more} more; --format json and the journal have them all`] : []),
    ],
    [...wrap(advice ?? '', style.width, ''), ...strong],
  ];
}

function headLines(row: Row, style: RenderOptions): string[] {
  const outcome = row.outcome.padEnd(MARGIN - 3);
  const whole = `${outcome} ${rowName(row)}${idText(row)}`;
  const [first = '', ...rest] = fitted(whole, style, ' '.repeat(MARGIN));
  return [`${paint(style, row.tone, outcome)}${first.slice(outcome.length)}`, ...rest];
}

/** A step's id, action and object. */
export function rowName({ id, action, address, phase }: Pick<Row, 'id' | 'action' | 'address' | 'phase'>): string {
  return `${id} ${action.word} ${address}${phase}`;
}

function idText({ liveId }: Row): string {
  return liveId === undefined ? '' : ` (${liveId})`;
}

/** One line; a step is printed when it has ended. */
export function eventLine(event: EventView, style: RenderOptions): string {
  if (event.is === 'started') return event.sentence;
  const { row, took } = event;
  const { symbol, tone } = row.action;
  const said = row.said[0] === undefined ? '' : `: ${row.said[0]}`;
  const outcome = `${paint(style, row.tone, row.outcome)} ${row.status === 'done' ? 'in' : 'after'} ${took}`;
  return `  ${paint(style, tone, symbol)} ${rowName(row)}${idText(row)} ${outcome}${said}`;
}
