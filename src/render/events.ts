// Events of applying a plan, as log lines and as JSON.

import type { ApplyEvent } from '../apply/event.ts';
import { escapeControls, escapeControlsInJson, escapeTexts } from '../core/text/escape-controls.ts';
import type { RunIdentity } from '../core/run-record.ts';
import { columns } from '../core/text/columns.ts';
import { duration, plural } from '../core/text/text.ts';
import { paint, type RenderOptions } from './render-options.ts';
import { resultOf, type FleetStackOutcome } from './view/stack-outcome.ts';
import { totalsOf } from './view/documents.ts';
import { rowOf } from './view/report.ts';
import type { Row } from './view/view.ts';

const EVENTS_FORMAT = 'edgeform-events/1';

/** One log line, or undefined when a later line says it better; a step is printed when it has ended. */
export function renderEvent(event: ApplyEvent, style: RenderOptions): string | undefined {
  switch (event.type) {
    case 'started': {
      const { stack, service, steps } = event.plan;
      return escapeControls(`Applying ${plural(steps.length, 'step')} to stack ${stack} at ${service}`);
    }
    case 'step-ended':
      return endedLine(escapeTexts(rowOf(event.result, event.step)), duration(event.ms), style);
    case 'step-started':
    case 'finished':
      return undefined;
    default:
      return event satisfies never;
  }
}

/** On a terminal on which it does not fit, a line has no id: the journal has it, and so does a log. */
function endedLine(row: Row, took: string, style: RenderOptions): string {
  const { live_id } = row;
  const lineWith = (id: string, look: RenderOptions) => endedText(row, { id, took, look });
  const whole = live_id === undefined ? '' : ` (${live_id})`;
  const fits = !style.isTerminal || columns(lineWith(whole, { ...style, color: false })) <= style.width;
  return lineWith(fits ? whole : '', style);
}

interface Ended {
  readonly id: string;
  readonly took: string;
  readonly look: RenderOptions;
}

function endedText(row: Row, { id, took, look }: Ended): string {
  const { action, said, tone, outcome, status } = row;
  const error = said[0] === undefined ? '' : `: ${said[0]}`;
  const ended = `${paint(look, tone, outcome)} ${status === 'done' ? 'in' : 'after'} ${took}`;
  return `  ${paint(look, action.tone, action.symbol)} ${rowName(row)}${id} ${ended}${error}`;
}

/** A step's id, action and object. */
export function rowName({ id, action, address, phase }: Pick<Row, 'id' | 'action' | 'address' | 'phase'>): string {
  return `${id} ${action.word} ${address}${phase}`;
}

/** Which stack of several an event is about. */
interface EventSubject {
  readonly stack: string;
  readonly service?: string | undefined;
  /** Undefined in a fleet without waves. */
  readonly wave?: number | undefined;
}

/** One line of JSON; stack, service and wave are given where several stacks take turns. */
export function eventJson(event: ApplyEvent, run: RunIdentity, subject?: EventSubject): string {
  const named = subject && { stack: subject.stack, service: subject.service, wave: subject.wave };
  return escapeControlsInJson(JSON.stringify({ ...eventDocument(event, run), ...named }));
}

/** The line for the begin of a wave. */
export function waveJson(wave: number, stacks: readonly string[]): string {
  return escapeControlsInJson(JSON.stringify({ type: 'wave-started', wave, stacks }));
}

/** The line for a stack of a fleet whose run never began; undefined for any other. */
export function notRunJson(one: FleetStackOutcome): string | undefined {
  if (one.is !== 'blocked' && one.is !== 'not-attempted') return undefined;
  const { stack, service, wave } = one;
  const why = one.is === 'blocked' ? { blocked_by: one.by } : { after_wave: one.after };
  return escapeControlsInJson(JSON.stringify({ type: 'not-run', result: resultOf(one), ...why, stack, service, wave }));
}

function eventDocument(event: ApplyEvent, run: RunIdentity): object {
  switch (event.type) {
    case 'started':
      return { type: event.type, format: EVENTS_FORMAT, stack: event.plan.stack, run, steps: event.plan.steps.length };
    case 'step-started':
      return { type: event.type, id: event.step.id, address: event.step.address, action: event.step.action };
    case 'step-ended': {
      const { id, address, action, status, live_id, error } = event.result;
      return { type: event.type, id, address, action, status, live_id, error, ms: Math.round(event.ms) };
    }
    case 'finished':
      return { type: event.type, run: run.id, totals: totalsOf(event.results) };
    default:
      return event satisfies never;
  }
}
