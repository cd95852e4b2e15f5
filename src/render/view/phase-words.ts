// Which part of its action a step is, in words: behind its id or its address in a plan, and behind its name in a run.

import type { Phase } from '../../plan/plan.ts';

interface PhaseWords {
  readonly inPlan: string;
  readonly inRun: string;
}

const WORDS: Readonly<Record<Phase | 'whole', PhaseWords>> = {
  whole: { inPlan: '', inRun: '' },
  create: { inPlan: ' new', inRun: ' (new object)' },
  delete: { inPlan: ' old', inRun: ' (old object)' },
  detach: { inPlan: ' detach', inRun: ' (detach)' },
};

export function phaseWords(phase: Phase | 'whole' = 'whole'): PhaseWords {
  return WORDS[phase];
}
