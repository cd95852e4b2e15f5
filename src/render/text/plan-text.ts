// A plan for terminals and pull requests: verdict first and last, what takes something away before what adds.

import { compareText } from '../../core/json.ts';
import { plural } from '../../core/text.ts';
import type { Plan } from '../../plan/plan.ts';
import { groupSteps } from '../group.ts';
import { columns, wrap } from './lines.ts';
import { stepLines } from './step.ts';
import type { Style } from '../style.ts';
import { paint } from '../style.ts';
import { inlineOutput } from './value.ts';
import { verdict } from '../verdict.ts';
import { visible } from '../../core/visible.ts';
import { blockedPlace } from './place.ts';

/** The lines of one resource's steps. */
export interface Block {
  /** The first line. */
  readonly head: string;
  /** The first line without colour. */
  readonly title: string;
  readonly lines: readonly string[];
  /** True when something is lost, so that it should not be hidden. */
  readonly loses: boolean;
}

/** Puts a block into a fold of a log viewer. */
export type Fold = (block: Block, index: number) => string[];

/** The plan as text without a final line break. */
export function renderPlan(plan: Plan, style: Style, fold?: Fold): string {
  const sentence = paint(style, 'strong', verdict(plan));
  const title = `Stack ${visible(plan.stack)} at ${visible(plan.service)}`;
  const blocks = [
    [paint(style, 'quiet', title), sentence],
    ...stepBlocks(plan, style, fold),
    blockedLines(plan, style),
    refusalLines(plan, style),
    diagnosticLines(plan, style),
    outputLines(plan, style),
    restLines(plan, style),
  ].filter((lines) => lines.length > 0);
  const ending = blocks.length > 1 ? [[sentence]] : [];
  return [...blocks, ...ending].map((lines) => lines.join('\n')).join('\n\n');
}

function stepBlocks(plan: Plan, style: Style, fold: Fold | undefined): string[][] {
  const groups = groupSteps(plan.steps);
  const blocks = groups.map((group) => stepLines(group, style));
  if (style.detail === 'names') return [blocks.flat()];
  if (fold === undefined) return blocks;
  const lines = groups.flatMap((group, index) => {
    const [head = '', ...rest] = blocks[index] ?? [];
    const title = stepLines(group, { ...style, color: false, detail: 'changes' })[0] ?? '';
    return fold({ head, title, lines: rest, loses: group.steps.some((step) => step.loss !== undefined) }, index);
  });
  return [lines];
}

function blockedLines({ blocked }: Plan, style: Style): string[] {
  if (blocked.length === 0) return [];
  const entries = blocked.flatMap((one) => item(`${visible(blockedPlace(one, ' '))}: ${visible(one.reason)}`, style));
  return [paint(style, 'bad', 'Needed, but the service has no way to do it:'), ...entries];
}

function refusalLines({ refusals }: Plan, style: Style): string[] {
  if (refusals.length === 0) return [];
  const entries = refusals.flatMap(({ rule, message, addresses, flag }) => [
    ...item(`${visible(message)} [${visible(rule)}]`, style),
    ...(addresses.length > 1 ? addresses.map((address) => `      ${visible(address)}`) : []),
    ...(flag === null ? [] : [`    allow it with ${paint(style, 'strong', visible(flag))}`]),
  ]);
  return [paint(style, 'bad', 'Refused; apply changes nothing while this stands:'), ...entries];
}

function diagnosticLines({ diagnostics }: Plan, style: Style): string[] {
  return diagnostics.flatMap(({ severity, code, message }) => {
    const text = `${severity}: ${visible(message)} [${visible(code)}]`;
    return wrap(text, style.width, '  ').map((line) => paint(style, severity === 'error' ? 'bad' : 'warn', line));
  });
}

function item(text: string, style: Style): string[] {
  return wrap(`! ${text}`, style.width - 2, '  ').map((line) => `  ${line}`);
}

function outputLines({ outputs, steps }: Plan, style: Style): string[] {
  const names = Object.keys(outputs).sort(compareText);
  if (names.length === 0 || steps.length === 0 || style.detail === 'names') return [];
  const width = Math.max(...names.map(columns));
  return [
    'Outputs:',
    ...names.map((name) => `  ${visible(name).padEnd(width)} = ${inlineOutput(outputs[name] ?? null)}`),
  ];
}

function restLines({ summary, unmanaged, steps }: Plan, style: Style): string[] {
  if (steps.length === 0 && unmanaged.length === 0) return [];
  const facts = [
    ...(summary.unchanged > 0 ? [`${plural(summary.unchanged, 'resource')} unchanged.`] : []),
    ...(unmanaged.length > 0
      ? [`${plural(unmanaged.length, 'object')} of the service not in this stack, left alone.`]
      : []),
  ];
  if (facts.length === 0) return [];
  const listed = style.detail === 'full' ? unmanaged : [];
  const owners = listed.map(
    ({ kind, id, owner }) => `  ${visible(kind)} ${visible(id)}${owner === null ? '' : ` (stack ${visible(owner)})`}`,
  );
  return [...wrap(facts.join(' '), style.width, '').map((line) => paint(style, 'quiet', line)), ...owners];
}
