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

/** The findings that count (of some, only the changes that no entry accepts), those accepted, and the warnings about both. */
export function acceptFindings({ drift, plan, withChanges }: DriftResult, ignores: readonly IgnoreRule[]) {
  const used = new Set<IgnoreRule>();
  const kept: Finding[] = [];
  const ignored: { finding: Finding; ignore: Pick<IgnoreRule, 'reason' | 'expires'> }[] = [];
  for (const finding of drift.findings) {
    const byPlace = ignores.filter((ignore) => concerns(ignore, finding));
    const changes = finding.changes.filter((change) => !byPlace.some((ignore) => covers(ignore.path, change.path)));
    const rest = changes.length === finding.changes.length ? finding : withChanges(finding, changes);
    // The rest of a finding has a fingerprint of its own, which is the one that people see.
    const names = [finding.fingerprint, rest.fingerprint];
    const fitting = ignores.filter((ignore) => byPlace.includes(ignore) || names.includes(ignore.fingerprint ?? ''));
    for (const ignore of fitting) used.add(ignore);
    const isWhole = fitting.some((ignore) => ignore.path === undefined);
    if (isWhole || (fitting.length > 0 && changes.length === 0)) ignored.push({ finding, ignore: together(fitting) });
    else kept.push(rest);
  }
  const unused = ignores.filter((ignore) => !used.has(ignore)).map(unusedWarning);
  return {
    drift: { ...drift, findings: kept, drifted: kept.some(isDrift) },
    ignored,
    diagnostics: [...warningsIn(plan), ...unused],
    plan,
  };
}

/** Warnings about objects that only look like ours, about objects with an unclear owner, and about the journal. */
function warningsIn({ diagnostics }: Plan): Diagnostic[] {
  const found = diagnostics.filter(({ code, severity }) => severity === 'warning' && TOLD.includes(code));
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
  if (ignore.address !== (finding.address ?? finding.live_id)) return false;
  return ignore.path === undefined || finding.changes.some((change) => covers(ignore.path, change.path));
}

function covers(path: string | undefined, changed: string): boolean {
  return path !== undefined && (changed === path || changed.startsWith(`${path}.`));
}
