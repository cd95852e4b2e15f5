// Logs of GitLab jobs: the text, with a section for each resource's steps, unfolded where something is lost.

import type { Plan } from '../../plan/plan.ts';
import { renderPlan } from '../text/plan-text.ts';
import type { Style } from '../style.ts';

const CLEAR = '\u001b[0K';

/** The plan in sections. Their times are 0, because a plan has no clock. */
export function planGitlab(plan: Plan, style: Style): string {
  return renderPlan(plan, style, ({ head, lines, loses }, index) => [
    `${CLEAR}section_start:0:edgeform_step_${index + 1}${loses ? '' : '[collapsed=true]'}\r${CLEAR}${head}`,
    ...lines,
    `${CLEAR}section_end:0:edgeform_step_${index + 1}\r${CLEAR}`,
  ]);
}
