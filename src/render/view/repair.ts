// What apply would do about a finding: read from the plan that drift was made of.

import { escapeControls } from '../../core/text/escape-controls.ts';
import type { Finding } from '../../drift/drift.ts';
import type { Action, Plan, Step } from '../../plan/plan.ts';

const WORDS: Readonly<Record<Action, string>> = {
  create: 'creates it again',
  update: 'puts it back',
  replace: 'puts it back, with a new object in its place',
  delete: 'deletes it',
  adopt: 'adopts it, and makes it what the manifest says',
  release: 'releases it, and leaves its values',
};

/** In words that follow `apply`; undefined where nobody made a plan. */
export function repairOf(finding: Finding, plan: Plan | undefined): string | undefined {
  if (plan === undefined) return undefined;
  const { type, address, live_id: id } = finding;
  if (type === 'unmanaged') return 'leaves it alone';
  const own = plan.steps.filter((step) => (address === null ? step.live_id === id : step.address === address));
  const blocked = plan.blocked.find((one) => one.address === address);
  if (type === 'duplicate') return withoutDoubles(own);
  const [step] = own.filter(({ phase }) => phase !== 'detach' && phase !== 'delete');
  if (step !== undefined) return `${WORDS[step.action]}${lossOf(own)}`;
  if (blocked !== undefined) return `cannot put it back: ${escapeControls(blocked.reason)}`;
  return 'leaves it as it is; a person has to decide';
}

function lossOf(steps: readonly Step[]): string {
  const loss = steps.find((step) => step.loss !== undefined)?.loss;
  return loss === undefined ? '' : `; ${escapeControls(loss)}`;
}

function withoutDoubles(steps: readonly Step[]): string {
  const doubles = steps.flatMap(({ action, live_id: id }) => (action === 'delete' && id !== null ? [id] : []));
  if (doubles.length === 0) return 'does not guess which one is right; a person has to decide';
  return `deletes ${escapeControls(doubles.join(', '))}, and keeps the other`;
}
