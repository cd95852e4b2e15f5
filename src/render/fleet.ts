// Reports of fleets: the outcome of each stack as one view, drawn by the same formats as that of a single stack. Knows no engine.

import { truncateMiddle } from '../core/bounds.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { groupBy, groupEntries } from '../core/group.ts';
import { EXIT_CODES, type RunOutcome } from '../core/run-outcome.ts';
import { plural } from '../core/text/text.ts';
import type { Plan } from '../plan/plan.ts';
import { drawn, type Format } from './formats.ts';
import type { RenderOptions } from './render-options.ts';
import type { DriftView, ReportView } from './view/documents.ts';
import { driftView } from './view/drift.ts';
import { planView } from './view/plan.ts';
import { problemsView } from './view/problems.ts';
import { reportView } from './view/report.ts';
import { isDangerous, NOTHING, type StackView, type View } from './view/view.ts';

/** What became of one stack; `outcome` is what the command for a single stack would have ended with. */
export type FleetStackOutcome = {
  /** Its name in the fleet. */
  readonly name: string;
  readonly stack: string | undefined;
  readonly service: string | undefined;
  readonly outcome: RunOutcome;
} & (
  | { readonly is: 'planned'; readonly plan: Plan }
  | { readonly is: 'applied'; readonly report: ReportView }
  | { readonly is: 'drift'; readonly drift: DriftView }
  | {
      readonly is: 'checked' | 'failed';
      readonly diagnostics: readonly Diagnostic[];
      readonly sources?: ReadonlyMap<string, string>;
    }
  | { readonly is: 'blocked'; readonly by: string }
  | { readonly is: 'not-attempted' }
);

export interface FleetOutcome {
  readonly command: 'list' | 'validate' | 'plan' | 'apply' | 'drift' | 'destroy';
  readonly stacks: readonly FleetStackOutcome[];
  readonly outcome: RunOutcome;
}

/** How a command for a fleet ended, in any format. A document is at most `limit` bytes long. */
export function renderFleetAs(format: Format, fleet: FleetOutcome, style: RenderOptions, limit?: number): string {
  return drawn(format, style, (shown, most) => fleetView(fleet, shown, most), limit);
}

/** Every result with its words and tone, in the order of the totals. */
const RESULTS = [
  ['interrupted', 'interrupted', 'bad'],
  ['terminated', 'terminated', 'bad'],
  ['unknown', 'unknown', 'bad'],
  ['partial', 'partly done', 'bad'],
  ['error', 'error', 'bad'],
  ['invalid', 'invalid', 'bad'],
  ['refused', 'refused', 'bad'],
  ['stale', 'stale', 'bad'],
  ['usage', 'wrong usage', 'bad'],
  ['output', 'output lost', 'bad'],
  ['blocked', 'blocked', 'warn'],
  ['not_attempted', 'not attempted', 'warn'],
  ['drift', 'drifted', 'warn'],
  ['pending', 'to change', 'warn'],
  ['ok', 'ok', 'good'],
] as const satisfies readonly (readonly [Exclude<RunOutcome, 'done'> | StackResult, string, StackView['tone']])[];
type StackResult = 'ok' | 'drift' | 'blocked' | 'not_attempted';
type Result = (typeof RESULTS)[number][0];

const COMMANDS = {
  list: ['List', 'ok'],
  validate: ['Validation', 'valid'],
  plan: ['Plan', 'unchanged'],
  apply: ['Apply', 'done'],
  drift: ['Drift', 'without drift'],
  destroy: ['Destruction', 'done'],
} as const satisfies Readonly<Record<FleetOutcome['command'], readonly [title: string, ok: string]>>;

function fleetView(fleet: FleetOutcome, style: RenderOptions, most: number): View {
  const { command, outcome } = fleet;
  const [title, ok] = COMMANDS[command];
  const members = fleet.stacks.map((stack) => {
    const view = viewOf(stack, style, most);
    return { stack, view, result: resultOf(stack, view) };
  });
  const ended = groupBy(members, ({ result }) => result);
  const results = RESULTS.map(([name, words, tone]) => {
    return { name, words: name === 'ok' ? ok : words, tone, members: ended.get(name) ?? [] };
  });
  const counts = results.flatMap(({ words, members: { length } }) => (length === 0 ? [] : [`${length} ${words}`]));
  const stacks = results.flatMap((one) => one.members.map((member) => stackView(member, one)));
  return {
    ...NOTHING,
    is: 'fleet',
    sentence: `${title} of ${plural(members.length, 'stack')}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}.`,
    stacks: [...stacks].sort((a, b) => b.danger - a.danger),
    totals: totalsOf(stacks),
    facts: { command, result: outcome, stacks: String(members.length) },
    document: {
      format: 'edgeform-fleet/1',
      command,
      stacks: members.map(stackDocument),
      totals: { stacks: members.length, ...Object.fromEntries(results.map((one) => [one.name, one.members.length])) },
      exit_code: EXIT_CODES[outcome],
    },
  };
}

function viewOf(stack: FleetStackOutcome, style: RenderOptions, most: number): View | undefined {
  switch (stack.is) {
    case 'planned':
      return planView(stack.plan, style);
    case 'applied':
      return reportView(stack.report, style);
    case 'drift':
      return driftView(stack.drift, style);
    case 'checked':
    case 'failed':
      return problemsView(stack, most);
    default:
      return undefined;
  }
}

/** Its outcome, or what a plan or drift found where that ends with 0 or 2. */
function resultOf({ is, outcome }: FleetStackOutcome, view: View | undefined): Result {
  if (is === 'blocked') return 'blocked';
  if (is === 'not-attempted') return 'not_attempted';
  if (outcome !== 'done' && outcome !== 'pending') return outcome;
  const result = view?.facts['result'];
  if (is === 'drift' && result === 'drifted') return 'drift';
  if (is === 'planned' && (result === 'pending' || result === 'refused' || result === 'error')) return result;
  return outcome === 'pending' ? outcome : 'ok';
}

type Member = { readonly stack: FleetStackOutcome; readonly view: View | undefined; readonly result: Result };

const KEYS = { plan: 'plan', report: 'report', drift: 'drift', problems: 'diagnostics', fleet: 'fleet' } as const;

function stackDocument({ stack, view, result }: Member): object {
  return {
    name: stack.name,
    stack: stack.stack ?? null,
    service: stack.service ?? null,
    exit_code: EXIT_CODES[stack.outcome],
    result,
    ...(stack.is === 'blocked' && { blocked_by: stack.by }),
    ...(view && { [KEYS[view.is]]: view.document }),
  };
}

/** Longer than any name that a fleet may have. */
const MAX_NAME = 200;

function stackView(
  { stack, view, result }: Member,
  { words, tone }: { readonly words: string; readonly tone: StackView['tone'] },
): StackView {
  const by = stack.is === 'blocked' ? ` by ${truncateMiddle(stack.by, MAX_NAME)}` : '';
  return {
    name: truncateMiddle(stack.name, MAX_NAME),
    service: stack.service,
    verdict: `${words}${by}`,
    tone,
    danger: Math.max(
      tone === 'bad' ? (result === 'refused' ? 4 : 5) : tone === 'warn' ? 2 : 0,
      view === undefined ? 0 : dangerOf(view),
    ),
    counts: view === undefined ? new Map() : countsOf(view),
    view,
  };
}

/** 5: wrong; 4: refused; 3: something is lost; 2: something changes; 1: something else to say. */
function dangerOf({ is, problems, items, rows, lists }: View): number {
  if (problems.some(({ group }) => group === 'error') || rows.some(({ tone }) => tone === 'bad')) return 5;
  if (problems.some(({ group }) => group === 'refused' || group === 'blocked')) return 4;
  if (items.some((item) => isDangerous(item) || (is === 'drift' && item.tone === 'bad'))) return 3;
  if (items.length > 0 || rows.some(({ status }) => status !== 'done')) return 2;
  return problems.length + rows.length + lists.length > 0 ? 1 : 0;
}

const ACTIONS = ['create', 'update', 'replace', 'delete', 'adopt', 'release'];

const PROBLEMS = [
  ['refused', 'refused'],
  ['blocked', 'blocked'],
  ['error', 'errors'],
  ['warning', 'warnings'],
] as const;

function countsOf({ is, items, rows, totals, problems }: View): ReadonlyMap<string, number> {
  const outcomes = [...groupBy(rows, ({ outcome }) => outcome)].map(([word, list]) => [word, list.length] as const);
  const found = PROBLEMS.flatMap(([group, words]) => {
    const count = problems.filter((one) => one.group === group).length;
    return count === 0 ? [] : [[words, count] as const];
  });
  const whole = is === 'drift' ? [['findings', items.length] as const] : [...totals];
  return new Map([...outcomes, ...whole, ...found].filter(([, count]) => count > 0));
}

/** The sum of the counts: actions first, and problems last. */
function totalsOf(stacks: readonly StackView[]): ReadonlyMap<string, number> {
  const all = groupEntries(stacks.flatMap(({ counts }) => [...counts]));
  const problems = PROBLEMS.map(([, words]) => words);
  const known = [...ACTIONS, ...[...all.keys()].filter((word) => !problems.some((one) => one === word)), ...problems];
  const words = new Set(known.filter((word) => all.has(word)));
  return new Map([...words].map((word) => [word, (all.get(word) ?? []).reduce((sum, count) => sum + count, 0)]));
}
