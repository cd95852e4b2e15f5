// What is under way in a run, derived from its events. Each event has a constant cost, however many steps there are.

import type { ApplyEvent } from '../../apply/event.ts';
import { truncateMiddle } from '../../core/bounds.ts';
import type { Clock } from '../../platform/clock.ts';
import type { RunEvent } from '../../reconcile/run.ts';
import type { Progress, RunningStep } from '../../render/text/progress.ts';
import { rowName } from '../../render/text/report.ts';
import { stepName } from '../../render/view/report.ts';

/** Longer than any address in a manifest. */
const LONGEST_NAME = 200;

export function createRunState({ now }: Clock) {
  const running = new Map<string, RunningStep>();
  let state: Progress = {};
  const noteStep = (event: ApplyEvent) => {
    if (event.type === 'started') {
      running.clear();
      state = { steps: { total: event.plan.steps.length, done: 0, failed: 0, running, since: now() } };
    } else if (event.type === 'step-started') {
      const step = stepName(event.step, event.step.phase);
      const name = truncateMiddle(`${step.action.symbol} ${rowName(step)}`, LONGEST_NAME);
      running.set(event.step.id, { name, tone: step.action.tone, since: now() });
    } else if (event.type === 'step-ended') {
      running.delete(event.step.id);
      const { status } = event.result;
      const key = status === 'done' ? status : 'failed';
      // A step that was stopped before it sent anything is still to do.
      if (state.steps && status !== 'not_attempted')
        state = { ...state, steps: { ...state.steps, [key]: state.steps[key] + 1 } };
    } else state = { check: { since: now() } };
  };
  return {
    now: () => state,
    note: (event: RunEvent) => {
      if (event.type === 'step') noteStep(event.event);
      if (event.type === 'reading') state = { ...state, reading: { ...event, since: state.reading?.since ?? now() } };
      if (event.type === 'read') state = { ...state, reading: undefined };
    },
  };
}
