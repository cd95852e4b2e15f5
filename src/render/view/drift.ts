// What drift found: what counts, what is accepted, and what the manifest itself would change.

import { plural } from '../../core/text.ts';
import { escapeControls } from '../../core/escape-controls.ts';
import type { Finding } from '../../drift/drift.ts';
import type { Pending } from '../../drift/pending.ts';
import type { RenderOptions } from '../render-options.ts';
import { CAUSES, outsideLines } from './changes.ts';
import type { DriftView } from './documents.ts';
import { driftDocument } from './documents.ts';
import { countsOf, fieldNames, stackOf } from './plan.ts';
import { problemsOf } from './problems.ts';
import type { Item, List, Sign, View } from './view.ts';
import { NOTHING } from './view.ts';

const SIGNS: Readonly<Record<Finding['type'], Sign>> = {
  changed: { symbol: '~', word: 'changed', tone: 'warn' },
  missing: { symbol: '-', word: 'missing', tone: 'bad' },
  duplicate: { symbol: '!', word: 'duplicate', tone: 'bad' },
  unmanaged: { symbol: '?', word: 'unmanaged', tone: 'quiet' },
};

export function driftView(found: DriftView, style: RenderOptions): View {
  const { drift, ignored, diagnostics } = found;
  const items = drift.findings.filter(({ type }) => type !== 'unmanaged').map((one) => itemOf(one, style));
  const unmanaged = drift.findings.filter(({ type }) => type === 'unmanaged');
  return {
    ...NOTHING,
    is: 'drift',
    sentence: sentenceOf(found),
    at: stackOf(drift),
    problems: problemsOf(diagnostics),
    items,
    counts: countsOf(items),
    lists: [
      listOf(
        'Not owned by any stack',
        unmanaged,
        ({ kind, live_id: id }) => `${escapeControls(kind)} ${escapeControls(id ?? '')}`,
      ),
      listOf('Pending, because the manifest changed', drift.pending, pendingText),
      listOf('Ignored', ignored, ignoredText),
    ].flat(),
    facts: { stack: drift.stack, service: drift.service, result: drift.drifted ? 'drifted' : 'clean' },
    document: driftDocument(found),
  };
}

function listOf<T>(title: string, list: readonly T[], textOf: (one: T) => string): List[] {
  return list.length === 0 ? [] : [{ title, entries: list.map(textOf) }];
}

function pendingText({ action, address, reason }: Pending): string {
  return `${action} ${escapeControls(address)}: ${escapeControls(reason)}`;
}

function ignoredText({ finding, ignore }: DriftView['ignored'][number]): string {
  return `${escapeControls(finding.address ?? finding.live_id ?? '')}: ${escapeControls(ignore.reason)} (until ${ignore.expires})`;
}

function sentenceOf({ drift, ignored }: DriftView): string {
  const count = (type: Finding['type']) => drift.findings.filter((finding) => finding.type === type).length;
  const facts = [
    [count('changed'), 'changed outside'],
    [count('missing'), 'missing'],
    [count('duplicate'), 'duplicate'],
  ] as const;
  const found = facts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return [
    found.length === 0 ? 'No drift.' : `Drift: ${found.join(', ')}.`,
    ...(drift.pending.length === 0 ? [] : [`${plural(drift.pending.length, 'manifest change')} pending.`]),
    ...(ignored.length === 0 ? [] : [`${plural(ignored.length, 'finding')} ignored.`]),
    `Coverage: ${(Math.floor(drift.coverage * 1000) / 10).toFixed(1)} % of the objects belong to a stack.`,
  ].join(' ');
}

function itemOf(finding: Finding, style: RenderOptions): Item {
  const { type, address, kind, live_id: liveId, changes, cause, evidence, consequences = [] } = finding;
  const lead =
    type === 'duplicate'
      ? 'several objects have this address: '
      : type === 'missing' && cause === 'drift'
        ? 'deleted outside: '
        : '';
  const causes = [...new Set(changes.map((change) => change.cause))];
  return {
    ...SIGNS[type],
    kind: escapeControls(kind),
    steps: [],
    place: undefined,
    isDrifted: true,
    fingerprint: finding.fingerprint,
    address: escapeControls(address ?? kind),
    liveId: liveId === null ? undefined : escapeControls(liveId),
    meta: '',
    why: evidence === undefined ? undefined : escapeControls(`${lead}${evidence}`),
    loses: undefined,
    fields: [],
    causes: causes.map((one) => ({
      words: CAUSES[one],
      fields: fieldNames(changes.filter((change) => change.cause === one)),
    })),
    isNew: false,
    lines: style.detail === 'names' ? [] : changes.flatMap((change) => outsideLines(kind, change, style)),
    requests: [],
    notes: [...consequences.map((one) => `then: ${pendingText(one)}`), `fingerprint: ${finding.fingerprint}`],
  };
}
