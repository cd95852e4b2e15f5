// The list of drift findings that are known and accepted, each with a reason and a last day. Expired entries fail.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { isList, isObject } from '../../core/json.ts';
import { parseFile } from '../../manifest/text/parse.ts';
import type { Finding } from '../../drift/drift.ts';
import { Failure } from '../../core/failure.ts';
import { readInput } from './read-input.ts';
import type { Host } from '../shell/host.ts';

/** One accepted finding: by its fingerprint, or by where it is. */
export interface IgnoreRule {
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
const DATE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** The entries of a file (YAML or JSON, `ignore: [...]`); fails with exit code 4 on wrong or expired ones. */
export async function readIgnores(name: string, host: Host): Promise<readonly IgnoreRule[]> {
  const text = await readInput({ option: '--ignore', path: name, maxBytes: MAX_BYTES }, host);
  const { json, diagnostics, valueRange } = parseFile(name, text);
  if (diagnostics.length > 0) throw new Failure('invalid', diagnostics);
  const list = isObject(json) ? json['ignore'] : undefined;
  const problem = (code: string, path: readonly string[], message: string): Diagnostic => {
    const range = valueRange(path);
    return { code, severity: 'error', message, ...(range && { range }) };
  };
  if (list === undefined || !isList(list)) {
    throw new Failure('invalid', [problem('bad-ignore-file', [], `${name} has no \`ignore\` list`)]);
  }
  const today = host.today();
  const problems = list.flatMap((entry, index) => {
    const path = ['ignore', String(index)];
    const wrong = entryProblem(entry);
    if (wrong !== undefined) return [problem('bad-ignore-file', path, wrong)];
    const { expires, reason } = entry as unknown as IgnoreRule;
    if (expires >= today) return [];
    return [problem('ignore-expired', path, `this entry expired on ${expires} (${reason}); today is ${today}`)];
  });
  if (problems.length > 0) throw new Failure('invalid', problems);
  return list as unknown as readonly IgnoreRule[];
}

function entryProblem(entry: Json): string | undefined {
  if (!isObject(entry)) return 'an entry must be a map with fingerprint or address, reason and expires';
  const unknown = Object.keys(entry).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) return `"${unknown}" is not one of ${KEYS.join(', ')}`;
  const wrong = KEYS.find((key) => entry[key] !== undefined && typeof entry[key] !== 'string');
  if (wrong !== undefined) return `${wrong} must be text`;
  if ((entry['fingerprint'] === undefined) === (entry['address'] === undefined))
    return 'an entry needs either a fingerprint or an address';
  if (entry['path'] !== undefined && entry['address'] === undefined) return 'a path needs an address';
  return textProblem(entry);
}

function textProblem({ reason, expires }: JsonObject): string | undefined {
  if (typeof reason !== 'string' || reason.trim() === '') return 'an entry needs a reason';
  if (typeof expires === 'string' && DATE.test(expires)) return undefined;
  return 'expires must be a date such as 2027-01-31, in quotes if necessary';
}

interface SortedFindings {
  readonly findings: readonly Finding[];
  readonly ignored: readonly { readonly finding: Finding; readonly ignore: IgnoreRule }[];
  readonly unused: readonly IgnoreRule[];
}

/** Findings that count, and those that an entry accepts. */
export function sortFindings(findings: readonly Finding[], ignores: readonly IgnoreRule[]): SortedFindings {
  const used = new Set<IgnoreRule>();
  const kept: Finding[] = [];
  const ignored: { finding: Finding; ignore: IgnoreRule }[] = [];
  for (const finding of findings) {
    const fitting = ignores.filter((ignore) => concerns(ignore, finding));
    for (const ignore of fitting) used.add(ignore);
    const whole = fitting.find((ignore) => ignore.path === undefined);
    const changes = finding.changes.filter((change) => !fitting.some((ignore) => covers(ignore.path, change.path)));
    const last = whole ?? fitting[0];
    if (last !== undefined && (whole !== undefined || changes.length === 0)) ignored.push({ finding, ignore: last });
    else kept.push({ ...finding, changes });
  }
  return { findings: kept, ignored, unused: ignores.filter((ignore) => !used.has(ignore)) };
}

function concerns(ignore: IgnoreRule, finding: Finding): boolean {
  if (ignore.fingerprint !== undefined) return ignore.fingerprint === finding.fingerprint;
  if (ignore.address !== (finding.address ?? finding.live_id)) return false;
  return ignore.path === undefined || finding.changes.some((change) => covers(ignore.path, change.path));
}

function covers(path: string | undefined, changed: string): boolean {
  return path !== undefined && (changed === path || changed.startsWith(`${path}.`));
}
