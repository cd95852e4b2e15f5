// The steps of a plan by resource, in reading order: losses come first.

import { groupBy } from '../../core/group.ts';
import { compareText } from '../../core/json.ts';
import type { Action, Phase, Step } from '../../plan/plan.ts';

/** The steps of one resource: one, or the two of a replacement in order. */
export interface StepGroup {
  readonly first: Step;
  readonly steps: readonly Step[];
}

const ORDER: readonly Action[] = ['replace', 'delete', 'create', 'update', 'adopt', 'release'];

export function groupSteps(steps: readonly Step[]): StepGroup[] {
  const byKey = groupBy(steps, (step) => {
    // A detach step is shown separately: the manifest does not ask for it, but it must come first. So is each deleted object of
    // an address: who approves the plan approves every object that it names.
    const own = step.phase === 'detach' ? step.phase : isLeaving(step.action) ? step.live_id : '';
    return `${step.action} ${step.address} ${own ?? ''}`;
  });
  // The creation describes a replacement best.
  return [...byKey.values()]
    .map((group) => ({ first: group.find(({ phase }) => phase === 'create') ?? group[0], steps: group }))
    .sort((a, b) => rank(a) - rank(b) || compareText(a.first.address, b.first.address));
}

/** True for an action, or its word, that removes an object from the stack. */
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

/** The part of its action that a step performs: shown after its id or address in a plan, and after its name in a run. */
export function phaseWords(phase: Phase | 'whole' = 'whole'): (typeof WORDS)['whole'] {
  return WORDS[phase];
}
