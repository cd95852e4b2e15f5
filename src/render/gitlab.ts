// Logs of GitLab jobs: the text, with a section to unfold for each resource's steps.

import type { Plan } from '../plan/plan.ts';
import { renderPlan } from './plan-text.ts';
import type { Style } from './style.ts';

const CLEAR = '\u001b[0K';

/** The plan in sections. Their times are 0, because a plan has no clock. */
export function planGitlab(plan: Plan, style: Style): string {
  return renderPlan(plan, style, (title, lines, index) => [
    `${CLEAR}section_start:0:edgeform_step_${index + 1}[collapsed=true]\r${CLEAR}${title}`,
    ...lines,
    `${CLEAR}section_end:0:edgeform_step_${index + 1}\r${CLEAR}`,
  ]);
}
