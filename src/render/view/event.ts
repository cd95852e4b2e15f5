// What happens while a plan is applied.

import type { ApplyEvent } from '../../apply/event.ts';
import { plural } from '../../core/text.ts';
import { escapeControls } from '../../core/escape-controls.ts';
import { SIGNS } from './plan.ts';
import { phaseLabel, rowOf } from './report.ts';
import type { Row } from './view.ts';

/** A run begins, a step begins, or it has ended. */
export type EventView =
  | { readonly is: 'started'; readonly sentence: string }
  | { readonly is: 'begun'; readonly step: Pick<Row, 'id' | 'action' | 'address' | 'phase'> }
  | { readonly is: 'ended'; readonly row: Row };

/** Undefined for what the report says better. */
export function eventView(event: ApplyEvent): EventView | undefined {
  switch (event.type) {
    case 'started': {
      const { stack, service, steps } = event.plan;
      return {
        is: 'started',
        sentence: `Applying ${plural(steps.length, 'step')} to stack ${escapeControls(stack)} at ${escapeControls(service)}`,
      };
    }
    case 'step-started': {
      const { id, action, address, phase } = event.step;
      return {
        is: 'begun',
        step: { id, action: SIGNS[action], address: escapeControls(address), phase: phaseLabel(phase) },
      };
    }
    case 'step-ended':
      return { is: 'ended', row: rowOf(event.result, event.step) };
    case 'finished':
      return undefined;
    default:
      return event satisfies never;
  }
}
