// Revokes sessions, which are in no manifest: a plan of deletions of sessions that exist, carried out like any other.

import { applyPlan } from '../apply/apply.ts';
import type { StepResult } from '../apply/event.ts';
import { ID } from '../catalog/fields/common.ts';
import { listedKind } from '../catalog/lookup.ts';
import { objectPath } from '../catalog/path.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { Failure, usageError } from '../core/failure.ts';
import { Suggestions } from '../core/text/closest.ts';
import { planOfSteps } from '../plan/build.ts';
import type { Plan } from '../plan/plan.ts';
import { createClients } from '../service/client.ts';
import { readSessions } from './read.ts';
import { judgeEnd, type RunStatus } from './run-report.ts';
import { clientPorts, type Bare } from './run.ts';
import { GRACE_MS, type Stop } from './stop.ts';

/**
 * Fails with every id that no session of the service has. Deleting such an id would be answered like deleting one that is gone
 * already, so that a mistyped id would count as revoked.
 */
export async function checkSessions(ids: readonly string[], run: Bare): Promise<void> {
  const { kind, items } = await readSessions(run);
  const known = new Set(items.map((item) => String(item[ID])));
  const suggestions = new Suggestions(known);
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const problems = unknown.flatMap((id) => {
    const fix = suggestions.didYouMean(id) ?? 'it may have ended; the ids are listed by `edgeform sessions list`';
    return usageError(`there is no ${kind.title} ${id}; nothing was revoked`, fix).diagnostics;
  });
  throw new Failure('usage', problems);
}

/** The plan that deletes sessions, one step each, in the order given. */
export function planRevocation(ids: readonly string[], service: string): Plan {
  const { kind } = listedKind();
  const steps = ids.map((id, index) => ({
    id: `s${index + 1}`,
    action: 'delete' as const,
    address: id,
    kind: kind.name,
    live_id: id,
    reason: { code: 'revoked' as const, text: 'its user must sign in again' },
    source: null,
    precondition: null,
    depends_on: [],
    changes: [],
    requests: [{ method: 'DELETE' as const, path: objectPath(kind, id, undefined) }],
  }));
  const header = { stack: '', service, complete: true, manifest_digest: '', unmanaged: [], outputs: {}, exposures: [] };
  return planOfSteps(header, steps);
}

/** Carries out the plan, one session after the other; one that has ended meanwhile counts as done. */
export async function revokeSessions(plan: Plan, run: Bare) {
  const grace = { signal: run.hardCancel, ms: GRACE_MS };
  const results = await applyPlan({
    ...run,
    plan,
    client: createClients(run.connection, { ...clientPorts(run), gracePeriod: grace }).writer,
    secrets: () => undefined,
    known: new Map(),
    live: new Map(),
    capabilities: run.options.capabilities,
    clock: run.platform.clock,
    concurrency: 1,
    settleMs: 0,
    onEvent: () => undefined,
  });
  return { results, ...judge(results, run) };
}

/** The result of a revocation, with diagnostics for failed deletions. */
function judge(results: readonly StepResult[], stop: Stop): RunStatus {
  const has = (...wanted: StepResult['status'][]) => results.some((one) => wanted.includes(one.status));
  if (!has('failed', 'unknown', 'not_attempted')) return { result: 'done', outcome: 'done', diagnostics: [] };
  const failures = results.flatMap(({ address, status, error }): Diagnostic[] =>
    error === null || (status === 'not_attempted' && stop.signal.aborted)
      ? []
      : [{ code: 'revoke-failed', severity: 'error', message: `${address}: ${error}`, fix: 'revoke it again' }],
  );
  return judgeEnd(has('unknown') ? 'unknown' : has('done') ? 'partial' : 'error', stop, failures);
}
