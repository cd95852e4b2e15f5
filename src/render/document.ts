// What a plan or a run says, before any format: every text is made visible here, none is escaped for a format.

import type { StepResult, StepStatus } from '../apply/event.ts';
import { listed, shorten } from '../core/bounds.ts';
import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import type { Json } from '../core/json.ts';
import { compareText } from '../core/json.ts';
import { plural } from '../core/text.ts';
import type { Action, Cause, Plan, PlanDiagnostic, Step } from '../plan/plan.ts';
import type { StepGroup } from './group.ts';
import { groupSteps } from './group.ts';
import type { Ending } from './json/json.ts';
import { clip } from './markdown/markdown.ts';
import { adviceFor, PROBLEMS, reportSentence, totalsOf } from './text/report.ts';
import { changeLines, groupMeta, groupWords, isNew, liveIdOf, requestLines } from './text/step.ts';
import type { Style } from './style.ts';
import type { Line } from './text/value.ts';
import { inlineOutput } from './text/value.ts';
import { verdict } from './verdict.ts';
import { visible } from '../core/visible.ts';
import { blockedPlace } from './text/place.ts';

/** A place in a manifest; a column of 0 is not known. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** What stands in the way first. */
export const PROBLEM_GROUPS = ['refused', 'blocked', 'error', 'warning'] as const;
export type ProblemGroup = (typeof PROBLEM_GROUPS)[number];

export const HEADINGS: Readonly<Record<ProblemGroup, string>> = {
  refused: 'Refused; apply changes nothing while this stands',
  blocked: 'Needed, but the service has no way to do it',
  error: 'Errors',
  warning: 'Warnings',
};

/** What was expected and got, or how to fix or allow it. */
export interface Fact {
  readonly lead: string;
  readonly text: string;
  /** True for text to type, which is nothing but code. */
  readonly isCode: boolean;
}

/** Something that a person should read before all else. */
export interface Problem {
  readonly group: ProblemGroup;
  readonly code: string | undefined;
  readonly text: string;
  readonly place: SourcePlace | undefined;
  readonly addresses: readonly string[];
  readonly facts: readonly Fact[];
}

/** All steps of one resource. */
export interface StepSection {
  readonly action: Action;
  readonly address: string;
  readonly liveId: string | undefined;
  readonly meta: string;
  readonly why: string | undefined;
  readonly loses: string | undefined;
  /** Names of the fields that change. */
  readonly fields: readonly string[];
  /** Of these, the ones that somebody changed outside. */
  readonly drifted: readonly string[];
  readonly lines: readonly Line[];
  readonly requests: readonly string[];
}

export type Output = readonly [name: string, value: string];

export interface PlanDocument {
  readonly stack: string;
  readonly service: string;
  readonly verdict: string;
  readonly problems: readonly Problem[];
  readonly steps: readonly StepSection[];
  readonly outputs: readonly Output[];
  readonly facts: readonly string[];
}

/** Documents are not bound to a terminal. */
const WIDTH = 100;
/** More than a manifest allows; a plan file may hold anything. */
const MAX_STACK = 200;

export function planDocument(plan: Plan, style: Style): PlanDocument {
  const fixed: Style = { color: false, width: WIDTH, detail: style.detail };
  return {
    stack: visible(plan.stack),
    service: visible(plan.service),
    verdict: verdict(plan),
    problems: planProblems(plan),
    steps: groupSteps(plan.steps).map((group) => section(group, fixed)),
    outputs: plan.steps.length === 0 ? [] : outputRows(plan.outputs),
    facts: plainFacts(plan),
  };
}

function section(group: StepGroup, style: Style): StepSection {
  const { first, steps } = group;
  const { why, loses } = groupWords(group);
  const liveId = liveIdOf(group);
  const changes = steps.flatMap((step) => step.changes);
  const outside = (cause: Cause) => cause === 'drift' || cause === 'both';
  const shown = style.detail === 'names' ? [] : steps;
  return {
    action: first.action,
    address: visible(first.address),
    liveId: liveId === null ? undefined : visible(liveId),
    meta: groupMeta(group),
    why,
    loses,
    fields: unique(changes.map((change) => fieldName(change.path))),
    drifted: unique(changes.filter((change) => outside(change.cause)).map((change) => fieldName(change.path))),
    lines: shown.flatMap((step) => leftAligned(step, style)),
    requests: style.detail === 'full' ? requestLines(group) : [],
  };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function fieldName(path: string): string {
  return visible(path.split('.')[0] ?? '');
}

/** The differences from the left margin; the values of a new object are marked as added. */
function leftAligned(step: Step, style: Style): Line[] {
  const lines = changeLines(step, style);
  const margin = lines.reduce((least, line) => Math.min(least, line.depth), Infinity);
  const moved = lines.map((line) => ({ ...line, depth: line.depth - margin }));
  return isNew(step) ? moved.map((line) => ({ ...line, mark: '+' })) : moved;
}

export function planProblems(plan: Plan): Problem[] {
  const sources = new Map(plan.steps.map((step) => [step.address, placeIn(step.source)]));
  const refused = plan.refusals.map(({ rule, message, addresses, flag }): Problem => ({
    group: 'refused',
    code: visible(rule),
    text: visible(shorten(message)),
    place: addresses.map((address) => sources.get(address)).find((place) => place !== undefined),
    addresses: addresses.length > 1 ? addresses.map(visible) : [],
    facts: flag === null ? [] : [{ lead: 'allow it with', text: visible(flag), isCode: true }],
  }));
  const blocked = plan.blocked.map((one): Problem => ({
    group: 'blocked',
    code: undefined,
    text: `${visible(blockedPlace(one, ' '))}: ${visible(one.reason)}`,
    place: sources.get(one.address),
    addresses: [],
    facts: [],
  }));
  const found = plan.diagnostics.map((one) => fromPlanDiagnostic(one, sources));
  const bySeverity = (group: ProblemGroup) => found.filter((problem) => problem.group === group);
  return [...refused, ...blocked, ...bySeverity('error'), ...bySeverity('warning')];
}

function fromPlanDiagnostic(
  { code, severity, message, address }: PlanDiagnostic,
  sources: ReadonlyMap<string, SourcePlace | undefined>,
): Problem {
  return {
    group: severity,
    code: visible(code),
    text: visible(shorten(message)),
    place: address === null ? undefined : sources.get(address),
    addresses: [],
    facts: [],
  };
}

/** `file:line:column` as a place. */
function placeIn(source: string | null): SourcePlace | undefined {
  const found = /^(.+):(\d{1,9}):(\d{1,9})$/s.exec(source ?? '');
  if (found === null) return undefined;
  return { file: visible(found[1] ?? ''), line: Number(found[2]), column: Number(found[3]) };
}

/** Problems of a manifest or of a run, sorted by place. */
export function diagnosticProblems(diagnostics: readonly Diagnostic[]): Problem[] {
  return listed(diagnostics).map(({ code, severity, message, range, address, expected, got, fix, related = [] }) => ({
    group: severity,
    code: visible(code),
    text: range === undefined && address !== undefined ? `${visible(address)}: ${visible(message)}` : visible(message),
    place: range === undefined ? undefined : { file: visible(range.file), line: range.line, column: range.column },
    addresses: [],
    facts: [
      ...related.flatMap((other) => said('see also', `${placeText(other.range)}: ${other.message}`)),
      ...said('expected', expected),
      ...said('got', got),
      ...said('fix:', fix),
    ],
  }));
}

function placeText({ file, line, column }: SourceRange): string {
  return `${file}:${line}:${column}`;
}

function said(lead: string, text: string | undefined): Fact[] {
  return text === undefined ? [] : [{ lead, text: visible(text), isCode: false }];
}

function outputRows(outputs: Readonly<Record<string, Json>>): Output[] {
  const names = Object.keys(outputs).sort(compareText);
  return names.map((name) => [visible(name), inlineOutput(outputs[name] ?? null)]);
}

function plainFacts({ summary, unmanaged, steps }: Plan): string[] {
  return [
    ...(summary.unchanged > 0 && steps.length > 0 ? [`${plural(summary.unchanged, 'resource')} unchanged.`] : []),
    ...(unmanaged.length > 0
      ? [`${plural(unmanaged.length, 'object')} of the service not in this stack, left alone.`]
      : []),
  ];
}

/** How one step of a run ended. */
export interface ResultRow {
  readonly action: Action;
  readonly address: string;
  readonly liveId: string | undefined;
  readonly phase: Step['phase'];
  readonly place: SourcePlace | undefined;
  readonly status: StepStatus;
  readonly error: string | undefined;
}

export interface RunDocument {
  readonly stack: string;
  readonly service: string;
  readonly sentence: string;
  readonly advice: string | undefined;
  readonly problems: readonly Problem[];
  /** What needs a person first; what is done comes last. */
  readonly rows: readonly ResultRow[];
  readonly outputs: readonly Output[];
}

export function runDocument({ plan, results, result, diagnostics }: Ending): RunDocument {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const order = [...PROBLEMS, 'done' as const];
  const sorted = order.flatMap((status) => results.filter((one) => one.status === status));
  const found = diagnosticProblems(diagnostics);
  return {
    stack: visible(plan.stack),
    service: visible(plan.service),
    sentence: runSentence({ plan, results, result }),
    advice: results.every((one) => one.status === 'done') ? undefined : adviceFor(totalsOf(results)),
    problems: results.length === 0 ? refusedRun(plan, found) : found,
    rows: sorted.map((one) => resultRow(one, steps.get(one.id))),
    outputs: result === 'done' ? outputRows(plan.outputs) : [],
  };
}

/** What the plan says, and of the problems those that it does not name. */
function refusedRun(plan: Plan, found: readonly Problem[]): Problem[] {
  const said = new Set([...plan.refusals.map(({ rule }) => visible(rule)), ...plan.diagnostics.map(codeOf)]);
  return [...planProblems(plan), ...found.filter(({ code }) => code === undefined || !said.has(code))];
}

function codeOf({ code }: PlanDiagnostic): string {
  return visible(code);
}

function runSentence({ plan, results, result }: Pick<Ending, 'plan' | 'results' | 'result'>): string {
  if (results.length > 0) return reportSentence(results, { stack: clip(plan.stack, MAX_STACK) });
  return result === 'done' ? verdict(plan) : `Nothing was changed. ${verdict(plan)}`;
}

function resultRow(result: StepResult, step: Step | undefined): ResultRow {
  const { action, address, live_id, status, error, requests_done } = result;
  const isPartly = status !== 'done' && requests_done > 0;
  const said = [
    ...(error === null ? [] : [visible(error)]),
    ...(isPartly ? [`${plural(requests_done, 'request')} of it had been accepted`] : []),
  ].join('; ');
  return {
    action,
    address: visible(address),
    liveId: live_id === null ? undefined : visible(live_id),
    phase: step?.phase,
    place: placeIn(step?.source ?? null),
    status,
    error: said === '' ? undefined : said,
  };
}
