// Separates findings that count from those accepted in the ignore file, each with a reason and an expiry date. Pure.

import type { Diagnostic } from '../core/diagnostic.ts';
import { compareText } from '../core/json.ts';
import type { Plan } from '../plan/plan.ts';
import { isDrift, type DriftResult, type Finding } from './drift.ts';

/** One accepted finding: by fingerprint, or by place. */
export interface IgnoreRule {
  readonly fingerprint?: string;
  /** Address of a resource, or id of an unmanaged object. */
  readonly address?: string;
  /** Field path below the address; the whole resource if missing. */
  readonly path?: string;
  readonly reason: string;
  /** Last day on which it applies, `YYYY-MM-DD`. */
  readonly expires: string;
}

/** The findings that count, those accepted, and the warnings about both. */
export function acceptFindings({ drift, plan }: DriftResult, ignores: readonly IgnoreRule[]) {
  const used = new Set<IgnoreRule>();
  const kept: Finding[] = [];
  const ignored: { finding: Finding; ignore: Pick<IgnoreRule, 'reason' | 'expires'> }[] = [];
  for (const finding of drift.findings) {
    const fitting = ignores.filter((ignore) => concerns(ignore, finding));
    for (const ignore of fitting) used.add(ignore);
    if (isAccepted(finding, fitting)) ignored.push({ finding, ignore: together(fitting) });
    else kept.push(finding);
  }
  const unused = ignores.filter((ignore) => !used.has(ignore)).map(unusedWarning);
  return {
    drift: { ...drift, findings: kept, drifted: kept.some(isDrift) },
    ignored,
    diagnostics: [...warningsIn(plan), ...unused],
    plan,
  };
}

/** A finding is accepted whole: by an entry without a path, or by entries for all of its changes. */
function isAccepted({ changes }: Finding, fitting: readonly IgnoreRule[]): boolean {
  if (fitting.some(({ path }) => path === undefined)) return true;
  return fitting.length > 0 && changes.every((change) => fitting.some(({ path }) => covers(path, change.path)));
}

/** Warnings about objects that only look like ours, about objects with an unclear owner, about the journal, and of policies. */
function warningsIn({ diagnostics }: Plan): Diagnostic[] {
  const isTold = (code: string) => TOLD.includes(code) || code.startsWith('policy/');
  const found = diagnostics.filter(({ code, severity }) => severity === 'warning' && isTold(code));
  return found.map(({ code, severity, message }) => ({ code, severity, message }));
}

const TOLD: readonly string[] = ['misplaced-marker', 'broken-marker', 'journal-damaged', 'journal-mismatch'];

/** The reasons of all matching entries, and the earliest expiry date. */
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
  if (ignore.fingerprint !== undefined) return ignore.fingerprint === finding.fingerprint;
  if (ignore.address !== (finding.address ?? finding.live_id)) return false;
  return ignore.path === undefined || finding.changes.some((change) => covers(ignore.path, change.path));
}

function covers(path: string | undefined, changed: string): boolean {
  return path !== undefined && (changed === path || changed.startsWith(`${path}.`));
}
