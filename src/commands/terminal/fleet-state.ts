// What is under way in a run over many stacks, derived from the events of each. Knows no terminal.

import type { ApplyEvent } from '../../apply/event.ts';
import type { Clock } from '../../platform/clock.ts';
import { stackLine, type Progress, type RunningStack } from '../../render/text/progress.ts';

/** Takes steps by the name of their stack in the fleet. */
export function createFleetState({ now }: Clock, names: ReadonlyMap<string, string>) {
  const started = new Map<string, RunningStack>();
  const began = now();
  return {
    now: (): Pick<Progress, 'stacks'> =>
      started.size === 0 ? {} : { stacks: { total: names.size, started, since: began } },
    nameOf: (stack: string) => names.get(stack) ?? stack,
    /** Returns a line for a stack whose steps are over. */
    note: (event: ApplyEvent, name: string): readonly string[] => {
      const before = started.get(name);
      if (event.type === 'started')
        started.set(name, { total: event.plan.steps.length, done: 0, failed: 0, isOver: false, since: now() });
      if (before === undefined) return [];
      if (event.type === 'step-ended') started.set(name, counted(before, event.result.status));
      if (event.type !== 'finished') return [];
      started.set(name, { ...before, isOver: true });
      return [stackLine(name, before, now())];
    },
  };
}

/** A step that was stopped before it sent anything is still to do. */
function counted(stack: RunningStack, status: string): RunningStack {
  if (status === 'done') return { ...stack, done: stack.done + 1 };
  return status === 'not_attempted' ? stack : { ...stack, failed: stack.failed + 1 };
}
