// The history of a stack: one line of JSON for each run that wrote, beside its journal. It is for people: no run decides anything by
// it, so a line that cannot be read is skipped and named, and the rest counts (ADR-0062).

import type { Diagnostic } from '../core/diagnostic.ts';
import { isList, isObject, tryParseJson, type Json, type JsonObject } from '../core/json.ts';
import type { RunRecord } from '../core/run-record.ts';
import type { Files } from '../platform/files.ts';

/** In characters: when a file would become larger, its older half goes. */
const LARGEST = 8 * 1024 * 1024;

/** The history of the stack that has this journal: no two journals have the same. */
export function historyOf(journal: string): string {
  return `${journal.replace(/\.journal\.jsonl$/, '')}.history.jsonl`;
}

type HistoryFiles = Pick<Files, 'read' | 'openAppender' | 'writeAtomic'>;

/** Adds a line, flushed before the promise resolves. The caller holds the lock of the journal. Throws `FileError`. */
export async function appendRecord(path: string, record: RunRecord, files: HistoryFiles): Promise<void> {
  const text = files.read(path) ?? '';
  const line = `${JSON.stringify(record)}\n`;
  if (text.length + line.length > LARGEST) {
    files.writeAtomic(path, `${wholeLines(newest(text, LARGEST / 2))}${line}`);
    return;
  }
  const file = files.openAppender(path);
  try {
    // A crash may have left a line without its end.
    await file.append(`${text === '' || text.endsWith('\n') ? '' : '\n'}${line}`);
  } finally {
    file.close();
  }
}

function wholeLines(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** The newest lines of the text that fit, without a last line that is too long to be one. */
function newest(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.indexOf('\n', text.length - length);
  if (start >= 0 && start < text.length - 1) return text.slice(start + 1);
  const lastLine = text.lastIndexOf('\n', text.length - 2) + 1;
  return newest(text.slice(0, lastLine), length);
}

export interface History {
  /** Oldest first. */
  readonly records: readonly RunRecord[];
  /** A warning for each line that is no record. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The records of a file, or of its newest part if somebody made it larger than a run leaves it. */
export function parseHistory(text: string, path: string): History {
  const part = newest(text, LARGEST);
  const begin = text.lastIndexOf(part);
  const skipped = text.slice(0, begin).split('\n').length - 1;
  const records: RunRecord[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [at, line] of part.split('\n').entries()) {
    if (line === '') continue;
    const found = readRecord(line);
    if (typeof found === 'string') diagnostics.push(broken(path, skipped + at + 1, found));
    else records.push(found);
  }
  if (begin + part.length < text.length)
    diagnostics.push(broken(path, skipped + part.split('\n').length, 'is too long to be a record of a run'));
  return { records, diagnostics };
}

function broken(path: string, line: number, what: string): Diagnostic {
  const message = `${JSON.stringify(path)}, line ${line}: ${what}, and is skipped`;
  return { code: 'history-damaged', severity: 'warning', message, fix: 'remove the line' };
}

/** The longest text of a record, in characters. */
const LONGEST = 2048;

const isText = (value: Json | undefined): boolean => typeof value === 'string' && value.length <= LONGEST;
const isTextOrNull = (value: Json | undefined): boolean => value === null || isText(value);
const isCount = (value: Json | undefined): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isInstant = (value: Json | undefined): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,20}Z$/.test(value) && !Number.isNaN(Date.parse(value));
const isLinkOrNull = (value: Json | undefined): boolean =>
  value === null || (isText(value) && /^https?:\/\//.test(String(value)));

/** What each member of a record is. */
const FORMS: Readonly<Record<keyof RunRecord, (value: Json | undefined) => boolean>> = {
  v: (value) => value === 1,
  run: isText,
  command: (value) => value === 'apply' || value === 'destroy',
  stack: isText,
  service: isText,
  began: isInstant,
  ended: isInstant,
  actor: isTextOrNull,
  commit: isTextOrNull,
  link: isLinkOrNull,
  plan: isText,
  totals: (value) => isObject(value) && Object.values(value).every(isCount),
  exit_code: isCount,
  steps: (value) => isList(value) && value.every(isStep),
  steps_left_out: isCount,
};

function isStep(value: Json): boolean {
  return isObject(value) && ['address', 'action', 'status'].every((name) => isText(value[name]));
}

/** The record, or what the line is instead. */
function readRecord(line: string): RunRecord | string {
  const raw = tryParseJson(line);
  if (!isObject(raw)) return 'is not a record of a run';
  const { v } = raw;
  if (typeof v === 'number' && v !== 1) return `is a record of version ${v}, while this edgeform reads version 1`;
  return isRecord(raw) ? raw : 'is not a record of a run';
}

function isRecord(raw: JsonObject): raw is JsonObject & RunRecord {
  return Object.entries(FORMS).every(([name, hasForm]) => hasForm(raw[name]));
}
