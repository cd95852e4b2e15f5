// Reports of fleets: the outcome of each stack as one view, drawn by the same formats as that of a single stack. Knows no engine.

import type { Diagnostic } from '../core/diagnostic.ts';
import { groupBy, groupEntries } from '../core/group.ts';
import { EXIT_CODES, STACK_RESULTS, type RunOutcome, type StackResult } from '../core/run-outcome.ts';
import { plural } from '../core/text/text.ts';
import { waveOf } from '../core/waves.ts';
import { drawn, type Format } from './formats.ts';
import type { RenderOptions } from './render-options.ts';
import { rows } from './view/documents.ts';
import { comparedSentence } from './view/compared.ts';
import { driftView } from './view/drift.ts';
import { planView } from './view/plan.ts';
import { problemsView } from './view/problems.ts';
import { reportView } from './view/report.ts';
import { likenessOfStack } from './view/stack-groups.ts';
import { resultOf, type FleetStackOutcome } from './view/stack-outcome.ts';
import { removalsOf, wavesDocument, wavesText } from './view/waves.ts';
import { isDangerous, NOTHING, type StackView, type View } from './view/view.ts';

export interface FleetOutcome {
  readonly command: 'list' | 'validate' | 'plan' | 'apply' | 'drift' | 'destroy';
  readonly stacks: readonly FleetStackOutcome[];
  readonly outcome: RunOutcome;
  /** What the plans were compared with, and the entries that only the revision has. */
  readonly base?: FleetBase;
  /** Of a drift check: what the services hold of stacks that no entry names. */
  readonly outside?: OutsideFleet;
  /** Of a drift check: problems that are about no single stack. */
  readonly diagnostics?: readonly Diagnostic[];
}

interface FleetBase {
  readonly rev: string;
  readonly commit: string;
  readonly gone_stacks: readonly string[];
}

/** What `outsideFleet` found. */
interface OutsideFleet {
  readonly unnamed: readonly {
    readonly service: string;
    readonly stack: string;
    readonly objects: Readonly<Record<string, number>>;
  }[];
  readonly hidden: readonly {
    readonly service: string;
    readonly kind: string;
    readonly live_id: string;
    readonly stacks: readonly string[];
  }[];
}

/** How a command for a fleet ended, in any format. A document is at most `limit` bytes long. */
export function renderFleetAs(format: Format, fleet: FleetOutcome, style: RenderOptions, limit?: number): string {
  return drawn(format, style, (shown, most) => fleetView(fleet, shown, most), limit);
}

function fleetView(
  { command, outcome, stacks: given, base, outside, diagnostics }: FleetOutcome,
  style: RenderOptions,
  most: number,
): View {
  const members = given.map((stack) => {
    const view = viewOf(stack, style, most);
    return { stack, view, result: resultOf(stack, view) };
  });
  const ended = groupBy(members, ({ result }) => result);
  const results = STACK_RESULTS.map((name) => [name, ended.get(name) ?? []] as const);
  const counts = results.flatMap(([name, { length }]) => (length === 0 ? [] : [`${length} ${wordsOf(name)}`]));
  const views = members.flatMap(({ view }) => view ?? []);
  return {
    ...NOTHING,
    is: 'fleet',
    sentence: `${comparedText(views)}Fleet ${command}: ${[`${plural(members.length, 'stack')}${wavesText(given)}`, ...counts].join(', ')}.${stoppedText(given)}`,
    stacks: results
      .flatMap(([, list]) => list.map((member) => stackView(member, style)))
      .sort((a, b) => b.danger - a.danger || waveOf(a) - waveOf(b)),
    totals: sumsOf([...views.flatMap(contentOf), ...views.flatMap(problemsOf)]),
    lists: [...(base === undefined ? [] : goneLists(base)), ...(outside === undefined ? [] : outsideLists(outside))],
    facts: { command, result: outcome, stacks: String(members.length) },
    document: {
      format: 'edgeform-fleet/1',
      command,
      stacks: members.map(stackDocument),
      ...(base && { base }),
      ...(outside && { unnamed_stacks: outside.unnamed, hidden_objects: outside.hidden }),
      ...(diagnostics && { diagnostics: rows(diagnostics) }),
      waves: wavesDocument(given.map(planned)),
      removals: removalsOf(given.map(planned)),
      totals: { stacks: members.length, ...Object.fromEntries(results.map(([name, list]) => [name, list.length])) },
      exit_code: EXIT_CODES[outcome],
    },
  };
}

/** The plan of a stack, for what its wave takes away. */
function planned(stack: FleetStackOutcome) {
  const { wave } = stack;
  if (stack.is === 'planned') return { wave, plan: stack.plan };
  return { wave, plan: stack.is === 'applied' ? stack.report.plan : undefined };
}

/** Which wave let no later one begin. */
function stoppedText(stacks: readonly FleetStackOutcome[]): string {
  const after = stacks.flatMap((one) => (one.is === 'not-attempted' ? (one.after ?? []) : []));
  return after.length === 0 ? '' : ` Wave ${Math.min(...after)} did not end well, so that no later wave began.`;
}

/** What the change causes in all stacks that were compared. */
function comparedText(views: readonly View[]): string {
  const compared = views.flatMap((view) => view.compared ?? []);
  if (compared.length === 0) return '';
  const left = views.length - compared.length;
  return `${comparedSentence(compared)} ${left === 0 ? '' : `${plural(left, 'stack')} not compared. `}`;
}

function goneLists({ gone_stacks: entries }: FleetBase): View['lists'] {
  const title = 'Entries that this change takes out of the fleet; what their stacks own stays';
  return entries.length === 0 ? [] : [{ title, entries }];
}

function outsideLists({ unnamed, hidden }: OutsideFleet): View['lists'] {
  const stacks = unnamed.map(({ service, stack, objects }) => {
    const counts = Object.entries(objects).map(([kind, count]) => `${count} ${kind}`);
    return `${stack} at ${service}: ${counts.join(', ')}`;
  });
  const objects = hidden.map(({ service, kind, live_id: id, stacks: named }) => {
    return `${kind} ${id} at ${service}${named.length === 0 ? '' : `, which names ${named.join(' and ')}`}`;
  });
  return [
    { title: 'Stacks that own objects and that no entry of the fleet names', entries: stacks },
    { title: 'Objects whose owner an unreadable marker hides', entries: objects },
  ].filter(({ entries }) => entries.length > 0);
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

function wordsOf(result: StackResult): string {
  return result.replace('_', ' ');
}

type Member = { readonly stack: FleetStackOutcome; readonly view: View | undefined; readonly result: StackResult };

function stackDocument({ stack, view, result }: Member): object {
  return {
    name: stack.name,
    stack: stack.stack ?? null,
    service: stack.service ?? null,
    wave: waveOf(stack),
    exit_code: EXIT_CODES[stack.outcome],
    result,
    ...(stack.is === 'blocked' && { blocked_by: stack.by }),
    ...(stack.is === 'not-attempted' && stack.after !== undefined && { after_wave: stack.after }),
    ...(stack.is === 'accepted' && { accept: stack.document }),
    ...(view && { [view.is === 'problems' ? 'diagnostics' : view.is]: view.document }),
  };
}

/** Results that need no person; all others but `ok` do. */
const MILD: readonly StackResult[] = ['blocked', 'not_attempted', 'drift', 'pending'];

function stackView({ stack, view, result }: Member, { detail }: RenderOptions): StackView {
  const tone = result === 'ok' ? 'good' : MILD.includes(result) ? 'warn' : 'bad';
  const shown: StackView = {
    name: stack.name,
    service: stack.service,
    wave: stack.wave,
    result: wordsOf(result),
    ...(stack.is === 'blocked' && { by: stack.by }),
    ...(stack.is === 'not-attempted' && stack.after !== undefined && { after: stack.after }),
    tone,
    danger:
      tone === 'bad'
        ? 4
        : Math.max(tone === 'warn' && !isPendingOnly(view) ? 2 : 0, view === undefined ? 0 : dangerOf(view)),
    counts: sumsOf(view === undefined ? [] : [...contentOf(view), ...problemsOf(view)]),
    view,
  };
  const likeness = detail === 'full' ? undefined : likenessOfStack(shown);
  return { ...shown, ...(likeness !== undefined && { likeness }) };
}

/** True if nothing of a plan is of the change that it was compared for: then it is below the others. */
function isPendingOnly(view: View | undefined): boolean {
  return view?.compared !== undefined && view.compared.parts.every(({ name }) => name !== 'this change');
}

/** 3: something is lost; 1: something else to say. */
function dangerOf({ items, rows, problems, lists, compared }: View): number {
  if (items.some((item) => item.tone === 'bad' || isDangerous(item))) return 3;
  const former = compared?.former ?? [];
  return items.length + rows.length + problems.length + lists.length + former.length > 0 ? 1 : 0;
}

type Count = readonly [words: string, count: number];

function contentOf({ is, rows, items, totals, compared }: View): Count[] {
  const caused = compared?.parts.find(({ name }) => name === 'this change')?.totals ?? [];
  return [
    ...[...caused].map(([, count]): Count => ['this change', count]),
    ...rows.map(({ outcome }): Count => [outcome, 1]),
    ...(is === 'drift' ? items.map((): Count => ['findings', 1]) : totals),
  ];
}

function problemsOf({ problems }: View): Count[] {
  return problems.map(({ group }) => [group, 1]);
}

function sumsOf(counts: readonly Count[]): ReadonlyMap<string, number> {
  const all = [...groupEntries(counts)];
  return new Map(all.map(([words, list]) => [words, list.reduce((sum, one) => sum + one, 0)]));
}
