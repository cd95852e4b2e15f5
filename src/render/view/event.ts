// Events of applying a plan.

import type { ApplyEvent } from '../../apply/event.ts';
import { duration, plural } from '../../core/text/text.ts';
import { totalsOf } from './documents.ts';
import { escapeControlsInJson } from '../../core/text/escape-controls.ts';
import { rowOf } from './report.ts';
import type { Row } from './view.ts';

const EVENTS_FORMAT = 'edgeform-events/1';

/** A run starts, or a step has ended. */
export type EventView =
  | { readonly is: 'started'; readonly sentence: string }
  | { readonly is: 'ended'; readonly row: Row; readonly took: string };

/** Undefined when a later event or the report says it better. */
export function eventView(event: ApplyEvent): EventView | undefined {
  switch (event.type) {
    case 'started': {
      const { stack, service, steps } = event.plan;
      return { is: 'started', sentence: `Applying ${plural(steps.length, 'step')} to stack ${stack} at ${service}` };
    }
    case 'step-ended':
      return { is: 'ended', row: rowOf(event.result, event.step), took: duration(event.ms) };
    case 'step-started':
    case 'finished':
      return undefined;
    default:
      return event satisfies never;
  }
}

/** One line of JSON; `stack` is given where several stacks take turns. */
export function eventJson(event: ApplyEvent, stack?: string): string {
  return escapeControlsInJson(JSON.stringify({ ...eventDocument(event), ...(stack !== undefined && { stack }) }));
}

function eventDocument(event: ApplyEvent): object {
  switch (event.type) {
    case 'started':
      return { type: event.type, format: EVENTS_FORMAT, stack: event.plan.stack, steps: event.plan.steps.length };
    case 'step-started':
      return { type: event.type, id: event.step.id, address: event.step.address, action: event.step.action };
    case 'step-ended': {
      const { id, address, action, status, live_id, error } = event.result;
      return { type: event.type, id, address, action, status, live_id, error, ms: Math.round(event.ms) };
    }
    case 'finished':
      return { type: event.type, totals: totalsOf(event.results) };
    default:
      return event satisfies never;
  }
}
