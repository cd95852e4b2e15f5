// The sentence at the beginning and end of a plan. It consists of counts and our own words only.

import { plural } from '../../core/text/text.ts';
import type { Plan } from '../../plan/plan.ts';

/** `Plan: 2 to create, …` or `No changes. …`; never "No changes" while anything is blocked, refused or wrong. */
export function summaryLine(plan: Plan): string {
  const errors = plan.diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const open = [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(plan.blocked.length > 0 ? [`${plural(plan.blocked.length, 'change')} cannot be done`] : []),
    ...(plan.refusals.length > 0 ? [plural(plan.refusals.length, 'policy violation')] : []),
  ];
  if (plan.steps.length === 0 && open.length === 0)
    return plan.complete
      ? 'No changes. Live state matches the manifest.'
      : 'No changes among the targets. The rest of the manifest was not planned.';
  const counts =
    plan.steps.length === 0 ? 'Nothing to do' : `${plan.complete ? 'Plan' : 'Partial plan'}: ${countText(plan)}`;
  const rest = open.length > 0 ? ` Open: ${open.join(', ')}.` : '';
  return `${counts}.${driftText(plan)}${rest}`;
}

function driftText({ summary, steps }: Plan): string {
  const deleted = steps.filter((step) => step.deleted_outside !== undefined).length;
  const changed = summary.drifted - deleted;
  return `${changed > 0 ? ` ${changed} changed outside.` : ''}${deleted > 0 ? ` ${deleted} deleted outside.` : ''}`;
}

function countText({ summary }: Plan): string {
  const always = (['create', 'update', 'replace', 'delete'] as const).map(
    (action) => `${summary[action]} to ${action}`,
  );
  const rare = (['adopt', 'release'] as const).filter((action) => summary[action] > 0);
  return [...always, ...rare.map((action) => `${summary[action]} to ${action}`)].join(', ');
}
