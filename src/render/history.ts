// The history of a stack or of an address, as text and as JSON.

import { groupBy } from '../core/group.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { RunRecord } from '../core/run-record.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import { plural } from '../core/text/text.ts';
import type { Format } from './formats.ts';
import { tableLines } from './text/table.ts';
import { documentJson, rows } from './view/documents.ts';

/** What is shown of a stack, or of one of its addresses. */
export interface HistoryView {
  readonly stack: string;
  readonly service: string;
  readonly address: string | undefined;
  /** Newest first. */
  readonly runs: readonly RunRecord[];
  readonly objects: readonly {
    readonly address: string;
    readonly kind: string;
    readonly live_id: string;
    readonly commit: string | null;
  }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Runs that text shows. */
const MAX_ROWS = 100;
/** As much of a commit as markers hold. */
const SHORT = 12;

export function renderHistoryAs(format: Format, history: HistoryView): string {
  if (format !== 'json') return textOf(history);
  const { stack, service, address = null, runs, objects, diagnostics } = history;
  const document = { format: 'edgeform-history/1', stack, service, address, runs, objects };
  return documentJson({ ...document, diagnostics: rows(diagnostics) });
}

const TITLES = ['ENDED (UTC)', 'WHO', 'COMMIT', 'WHAT', 'EXIT CODE', 'LINK'];

function textOf({ address, runs, objects }: HistoryView): string {
  const shown = runs.slice(0, MAX_ROWS).map((run) => rowOf(run, address));
  const older = runs.length - shown.length;
  const parts = [
    shown.length === 0 ? [] : tableLines(TITLES, shown),
    older === 0 ? [] : [`${plural(older, 'older run')} not shown; --format json has all.`],
    address === undefined ? commitLines(objects) : objects.map(objectLine),
  ];
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function rowOf(run: RunRecord, address: string | undefined): string[] {
  const { actor, commit, link, exit_code: code } = run;
  return [
    instant(run.ended),
    actor ?? '',
    commit?.slice(0, SHORT) ?? '',
    whatOf(run, address),
    String(code),
    link ?? '',
  ];
}

/** Wall time in UTC, in whole seconds. */
export function instant(iso: string): string {
  return iso.slice(0, 19).replace('T', ' ');
}

function whatOf(run: RunRecord, address: string | undefined): string {
  const words = address === undefined ? countsOf(run) : stepsAt(address, run);
  return `${run.command}: ${words.join(', ')}`;
}

function countsOf({ totals }: RunRecord): string[] {
  const counts = Object.entries(totals).filter(([, count]) => count > 0);
  return counts.map(([status, count]) => `${count} ${status.replace('_', ' ')}`);
}

/** What was done at the address, as far as the record has it. */
function stepsAt(address: string, { steps, steps_left_out: left }: RunRecord): string[] {
  const own = steps.filter((step) => step.address === address).map(({ action, status }) => `${action} ${status}`);
  if (own.length > 0 || left === 0) return own;
  return [`unknown, its record leaves ${plural(left, 'step')} out`];
}

function objectLine({ address, live_id: id, commit }: HistoryView['objects'][number]): string {
  const from = commit === null ? 'and its marker names no commit' : `was last written from ${commit}`;
  return `${escapeControls(address)} (${escapeControls(id)}) ${commit === null ? 'is there, ' : ''}${from}.`;
}

/** How many objects are from which commit, most of them first. */
function commitLines(objects: HistoryView['objects']): string[] {
  const groups = [...groupBy(objects, ({ commit }) => commit ?? '')].sort(([, a], [, b]) => b.length - a.length);
  return groups.map(([commit, { length }]) => {
    const verb = length === 1 ? 'was' : 'were';
    if (commit !== '') return `${plural(length, 'object')} ${verb} last written from ${commit}.`;
    return `${plural(length, 'object')} ${length === 1 ? 'has a marker' : 'have markers'} without a commit.`;
  });
}
