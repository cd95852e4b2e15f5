// A plan as its facts, a line each: codes, addresses, ids, values and places. No sentence for people is in it, so that what a story is about is
// read at once and no changed word changes a story. What people read of a plan has its goldens in test/render.

import type { Json } from '../../src/core/json.ts';
import type { Change, Plan, Step } from '../../src/plan/plan.ts';

type Refusal = Plan['refusals'][number];
type Problem = Plan['diagnostics'][number];
type Unmanaged = Plan['unmanaged'][number];

/** All that a plan says, without its words. */
export function planLines(plan: Plan): string {
  return [
    `${plan.complete ? 'plan' : 'part of a plan'}: ${countsOf(plan.summary)}`,
    ...plan.refusals.map(refusalLine),
    ...plan.blocked.map((one) => `blocked: ${problemFacts(one)}`),
    ...plan.diagnostics.map((one) => `${one.severity}: ${problemFacts(one)}`),
    ...plan.steps.flatMap(stepLines),
    ...plan.unmanaged.map(leftAloneLine),
    ...Object.entries(plan.outputs).map(([name, value]) => `output ${name} = ${text(value)}`),
  ].join('\n');
}

/** `1 update, 2 unchanged`: what there is none of is left out. */
function countsOf(summary: Plan['summary']): string {
  const counted = Object.entries(summary).filter(([, count]) => count > 0);
  return counted.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing';
}

function stepLines(step: Step): string[] {
  const { id, action, phase, address, live_id, depends_on, source, reason, loss } = step;
  const after = depends_on.length === 0 ? [] : [`after ${depends_on.join(', ')}`];
  const head = [`${id} ${action}`, phase, address, live_id, ...after, step.last && 'last', at(source)];
  return [
    words(head),
    `  ${words(['because', reason.code, ...(reason.fields ?? []), ...(reason.addresses ?? []), reason.stack])}`,
    ...(loss === undefined ? [] : [`  ${words(['loses', loss.code, loss.live_id, ...loss.children])}`]),
    ...(step.deletes ?? []).map((one) => `  deletes ${one.address} ${one.live_id} ${text(one.values)}`),
    ...(step.allowed_by ?? []).map((flag) => `  allowed by ${flag}`),
    ...step.changes.map(changeLine),
  ];
}

function changeLine({ path, before, after, effect, cause, note }: Change): string {
  const values = before === null ? `= ${text(after)}` : `: ${text(before)} → ${text(after)}`;
  const how = [effect !== 'update' && effect, cause !== 'config' && cause, note !== undefined && 'noted'];
  const said = how.filter((one) => one !== false).join(', ');
  return `  ${path}${before === null ? ' ' : ''}${values}${said === '' ? '' : `  [${said}]`}`;
}

function refusalLine({ rule, addresses, source, flag, entry }: Refusal): string {
  const ways = [flag, entry].filter((one) => one !== null && one !== undefined).map((way) => `allow: ${way}`);
  return [words([`refused: ${rule}`, ...addresses, at(source)]), ...ways.map((way) => `  ${way}`)].join('\n');
}

function problemFacts({ code, address, path, live_id, source }: Problem): string {
  return words([code, address, path, live_id, at(source)]);
}

function leftAloneLine({ kind, id, owner, parent_stack }: Unmanaged): string {
  return words([`left alone: ${kind}`, id, owner === null ? undefined : `of ${owner}`, parent_stack]);
}

function at(source: string | null | undefined): string | undefined {
  return source === null || source === undefined ? undefined : `at ${source}`;
}

const text = (value: Json) => JSON.stringify(value);

function words(parts: readonly (string | boolean | null | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}
