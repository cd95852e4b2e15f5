// An event of a run as one log line.

import { paint, type RenderOptions } from '../render-options.ts';
import type { EventView } from '../view/event.ts';
import type { Row } from '../view/view.ts';

/** A step's id, action and object. */
export function rowName({ id, action, address, phase }: Pick<Row, 'id' | 'action' | 'address' | 'phase'>): string {
  return `${id} ${action.word} ${address}${phase}`;
}

/** One line; a step is printed when it has ended. */
export function eventLine(event: EventView, style: RenderOptions): string {
  if (event.is === 'started') return event.sentence;
  const { row, took } = event;
  const { symbol, tone } = row.action;
  const said = row.said[0] === undefined ? '' : `: ${row.said[0]}`;
  const id = row.liveId === undefined ? '' : ` (${row.liveId})`;
  const outcome = `${paint(style, row.tone, row.outcome)} ${row.status === 'done' ? 'in' : 'after'} ${took}`;
  return `  ${paint(style, tone, symbol)} ${rowName(row)}${id} ${outcome}${said}`;
}
