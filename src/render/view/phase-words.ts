// Which part of its action a step is, in words: behind its id or its address in a plan, and behind its name in a run.

import type { Phase } from '../../plan/plan.ts';

const WORDS: Readonly<Record<Phase | 'whole', { readonly inPlan: string; readonly inRun: string }>> = {
  whole: { inPlan: '', inRun: '' },
  create: { inPlan: ' new', inRun: ' (new object)' },
  delete: { inPlan: ' old', inRun: ' (old object)' },
  detach: { inPlan: ' detach', inRun: ' (detach)' },
};

export function phaseWords(phase: Phase | 'whole' = 'whole'): (typeof WORDS)['whole'] {
  return WORDS[phase];
}
