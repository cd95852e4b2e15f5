// Parses the text of a journal. A torn last line is the result of a crash; anything else that this version would not write is
// an error.

import type { Diagnostic, Result } from '../core/diagnostic.ts';
import { isObject, tryParseJson, type JsonObject } from '../core/json.ts';
import { findInvalidValue } from './check-values.ts';
import { checksumOf, JOURNAL_VERSION, type JournalEntry } from './entry.ts';

const LINE = /^\{"c":"([A-Za-z0-9_-]{12})",(.*)$/s;

/** All entries, or an error that names the line. An empty text is an error, because a journal always has a first line. */
export function parseJournal(text: string, path = 'the journal'): Result<readonly JournalEntry[]> {
  const lines = text.split('\n');
  // After the last line end: nothing, or the result of a crash; some file systems fill it with zeros.
  const tail = (lines.pop() ?? '').replace(/\0+$/, '');
  const isTorn = tail !== '' && !closes(tail);
  if (tail !== '' && !isTorn) lines.push(tail);
  if (lines.length === 0) return { diagnostics: [damaged(path, 1, 'there is no whole line')] };
  const entries: JournalEntry[] = [];
  const wrongPlace = createOrder();
  let last = '';
  for (const [at, line] of lines.entries()) {
    const found = readLine(line, last);
    const wrong = typeof found === 'string' ? found : wrongPlace(found.entry);
    if (typeof found === 'string' || wrong !== undefined)
      return { diagnostics: [damaged(path, at + 1, wrong ?? 'cannot be read')] };
    entries.push(found.entry);
    last = found.checksum;
  }
  return { value: entries, diagnostics: isTorn ? [torn(path, lines.length + 1)] : [] };
}

/** True when an object ends in the text, which the beginning of a line never contains. */
function closes(text: string): boolean {
  return (
    !'{"c":"'.startsWith(text.slice(0, 6)) ||
    [...text.matchAll(/\}/g)].some(({ index }) => tryParseJson(text.slice(0, index + 1)) !== undefined)
  );
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

type Keys<T> = readonly (keyof Extract<JournalEntry, { readonly type: T }>)[];

const KEYS: { readonly [T in JournalEntry['type']]: readonly [always: Keys<T>, others: Keys<T>] } = {
  begin: [['v', 'run', 'stack', 'service', 'at'], []],
  intent: [
    ['n', 'run', 'address', 'kind', 'method', 'path', 'live_id', 'parent_id', 'at'],
    ['replaces', 'releases'],
  ],
  outcome: [['n', 'status'], ['live_id']],
  stored: [['address', 'live_id'], []],
  resolved: [['address', 'as'], []],
  end: [['run', 'result'], ['objects']],
};
const KEYS_BY_TYPE: ReadonlyMap<unknown, readonly (readonly string[])[]> = new Map(Object.entries(KEYS));

/** True for exactly an entry. Only intents may contain null, because a new object has no id yet. */
function isEntry(raw: JsonObject): raw is JsonObject & JournalEntry {
  const [always, others = []] = KEYS_BY_TYPE.get(raw['type']) ?? [];
  return (
    always !== undefined &&
    always.every((key) => Object.hasOwn(raw, key)) &&
    Object.keys(raw).every((key) => key === 'type' || always.includes(key) || others.includes(key)) &&
    findInvalidValue(raw) === undefined &&
    (raw['type'] === 'intent' || !Object.values(raw).includes(null))
  );
}

/** Returns why an entry is invalid after those before it, or undefined. */
function createOrder(): (entry: JournalEntry) => string | undefined {
  let run: string | undefined;
  let last = 0;
  let open = new Set<number>();
  return (entry) => {
    if (entry.type === 'begin') {
      run = entry.run;
      last = 0;
      open = new Set();
      return undefined;
    }
    if (run === undefined) return 'is outside a run';
    switch (entry.type) {
      case 'intent':
        if (entry.run !== run || entry.n <= last) return 'is not a next write of its run';
        last = entry.n;
        open.add(entry.n);
        return undefined;
      case 'outcome':
        if (!open.has(entry.n)) return 'answers no open write of its run';
        if (entry.status !== 'unknown') open.delete(entry.n);
        return undefined;
      case 'end':
        if (entry.run !== run) return 'ends another run';
        run = undefined;
        return undefined;
      default:
        return undefined;
    }
  };
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
