// The list of drift findings that are known and accepted, each with a reason and a last day. Expired entries fail.

import { didYouMean } from '../../core/text/closest.ts';
import type { Code } from '../../core/codes.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { compareText, isList, isObject, type Json } from '../../core/json.ts';
import { parseFile } from '../../manifest/text/parse.ts';
import type { DriftResult, Finding } from '../../drift/drift.ts';
import { Failure } from '../../core/failure.ts';
import { readInput } from './read-input.ts';
import type { Host } from '../shell/host.ts';

/** One accepted finding: by its fingerprint, or by where it is. */
interface IgnoreRule {
  readonly fingerprint?: string;
  /** Address of a resource, or id of an unmanaged object. */
  readonly address?: string;
  /** Field path below the address; all of it when missing. */
  readonly path?: string;
  readonly reason: string;
  /** Last day on which it counts, `YYYY-MM-DD`. */
  readonly expires: string;
}

const MAX_BYTES = 4 * 1024 * 1024;
const KEYS: readonly string[] = ['fingerprint', 'address', 'path', 'reason', 'expires'];

/** The entries of a file (YAML or JSON, `ignore: [...]`); fails with exit code 4 and all that is wrong or expired in it. */
export async function readIgnores(name: string, host: Host): Promise<readonly IgnoreRule[]> {
  const text = await readInput({ option: '--ignore', path: name, maxBytes: MAX_BYTES }, host);
  const { json, diagnostics, valueRange, keyRange } = parseFile(name, text);
  const list = isObject(json) ? json['ignore'] : undefined;
  const located = ({ key, code = 'bad-ignore-file', ...words }: Wrong, entry?: string): Diagnostic => {
    const path = ['ignore', entry, key].filter((part) => part !== undefined);
    const isUnknown = key !== undefined && !KEYS.includes(key);
    const range = (isUnknown ? keyRange(path) : valueRange(path)) ?? valueRange(path.slice(0, -1)) ?? valueRange([]);
    return { code, severity: 'error', ...words, ...(range && { range }) };
  };
  const today = host.today();
  const problems =
    list === undefined || !isList(list)
      ? [located({ message: `${name} has no \`ignore\` list`, fix: 'write `ignore:` and the entries below it' })]
      : list.flatMap((entry, index) => wrongIn(entry, today).map((one) => located(one, String(index))));
  const all = diagnostics.length > 0 ? diagnostics : problems;
  if (all.length > 0) throw new Failure('invalid', all, new Map([[name, text]]));
  return list as unknown as readonly IgnoreRule[];
}

interface Wrong extends Pick<Diagnostic, 'message' | 'fix'> {
  /** The field it is about; the whole entry without one. */
  readonly key?: string;
  readonly code?: Code;
}

/** All that is wrong with an entry. */
function wrongIn(entry: Json, today: string): Wrong[] {
  if (!isObject(entry))
    return [
      {
        message: 'an entry must be a map',
        fix: 'write it as `{ address: ADDRESS, reason: TEXT, expires: YYYY-MM-DD }`',
      },
    ];
  const has = (key: string) => entry[key] !== undefined;
  const asText = (key: string) => (typeof entry[key] === 'string' ? entry[key] : undefined);
  const notText = KEYS.filter((key) => has(key) && asText(key) === undefined);
  const wrong: Wrong[] = [
    ...Object.keys(entry)
      .filter((key) => !KEYS.includes(key))
      .map((key) => ({
        key,
        message: `"${key}" is not one of ${KEYS.join(', ')}`,
        fix: didYouMean(key, KEYS) ?? 'remove it',
      })),
    ...notText.map((key) => ({ key, message: `${key} must be text`, fix: 'put the value in quotes' })),
  ];
  if (!has('fingerprint') && !has('address'))
    wrong.push({
      message: 'an entry needs either a fingerprint or an address',
      fix: 'add one of them, as drift shows it',
    });
  if (has('fingerprint') && has('address'))
    wrong.push({
      key: 'address',
      message: 'an entry has either a fingerprint or an address',
      fix: 'remove one of them',
    });
  if (has('path') && !has('address'))
    wrong.push({ key: 'path', message: 'a path needs an address', fix: 'add the address, or remove the path' });
  if (!notText.includes('reason') && (asText('reason') ?? '').trim() === '')
    wrong.push({ key: 'reason', message: 'an entry needs a reason', fix: 'add `reason: TEXT`' });
  return notText.includes('expires') ? wrong : [...wrong, ...wrongDate(asText('expires'), today)];
}

/** True for `YYYY-MM-DD` of a day that there is. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00Z`) : new Date(NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function wrongDate(expires: string | undefined, today: string): Wrong[] {
  const key = 'expires';
  if (expires === undefined || !isDay(expires)) {
    const message = 'expires must be a date such as 2027-01-31';
    return [{ key, message, fix: 'write the last day on which the entry counts, as YYYY-MM-DD' }];
  }
  if (expires >= today) return [];
  const message = `this entry expired on ${expires}; today is ${today}`;
  return [{ key, code: 'ignore-expired', message, fix: 'remove the entry, or give it a later day' }];
}

/** Findings that count, of some only what no entry accepts, and those that entries accept. */
export function sortFindings(
  { drift: { findings }, withChanges }: Pick<DriftResult, 'drift' | 'withChanges'>,
  ignores: readonly IgnoreRule[],
) {
  const used = new Set<IgnoreRule>();
  const kept: Finding[] = [];
  const ignored: { finding: Finding; ignore: Pick<IgnoreRule, 'reason' | 'expires'> }[] = [];
  for (const finding of findings) {
    const byPlace = ignores.filter((ignore) => concerns(ignore, finding));
    const changes = finding.changes.filter((change) => !byPlace.some((ignore) => covers(ignore.path, change.path)));
    const rest = changes.length === finding.changes.length ? finding : withChanges(finding, changes);
    // What is left of a finding is known by a fingerprint of its own, which is the one that people see.
    const names = [finding.fingerprint, rest.fingerprint];
    const fitting = ignores.filter((ignore) => byPlace.includes(ignore) || names.includes(ignore.fingerprint ?? ''));
    for (const ignore of fitting) used.add(ignore);
    const isWhole = fitting.some((ignore) => ignore.path === undefined);
    if (isWhole || (fitting.length > 0 && changes.length === 0)) ignored.push({ finding, ignore: together(fitting) });
    else kept.push(rest);
  }
  return { findings: kept, ignored, unused: ignores.filter((ignore) => !used.has(ignore)).map(unusedWarning) };
}

/** Why a finding is accepted by all entries that fit it, and until the first of them expires. */
function together(fitting: readonly IgnoreRule[]): Pick<IgnoreRule, 'reason' | 'expires'> {
  const [expires = ''] = fitting.map((ignore) => ignore.expires).sort(compareText);
  return { reason: [...new Set(fitting.map(({ reason }) => reason))].join('; '), expires };
}

function unusedWarning(ignore: IgnoreRule): Diagnostic {
  const what = ignore.fingerprint ?? [ignore.address, ignore.path].filter((part) => part !== undefined).join(' ');
  return {
    code: 'ignore-unused',
    severity: 'warning',
    message: `the entry for ${what} (${ignore.reason}) matches no finding of this run`,
  };
}

function concerns(ignore: IgnoreRule, finding: Finding): boolean {
  if (ignore.address !== (finding.address ?? finding.live_id)) return false;
  return ignore.path === undefined || finding.changes.some((change) => covers(ignore.path, change.path));
}

function covers(path: string | undefined, changed: string): boolean {
  return path !== undefined && (changed === path || changed.startsWith(`${path}.`));
}
