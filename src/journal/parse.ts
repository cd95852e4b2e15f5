// Parses the text of a journal. A torn last line is the result of a crash; any other line without its checksum is an error.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { isObject, tryParseJson, type JsonObject } from '../core/json.ts';
import { endOfValue } from '../core/json-text.ts';
import { trimEndOf } from '../core/text/trim.ts';
import { findInvalidValue } from './check-values.ts';
import { checksumOf, JOURNAL_VERSION, type JournalEntry } from './entry.ts';

const LINE = /^\{"c":"([A-Za-z0-9_-]{12})",(.*)$/s;

/** All entries, or an error that names the line. An empty text is an error, because a journal always has a first line. */
export function parseJournal(text: string, path = 'the journal'): Result<readonly JournalEntry[]> {
  const lines = text.split('\n');
  // After the last line end: nothing, or the result of a crash; some file systems fill it with zeros.
  const tail = trimEndOf(lines.pop() ?? '', '\0');
  const isTorn = tail !== '' && !closes(tail);
  if (tail !== '' && !isTorn) lines.push(tail);
  if (lines.length === 0) return { diagnostics: [damaged(path, 1, 'there is no whole line')] };
  const entries: JournalEntry[] = [];
  let last = '';
  for (const [at, line] of lines.entries()) {
    const found = readLine(line, last);
    if (typeof found === 'string') return { diagnostics: [damaged(path, at + 1, found)] };
    entries.push(found.entry);
    last = found.checksum;
  }
  return { value: entries, diagnostics: isTorn ? [torn(path, lines.length + 1)] : [] };
}

/** True when an object ends in the text, which the beginning of a line never contains. */
function closes(text: string): boolean {
  if (!'{"c":"'.startsWith(text.slice(0, 6))) return true;
  const end = endOfValue(text, 0);
  return end !== undefined && tryParseJson(text.slice(0, end)) !== undefined;
}

/** The entry with its checksum, or what is wrong. */
function readLine(line: string, before: string): { readonly entry: JournalEntry; readonly checksum: string } | string {
  const [, checksum = '', rest = ''] = LINE.exec(line) ?? [];
  const raw = tryParseJson(`{${rest}`);
  if (!isObject(raw)) return 'is not a line of a journal';
  const { type, v } = raw;
  if (type === 'begin' && typeof v === 'number' && v !== JOURNAL_VERSION)
    return `the journal has version ${v}, and this edgeform reads version ${JOURNAL_VERSION}`;
  if (checksumOf(rest, before) !== checksum) return 'does not have its checksum, or a line before it is missing';
  return isEntry(raw) ? { entry: raw, checksum } : 'is not an entry of this version';
}

/** What each entry has. */
const KEYS: Readonly<Record<JournalEntry['type'], readonly string[]>> = {
  begin: ['run', 'stack', 'service', 'at'],
  intent: ['n', 'run', 'address', 'kind', 'method', 'path', 'live_id', 'parent_id', 'at'],
  outcome: ['n', 'status'],
  stored: ['address', 'live_id'],
  resolved: ['address', 'as'],
  end: ['run', 'result'],
};

/** A line with its checksum was written by this program, and what it says is believed if it has the form of an entry. */
function isEntry(raw: JsonObject): raw is JsonObject & JournalEntry {
  const found = Object.entries(KEYS).find(([type]) => type === raw['type']);
  return found?.[1].every((key) => Object.hasOwn(raw, key)) === true && findInvalidValue(raw) === undefined;
}

function damaged(path: string, line: number, what: string): Diagnostic {
  const message = `${JSON.stringify(path)}, line ${line}: ${what}`;
  const fix = `look for writes without an outcome in the file, check them by hand, then move the file away`;
  return { code: 'journal-damaged', severity: 'error', message, fix };
}

function torn(path: string, line: number): Diagnostic {
  const message = `${JSON.stringify(path)}, line ${line}: the last line is incomplete and is ignored`;
  return { code: 'journal-torn', severity: 'warning', message };
}
