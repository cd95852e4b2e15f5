// The ignore file: drift findings that are accepted, each with a reason and an expiry date. Expired entries are errors.

import { didYouMean } from '../../core/text/closest.ts';
import type { Code } from '../../core/codes.ts';
import type { Diagnostic } from '../../core/diagnostic.ts';
import { isList, isObject, type Json, type JsonObject } from '../../core/json.ts';
import { parseFile } from '../../manifest/text/parse.ts';
import type { IgnoreRule } from '../../drift/accept.ts';
import { Failure } from '../../core/failure.ts';
import { readInput } from './read-input.ts';
import type { Invocation } from '../shell/invocation.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const KEYS: readonly string[] = ['fingerprint', 'address', 'path', 'reason', 'expires'];

/** The entries of `--ignore` (YAML or JSON, `ignore: [...]`); fails with exit code 4 and all invalid or expired entries. */
export async function readIgnores(run: Invocation): Promise<readonly IgnoreRule[]> {
  const name = run.settings.ignore;
  if (name === undefined) return [];
  const text = await readInput({ option: '--ignore', path: name, maxBytes: MAX_BYTES }, run);
  const { json, diagnostics, valueRange, keyRange } = parseFile(name, text);
  const list = isObject(json) ? json['ignore'] : undefined;
  const located = ({ key, code = 'bad-ignore-file', ...words }: Wrong, entry?: string): Diagnostic => {
    const path = ['ignore', entry, key].filter((part) => part !== undefined);
    const isUnknown = key !== undefined && !KEYS.includes(key);
    const range = (isUnknown ? keyRange(path) : valueRange(path)) ?? valueRange(path.slice(0, -1)) ?? valueRange([]);
    return { code, severity: 'error', ...words, ...(range && { range }) };
  };
  const today = run.today();
  const problems =
    list === undefined || !isList(list)
      ? [located({ message: `${name} has no \`ignore\` list`, fix: 'write `ignore:` and the entries below it' })]
      : list.flatMap((entry, index) => wrongIn(entry, today).map((one) => located(one, String(index))));
  const all = diagnostics.length > 0 ? diagnostics : problems;
  if (all.length > 0) throw new Failure('invalid', all, new Map([[name, text]]));
  return isList(list) ? list.filter(isRule) : [];
}

/** True for an entry in which nothing is wrong. */
function isRule(entry: Json): entry is JsonObject & IgnoreRule {
  return isObject(entry);
}

interface Wrong extends Pick<Diagnostic, 'message' | 'fix'> {
  /** The field it is about; if missing, the whole entry. */
  readonly key?: string;
  readonly code?: Code;
}

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

/** True for an existing date in the form `YYYY-MM-DD`. */
function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00Z`) : new Date(NaN);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}

function wrongDate(expires: string | undefined, today: string): Wrong[] {
  const key = 'expires';
  if (expires === undefined || !isDay(expires)) {
    const message = 'expires must be a date such as 2027-01-31';
    return [{ key, message, fix: 'write the last day on which the entry is valid, as YYYY-MM-DD' }];
  }
  if (expires >= today) return [];
  const message = `this entry expired on ${expires}; today is ${today}`;
  return [{ key, code: 'ignore-expired', message, fix: 'remove the entry, or give it a later date' }];
}
