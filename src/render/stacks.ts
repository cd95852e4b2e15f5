// The stacks of a service, as a table and as JSON.

import type { Diagnostic } from '../core/diagnostic.ts';
import type { RunRecord } from '../core/run-record.ts';
import type { Format } from './formats.ts';
import { instant } from './history.ts';
import { tableLines } from './text/table.ts';
import { documentJson, rows } from './view/documents.ts';

/** A stack that owns objects, and its last run that is on record here. */
export interface StackRow {
  readonly stack: string;
  readonly objects: Readonly<Record<string, number>>;
  readonly commits: readonly { readonly commit: string; readonly objects: number }[];
  readonly last_run: RunRecord | undefined;
}

export interface StacksView {
  readonly service: string;
  readonly stacks: readonly StackRow[];
  readonly diagnostics: readonly Diagnostic[];
}

export function renderStacksAs(format: Format, { service, stacks, diagnostics }: StacksView): string {
  if (format !== 'json') return tableLines(TITLES, stacks.map(cellsOf)).join('\n');
  const list = stacks.map(({ last_run: run, ...stack }) => ({
    ...stack,
    last_run: run === undefined ? null : briefOf(run),
  }));
  return documentJson({ format: 'edgeform-stacks/1', service, stacks: list, diagnostics: rows(diagnostics) });
}

function briefOf({ run, command, ended, actor, commit, link, exit_code }: RunRecord): object {
  return { run, command, ended, actor, commit, link, exit_code };
}

const TITLES = ['STACK', 'OBJECTS', 'KINDS', 'COMMITS', 'LAST RUN (UTC)', 'BY'];
/** Commits that a row names. */
const MAX_COMMITS = 2;

function cellsOf({ stack, objects, commits, last_run: run }: StackRow): string[] {
  const kinds = Object.entries(objects);
  const total = kinds.reduce((sum, [, count]) => sum + count, 0);
  const shown = commits.slice(0, MAX_COMMITS).map((one) => one.commit);
  const more = commits.length > MAX_COMMITS ? [`${commits.length - MAX_COMMITS} more`] : [];
  return [
    stack,
    String(total),
    kinds.map(([kind, count]) => `${kind} ${count}`).join(', '),
    [...shown, ...more].join(', '),
    run === undefined ? '' : instant(run.ended),
    run?.actor ?? '',
  ];
}
