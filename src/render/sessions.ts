// Live objects that no manifest declares, as a table and as JSON, and the results of deleting them.

import type { StepResult, StepStatus } from '../apply/event.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { valueAt } from '../core/value.ts';
import { plural } from '../core/text/text.ts';
import { ID } from '../catalog/fields/common.ts';
import type { Kind } from '../catalog/kind.ts';
import { escapeControls } from '../core/text/escape-controls.ts';
import type { Format } from './formats.ts';
import { tableLines } from './text/table.ts';
import { documentJson } from './view/documents.ts';

/** A table with the kind's columns, or the document; a missing value is a dash in the table and null in JSON. */
export function renderSessionsAs(format: Format, kind: Kind, items: readonly JsonObject[]): string {
  if (format === 'json') {
    const names = Object.keys(kind.fields);
    const fieldsOf = (item: JsonObject) =>
      Object.fromEntries(names.map((name) => [name, valueAt(item, [name]) ?? null]));
    return documentJson({ format: 'edgeform-sessions/1', sessions: items.map(fieldsOf) });
  }
  const shown = [{ title: ID, path: ID }, ...(kind.columns ?? [])];
  const rows = items.map((item) => shown.map(({ path }) => cell(valueAt(item, path.split('.')))));
  return tableLines(
    shown.map(({ title }) => title.toUpperCase()),
    rows,
  ).join('\n');
}

function cell(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const REVOKE_LABELS: Readonly<Record<StepStatus, string>> = {
  done: 'revoked',
  failed: 'failed',
  unknown: 'unknown',
  blocked: 'not attempted',
  not_attempted: 'not attempted',
};

function revokeLine({ address, status, error }: StepResult): string {
  return `${escapeControls(address)}: ${REVOKE_LABELS[status]}${error === null ? '' : `: ${escapeControls(error)}`}`;
}

interface Revocation {
  readonly results: readonly StepResult[];
  readonly result: string;
  readonly exitCode: number;
}

/** A line for each session and the number of results by status, or the document. */
export function renderRevocationAs(format: Format, { results, result, exitCode }: Revocation, title: string): string {
  if (format === 'json') {
    const sessions = results.map(({ address, status, error }) => ({ id: address, status, error }));
    return documentJson({ format: 'edgeform-revoke/1', result, exit_code: exitCode, sessions });
  }
  const count = (status: StepStatus) => results.filter((one) => one.status === status).length;
  const parts = (['failed', 'unknown', 'not_attempted'] as const).flatMap((status) =>
    count(status) === 0 ? [] : [`${count(status)} ${REVOKE_LABELS[status]}`],
  );
  const total = `${[`${plural(count('done'), title)} revoked`, ...parts].join(', ')}.`;
  return [...results.map(revokeLine), total].join('\n');
}
