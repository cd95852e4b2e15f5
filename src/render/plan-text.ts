// A plan for terminals and pull requests: verdict first and last, what takes something away before what adds.

import { compareText } from '../base/json.ts';
import { plural } from '../base/text.ts';
import type { Action, Plan, Step } from '../plan/plan.ts';
import { columns, wrap } from './lines.ts';
import type { StepGroup } from './step.ts';
import { stepLines } from './step.ts';
import type { Style } from './style.ts';
import { paint } from './style.ts';
import { inline } from './value.ts';
import { verdict } from './verdict.ts';
import { visible } from './visible.ts';

const ORDER: readonly Action[] = ['replace', 'delete', 'create', 'update', 'adopt', 'release'];

/** The plan as text without a final line break. */
export function renderPlan(plan: Plan, style: Style): string {
  const sentence = paint(style, 'strong', verdict(plan));
  const title = `Stack ${visible(plan.stack)} at ${visible(plan.service)}`;
  const blocks = [
    [paint(style, 'quiet', title), sentence],
    ...stepBlocks(plan, style),
    blockedLines(plan, style),
    refusalLines(plan, style),
    diagnosticLines(plan, style),
    outputLines(plan, style),
    restLines(plan, style),
  ].filter((lines) => lines.length > 0);
  const ending = blocks.length > 1 ? [[sentence]] : [];
  return [...blocks, ...ending].map((lines) => lines.join('\n')).join('\n\n');
}

function stepBlocks(plan: Plan, style: Style): string[][] {
  const blocks = groupSteps(plan.steps).map((group) => stepLines(group, style));
  return style.detail === 'names' ? [blocks.flat()] : blocks;
}

function groupSteps(steps: readonly Step[]): StepGroup[] {
  const byKey = new Map<string, Step[]>();
  for (const step of steps) {
    const key = `${step.action} ${step.address}`;
    byKey.set(key, [...(byKey.get(key) ?? []), step]);
  }
  return [...byKey.values()]
    .flatMap((group) => (group[0] === undefined ? [] : [{ first: mainStep(group, group[0]), steps: group }]))
    .sort((a, b) => rank(a) - rank(b) || compareText(a.first.address, b.first.address));
}

/** The step that tells most: of a replacement the creation of the new object. */
function mainStep(group: readonly Step[], fallback: Step): Step {
  return group.find((step) => step.phase === 'create') ?? fallback;
}

function rank({ first }: StepGroup): number {
  return ORDER.indexOf(first.action);
}

function blockedLines({ blocked }: Plan, style: Style): string[] {
  if (blocked.length === 0) return [];
  const entries = blocked.flatMap(({ address, path, reason }) =>
    item(`${visible(address)} ${visible(path)}: ${visible(reason)}`, style),
  );
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
  return ['Outputs:', ...names.map((name) => `  ${visible(name).padEnd(width)} = ${inline(outputs[name] ?? null)}`)];
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
