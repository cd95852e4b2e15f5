// The steps of a plan by resource, in the order that people read them: what takes something away comes first.

import { groupBy } from '../../core/group.ts';
import { compareText } from '../../core/json.ts';
import type { Action, Phase, Step } from '../../plan/plan.ts';

/** The steps of one resource: one, or the two of a replacement, in their order. */
export interface StepGroup {
  readonly first: Step;
  readonly steps: readonly Step[];
}

const ORDER: readonly Action[] = ['replace', 'delete', 'create', 'update', 'adopt', 'release'];

export function groupSteps(steps: readonly Step[]): StepGroup[] {
  const byKey = groupBy(steps, (step) => {
    // A detaching step is told on its own: it is not what the manifest asks for, but what has to come before. So is each object
    // of an address that goes: who agrees to the plan agrees to what it names.
    const own = step.phase === 'detach' ? step.phase : isLeaving(step.action) ? step.live_id : '';
    return `${step.action} ${step.address} ${own ?? ''}`;
  });
  // Of a replacement the creation of the new object tells most.
  return [...byKey.values()]
    .map((group) => ({ first: group.find(({ phase }) => phase === 'create') ?? group[0], steps: group }))
    .sort((a, b) => rank(a) - rank(b) || compareText(a.first.address, b.first.address));
}

/** True for the action, or its word, that takes an object from the stack. */
export function isLeaving(action: string): boolean {
  return action === 'delete' || action === 'release';
}

function rank({ first }: StepGroup): number {
  return ORDER.indexOf(first.action);
}

const WORDS: Readonly<Record<Phase | 'whole', { readonly inPlan: string; readonly inRun: string }>> = {
  whole: { inPlan: '', inRun: '' },
  create: { inPlan: ' new', inRun: ' (new object)' },
  delete: { inPlan: ' old', inRun: ' (old object)' },
  detach: { inPlan: ' detach', inRun: ' (detach)' },
};

/** Which part of its action a step is: behind its id or its address in a plan, and behind its name in a run. */
export function phaseWords(phase: Phase | 'whole' = 'whole'): (typeof WORDS)['whole'] {
  return WORDS[phase];
}
