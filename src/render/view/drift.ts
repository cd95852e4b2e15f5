// Findings of drift by type, what apply would do about them, and changes pending in the manifest itself.

import { truncateMiddle } from '../../core/bounds.ts';
import { diagnosticOf } from '../../core/diagnostic-json.ts';
import { partition } from '../../core/group.ts';
import { plural } from '../../core/text/text.ts';
import type { Drift } from '../../drift/drift.ts';
import type { Finding } from '../../drift/finding.ts';
import type { Pending } from '../../drift/pending.ts';
import type { RenderOptions } from '../render-options.ts';
import { CAUSES, outsideLines } from './values/changes.ts';
import { rows, type DriftView } from './documents.ts';
import { factsOfChange, likenessOf } from './likeness.ts';
import { fieldNames, planProblems, pluralOfKind, totalsOf } from './plan.ts';
import { placeOf, problemsOf } from './problems.ts';
import { exposureLines } from './exposures.ts';
import { repairsIn, type Repair } from './repair.ts';
import { NOTHING, type Item, type Problem, type Sign, type View } from './view.ts';

/** Finding types, in display order. */
const SIGNS = {
  deleted: { symbol: '-', word: 'deleted outside', tone: 'bad' },
  missing: { symbol: '-', word: 'missing, cause unknown', tone: 'bad' },
  changed: { symbol: '~', word: 'changed outside', tone: 'warn' },
  unknown: { symbol: '~', word: 'changed, cause unknown', tone: 'warn' },
  duplicate: { symbol: '!', word: 'duplicate', tone: 'bad' },
  added: { symbol: '+', word: 'added outside', rule: 'foreign child', tone: 'bad' },
  marker: { symbol: '!', word: 'marker changed', rule: 'marker unreadable', tone: 'bad' },
} as const satisfies Readonly<Record<string, Sign & Pick<Item, 'rule'>>>;

const ORDER = Object.values<Sign>(SIGNS);

/** True when the marker was changed or is unreadable: nothing is said of what else changed. */
function isMarkerFinding({ type, changes, evidence }: Finding): boolean {
  return type === 'changed' && changes.length === 0 && evidence !== undefined;
}

function signOf(finding: Finding): Sign & Pick<Item, 'rule'> {
  const { type, cause } = finding;
  if (type === 'duplicate') return SIGNS.duplicate;
  if (type === 'foreign-child') return SIGNS.added;
  if (type === 'missing') return cause === 'drift' ? SIGNS.deleted : SIGNS.missing;
  if (isMarkerFinding(finding)) return SIGNS.marker;
  return cause === 'unknown' ? SIGNS.unknown : SIGNS.changed;
}

export function driftView(found: DriftView, style: RenderOptions): View {
  const { drift, diagnostics, plan } = found;
  const repairOf = repairsIn(plan);
  const counted = drift.findings.filter(({ type, known }) => type !== 'unmanaged' && known !== true);
  const repairs = counted.map(repairOf);
  const items = counted.map((one) => itemOf(one, repairOf(one), style)).sort((a, b) => rank(a) - rank(b));
  const problems = planProblems(plan);
  const barriers = problems.filter(({ group }) => group === 'refused' || group === 'error');
  const warnings = problems.filter(({ group, code }) => group === 'warning' && isForDrift(code));
  const unmanaged = drift.findings.filter(({ type }) => type === 'unmanaged');
  const [elsewhere, bare] = partition(unmanaged, (one) => one.parent_stack !== undefined);
  return {
    ...NOTHING,
    is: 'drift',
    sentence: `${sentenceOf(drift, items)} ${coverageText(drift)}`,
    common: sentenceOf(drift, items),
    at: { stack: drift.stack, service: drift.service },
    ...(counted.length > 0 && adviceFor(barriers, repairs)),
    problems: [...barriers, ...warnings, ...problemsOf(diagnostics)],
    items,
    exposures: exposureLines(counted.flatMap(({ exposures = [] }) => exposures)),
    totals: totalsOf(items),
    lists: listsOf(drift, bare),
    rest: { text: elsewhereText(elsewhere.length), entries: [] },
    facts: { stack: drift.stack, service: drift.service, result: drift.drifted ? 'drifted' : 'clean' },
    subjects: () => subjectsOf(found),
    document: driftDocument(found),
  };
}

/** What is no drift; `bare` are the objects that no stack owns, and that are in no object of another stack. */
function listsOf({ findings, pending }: Drift, bare: readonly Finding[]): View['lists'] {
  const known = findings.filter((finding) => finding.known === true);
  const [absent, changed] = partition(pending, ({ action }) => action === 'create');
  return [
    listOf('Missing, without evidence that they were deleted outside', absent, pendingText),
    listOf('Pending, from the manifest or an earlier run', changed, pendingText),
    listOf('Known, and not drift', known, knownText),
    listOf('Not owned by any stack', bare, ({ kind, live_id: id }) => `${kind} ${id ?? ''}`),
  ].flat();
}

/** True for a warning of the plan that a reader of drift misses as well: objects that may be ours, values not taken, the journal, and policies. */
function isForDrift(code = ''): boolean {
  const always = ['misplaced-marker', 'broken-marker', 'not-taken', 'journal-damaged', 'journal-mismatch'];
  return always.includes(code) || code.startsWith('policy/');
}

/** The resources. One that waits for an unreadable marker was not compared, nor were its children. */
function subjectsOf({ plan, resources }: DriftView): ReturnType<View['subjects'] & object> {
  const broken = plan.diagnostics.filter(({ code }) => code === 'broken-marker');
  const doubts = new Map(broken.map(({ address, message }) => [address, message]));
  return (resources?.() ?? []).map(({ address, parent, range }) => {
    const doubt = doubts.get(address) ?? doubts.get(parent ?? '');
    return { name: address, place: placeOf(range()), doubt: doubt === undefined ? undefined : truncateMiddle(doubt) };
  });
}

function rank({ word }: Item): number {
  return ORDER.findIndex((sign) => sign.word === word);
}

function listOf<T>(title: string, list: readonly T[], textOf: (one: T) => string): View['lists'] {
  return list.length === 0 ? [] : [{ title, entries: list.map(textOf) }];
}

/** What is added to an object of another stack is told by the drift of that stack, with the object. */
function elsewhereText(count: number): string {
  return count === 0
    ? ''
    : `${plural(count, 'object')} that no stack owns ${count === 1 ? 'is' : 'are'} in objects of other stacks, whose drift names ${count === 1 ? 'it' : 'them'}.`;
}

function pendingText({ action, address, reason }: Pending): string {
  return `${action} ${address}: ${reason.text}`;
}

function knownText(finding: Finding): string {
  const { address, kind, live_id: id, changes, fingerprint } = finding;
  const fields = changes.length === 0 ? '' : `: ${fieldNames(changes).join(', ')}`;
  return `${signOf(finding).word} ${address ?? kind} (${id ?? 'no object'})${fields}, ${fingerprint}`;
}

function adviceFor(
  barriers: readonly Problem[],
  repairs: readonly { readonly isDone: boolean }[],
): Pick<View, 'advice'> {
  if (barriers.length > 0)
    return { advice: 'As things stand, apply stops before its first write, for the reasons listed here.' };
  const done = repairs.filter(({ isDone }) => isDone);
  if (done.length === 0) return {};
  const whole = done.length === repairs.length;
  const rest = whole ? 'apply makes everything match the manifest' : 'each finding says what apply does about it';
  return { advice: `To keep a change, put it into the manifest; ${rest}.` };
}

function sentenceOf(drift: Drift, items: readonly Item[]): string {
  const facts = ORDER.map(({ word }) => [items.filter((item) => item.word === word).length, word] as const);
  const found = facts.filter(([number]) => number > 0).map(([number, word]) => `${number} ${word}`);
  const absent = drift.pending.filter(({ action }) => action === 'create').length;
  const changed = drift.pending.length - absent;
  const known = drift.findings.filter((finding) => finding.known === true).length;
  return [
    found.length === 0 ? 'No drift.' : `Drift: ${found.join('; ')}.`,
    ...(known === 0 ? [] : [`${plural(known, 'known finding')}.`]),
    ...(absent === 0 ? [] : [`${plural(absent, 'resource')} to create, without evidence of a deletion outside.`]),
    ...(changed === 0 ? [] : [`${plural(changed, 'other change')} pending.`]),
  ].join(' ');
}

function coverageText({ coverage }: Drift): string {
  return `Coverage: ${(Math.floor(coverage * 1000) / 10).toFixed(1)} % of the objects belong to a stack.`;
}

function itemOf(finding: Finding, { repair, weight: urgency, isDone }: Repair, style: RenderOptions): Item {
  const { type, address, kind, live_id, changes, evidence, fix, consequences = [] } = finding;
  const lead = type === 'duplicate' ? 'several objects have this address: ' : '';
  const causes = [...new Set(changes.map((change) => change.cause))];
  const sign = signOf(finding);
  const weight = sign.tone === 'bad' && urgency === 'warning' ? 'error' : urgency;
  const notes = [
    ...(isDone && fix !== undefined ? [fix] : []),
    ...consequences.map((one) => `then: ${pendingText(one)}`),
  ];
  const shown = { word: sign.word, kind, weight, why: evidence ?? null, repair, notes };
  return {
    ...sign,
    weight,
    steps: [],
    fingerprint: finding.fingerprint,
    address: address ?? kind,
    plural: pluralOfKind(kind),
    ...(style.detail !== 'full' && { likeness: likenessOf({ ...shown, changes: changes.map(factsOfChange) }) }),
    ...(finding.parent !== undefined && { within: finding.parent }),
    live_id: live_id ?? undefined,
    appliedFrom: finding.applied_from,
    why: evidence === undefined ? undefined : `${lead}${evidence}`,
    repair,
    fields: [],
    causes: causes.map((one) => ({
      words: CAUSES[one],
      fields: fieldNames(changes.filter((change) => change.cause === one)),
    })),
    isNew: false,
    lines: style.detail === 'names' ? [] : changes.flatMap((change) => outsideLines(kind, change, style)),
    requests: [],
    notes,
  };
}

/** The same for programs. */
function driftDocument({ drift, diagnostics, plan }: DriftView): object {
  const ofPlan = plan.diagnostics
    .filter(({ code, severity }) => severity === 'error' || isForDrift(code))
    .map(diagnosticOf);
  return { ...drift, refusals: plan.refusals, diagnostics: rows([...ofPlan, ...diagnostics]) };
}
