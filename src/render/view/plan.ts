// The view of a plan.

import { truncateMiddle } from '../../core/bounds.ts';
import { rangeIn, type SourceRange } from '../../core/diagnostic.ts';
import type { PlanDiagnostic } from '../../core/diagnostic-json.ts';
import { plural, pluralOf } from '../../core/text/text.ts';
import { findKind } from '../../catalog/lookup.ts';
import type { Action, Blocked, Plan, PolicyViolation, Step } from '../../plan/plan.ts';
import type { RenderOptions } from '../render-options.ts';
import { CAUSES, changeLines, isNew } from './values/changes.ts';
import { exposureLines } from './exposures.ts';
import { requestLines } from './requests.ts';
import { unmanagedTexts } from './unmanaged.ts';
import { groupSteps, isLeaving, type StepGroup, phaseWords } from './group.ts';
import { comparedOf, comparedSentence, countsOf, partOf } from './compared.ts';
import { factsOfChange, likenessOf } from './likeness.ts';
import { deletedLines, flagsOf, isCalm } from './loss.ts';
import { detailsOf } from './problems.ts';
import { outputsOf } from './outputs.ts';
import { NOTHING, type Item, type Problem, type Sign, type View } from './view.ts';

export const SIGNS: Readonly<Record<Action, Sign>> = {
  create: { symbol: '+', word: 'create', tone: 'good' },
  update: { symbol: '~', word: 'update', tone: 'warn' },
  replace: { symbol: '±', word: 'replace', tone: 'bad' },
  delete: { symbol: '-', word: 'delete', tone: 'bad' },
  adopt: { symbol: '»', word: 'adopt', tone: 'rare' },
  release: { symbol: '«', word: 'release', tone: 'rare' },
};

export function planView(plan: Plan, style: RenderOptions): View {
  const items = groupSteps(plan.steps).map((group) => itemOf(group, style));
  const isShown = plan.steps.length > 0 && style.detail !== 'names';
  return {
    ...NOTHING,
    is: 'plan',
    sentence: summaryLine(plan),
    compared: comparedOf(plan, SIGNS),
    at: { stack: plan.stack, service: plan.service },
    problems: planProblems(plan),
    items,
    exposures: exposureLines(plan.exposures),
    isCalm: isCalm(plan, items),
    totals: new Map([...totalsOf(items), ...doneBefore(plan)]),
    lists: isShown ? importsOf(plan) : [],
    outputs: isShown ? outputsOf(plan.outputs) : [],
    rest: { text: restText(plan), entries: style.detail === 'full' ? unmanagedTexts(plan) : [] },
    facts: factsOf(plan),
    document: plan,
  };
}

/** Each import with its object and the values that are used; for a log, the steps say as much. */
function importsOf({ imports = [] }: Plan): View['lists'] {
  const entries = imports.map(({ name, kind, stack, address, live_id: id, values }) => {
    const source = stack === undefined ? `a ${kind}` : `${address} of ${stack}`;
    const used = outputsOf(values).map(([attr, text]) => `${attr} = ${text}`);
    return [`${name}: ${source} (${id ?? 'known after apply'})`, ...used].join(', ');
  });
  return entries.length === 0 ? [] : [{ title: 'Imports', entries }];
}

function factsOf(plan: Plan): View['facts'] {
  const { stack, service, complete, fingerprint, manifest_digest: manifest } = plan;
  return { stack, service, result: resultOf(plan), complete: String(complete), fingerprint, manifest };
}

function resultOf({ diagnostics, refusals, steps, blocked }: Plan): string {
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'error';
  if (refusals.length > 0) return 'refused';
  return steps.length + blocked.length > 0 ? 'pending' : 'clean';
}

function itemOf({ first, steps }: StepGroup, style: RenderOptions): Item {
  const live_id = steps.find((step) => step.live_id !== null)?.live_id ?? undefined;
  const loss = steps.find((step) => step.loss !== undefined)?.loss;
  const changes = steps.flatMap((step) => step.changes);
  const outside = changes.filter(({ cause }) => cause === 'drift' || cause === 'both');
  const likeness =
    style.detail === 'full' || isShownAlone({ first, steps }) ? undefined : likenessOfSteps({ first, steps });
  return {
    ...SIGNS[first.action],
    address: first.address,
    plural: pluralOfKind(first.kind),
    ...(likeness !== undefined && { likeness }),
    steps: steps.map(({ id, phase, depends_on: after }) => ({ id, after, phase: phaseWords(phase).inPlan })),
    place: rangeIn(first.source),
    part: partOf(steps),
    live_id,
    ...(outside.length > 0 && { appliedFrom: appliedFrom(steps) }),
    why: saysMore(first) ? first.reason.text : undefined,
    loses: loss?.cost,
    allowedBy: flagsOf(steps),
    children: loss?.children ?? [],
    fields: fieldNames(changes),
    causes: outside.length === 0 ? [] : [{ words: CAUSES.drift, fields: fieldNames(outside) }],
    isNew: isNew(first),
    isAside: first.phase === 'detach',
    lines: [
      ...(style.detail === 'names' ? [] : steps.flatMap((step) => changeLines(step, style))),
      ...steps.flatMap((step) => deletedLines(step, style)),
    ],
    requests: style.detail === 'full' ? steps.flatMap((step) => step.requests.flatMap(requestLines)) : [],
    notes: [],
  };
}

/** Who reverts a change that was made outside wants to know what was there before it. */
function appliedFrom(steps: StepGroup['steps']): string | undefined {
  return steps.find((step) => step.applied_from !== undefined)?.applied_from;
}

/**
 * True for steps that delete, replace, release or adopt something, which are always shown alone: who approves a plan approves each
 * object by its name and id.
 */
function isShownAlone({ first, steps }: StepGroup): boolean {
  const { action } = first;
  const isAboutObject = SIGNS[action].tone === 'bad' || isLeaving(action) || action === 'adopt';
  return isAboutObject || steps.some(({ loss }) => loss !== undefined);
}

/** What is shown of the steps besides names, ids and places. */
function likenessOfSteps({ first, steps }: StepGroup): string {
  return likenessOf({
    action: first.action,
    kind: first.kind,
    why: saysMore(first) ? first.reason.text : null,
    part: partOf(steps) ?? null,
    allowed: [...flagsOf(steps)],
    isNew: isNew(first),
    steps: steps.map(({ phase = null, changes }) => ({ phase, changes: changes.map(factsOfChange) })),
  });
}

/** `tls_edges`, as in a manifest. */
export function pluralOfKind(kind: string): string {
  return findKind(kind)?.manifestKey ?? pluralOf(kind);
}

/** The number of items by word, in their order. */
export function totalsOf(items: readonly Item[]): View['totals'] {
  return countsOf(items.filter(({ isAside }) => isAside !== true));
}

/** Whether the reason says more than the changes do. */
function saysMore({ action, deleted_outside: deleted, changes, reason }: Step): boolean {
  if (action === 'create' && deleted === undefined) return false;
  return changes.length === 0 || reason.code !== 'differs';
}

export function fieldNames(changes: readonly { readonly path: string }[]): string[] {
  return [...new Set(changes.map(({ path }) => path.split('.')[0] ?? ''))];
}

/** Policy violations, blocked changes and other problems, in this order. */
export function planProblems(plan: Plan): Problem[] {
  const sources = new Map(plan.steps.map((step) => [step.address, rangeIn(step.source)]));
  const blockOf = (address: string | null) => sources.get(address ?? '');
  return [
    ...plan.refusals.map((violation) => refusedProblem(violation, blockOf)),
    ...plan.blocked.map((blocked) => blockedProblem(blocked, blockOf)),
    ...plan.diagnostics.map((diagnostic) => foundProblem(diagnostic, blockOf)),
  ];
}

/** The place of a block that a step is about. */
type BlockOf = (address: string | null) => SourceRange | undefined;

function refusedProblem(violation: PolicyViolation, blockOf: BlockOf): Problem {
  const { rule, message, addresses, flag, entry, source, policy } = violation;
  return {
    group: 'refused',
    code: rule,
    text: truncateMiddle(message),
    place: rangeIn(source) ?? addresses.map(blockOf).find((place) => place !== undefined),
    related: policyPlace(policy),
    addresses: addresses.length > 1 ? addresses : [],
    details: [
      ...detailsOf(violation),
      ...(flag === null ? [] : [{ is: 'flag', text: flag } as const]),
      ...(entry === undefined ? [] : [{ is: 'entry', text: entry } as const]),
    ],
  };
}

function blockedProblem(blocked: Blocked, blockOf: BlockOf): Problem {
  const { code, address, path, message } = blocked;
  const text = `${path === '' ? address : `${address} ${path}`}: ${message}`;
  const place = blockOf(address);
  return { group: 'blocked', code, text, place, related: [], addresses: [], details: detailsOf(blocked) };
}

function foundProblem(diagnostic: PlanDiagnostic, blockOf: BlockOf): Problem {
  const { code, severity, message, address, source, policy } = diagnostic;
  const place = rangeIn(source) ?? blockOf(address);
  return {
    group: severity,
    code,
    // Where no place shows which object is meant, its address does.
    ...(place === undefined && address !== null && { address }),
    text: truncateMiddle(message),
    place,
    related: policyPlace(policy),
    addresses: [],
    details: detailsOf(diagnostic),
  };
}

function policyPlace(policy: string | undefined): Problem['related'] {
  return policy === undefined ? [] : [{ text: 'the policy', place: rangeIn(policy) }];
}

function restText({ summary, unmanaged, steps }: Plan): string {
  if (steps.length === 0 && unmanaged.length === 0) return '';
  return [
    ...(summary.unchanged > 0 ? [`${plural(summary.unchanged, 'resource')} unchanged.`] : []),
    ...(unmanaged.length > 0 ? [`${plural(unmanaged.length, 'object')} outside this stack, left alone.`] : []),
  ].join(' ');
}

/**
 * `Plan: 2 to create, …`, `No changes. …` or `Already applied: …`; never "No changes" while anything is blocked, refused or wrong. It consists of
 * counts and our own words only.
 */
export function summaryLine(plan: Plan): string {
  const errors = plan.diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
  const open = [
    ...(errors > 0 ? [plural(errors, 'error')] : []),
    ...(plan.blocked.length > 0 ? [`${plural(plan.blocked.length, 'change')} cannot be done`] : []),
    ...(plan.refusals.length > 0 ? [plural(plan.refusals.length, 'policy violation')] : []),
  ];
  if (plan.steps.length === 0 && open.length === 0) return `${nothingLeft(plan)}${formerText(plan)}`;
  const rest = open.length > 0 ? ` Open: ${open.join(', ')}.` : '';
  return `${doneText(plan)}${whatIsPlanned(plan)}${addedText(plan)}${rest}`;
}

/** The counts, of a plan that was compared those of its parts. */
function whatIsPlanned(plan: Plan): string {
  const { steps, complete } = plan;
  const compared = comparedOf(plan, SIGNS);
  if (compared !== undefined) return `${complete ? '' : 'Partial plan. '}${comparedSentence([compared])}`;
  const counts = steps.length === 0 ? 'Nothing to do' : `${complete ? 'Plan' : 'Partial plan'}: ${countText(plan)}`;
  return `${counts}.${driftText(plan)}`;
}

/** What only the manifest of a revision would do. */
function formerText(plan: Plan): string {
  const compared = comparedOf(plan, SIGNS);
  return compared === undefined || compared.former.length === 0 ? '' : ` ${comparedSentence([compared])}`;
}

/** Children that apply leaves. */
function addedText({ foreign_children: children = [] }: Plan): string {
  return children.length === 0 ? '' : ` ${children.length} added outside, and left.`;
}

function nothingLeft(plan: Plan): string {
  const { complete, already_done: done = [] } = plan;
  if (done.length > 0)
    return `Already applied: ${plural(done.length, 'step')} of this plan done before, none left.${addedText(plan)}`;
  return complete
    ? `No changes.${addedText(plan) || ' Live state matches the manifest.'}`
    : 'No changes among the targets. The rest of the manifest was not planned.';
}

/** The steps of a saved plan that were done before, as a count of a view. */
export function doneBefore({ already_done: done = [] }: Plan): View['totals'] {
  return done.length === 0 ? NOTHING.totals : new Map([['done before', done.length]]);
}

/** What was done of a saved plan before. */
function doneText({ steps, already_done: done = [] }: Plan): string {
  return done.length === 0 ? '' : `${done.length} of ${plural(done.length + steps.length, 'step')} done before. `;
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
