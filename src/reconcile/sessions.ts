// Revokes sessions, which are not in any manifest, and reports the result.

import { revokeAll, type RevokeResult } from '../apply/revoke.ts';
import { listedKind } from '../catalog/lookup.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import { createWriteClient } from '../service/client.ts';
import { judgeEnd, type RunStatus } from './run-report.ts';
import { clientPorts, type Bare } from './run.ts';
import { GRACE_MS, type Stop } from './stop.ts';

/** Deletes sessions one by one; one that no longer exists counts as done. */
export async function revokeSessions(ids: readonly string[], run: Bare, onResult: (result: RevokeResult) => void) {
  const grace = { signal: run.hardCancel, ms: GRACE_MS };
  const client = createWriteClient(run.connection, { ...clientPorts(run), gracePeriod: grace });
  const results = await revokeAll({ ...run, client, kind: listedKind().kind, ids, onResult });
  return { results, ...judge(results, run) };
}

/** The result of a revocation, with diagnostics for failed deletions. */
function judge(results: readonly RevokeResult[], stop: Stop): RunStatus {
  const has = (...wanted: RevokeResult['status'][]) => results.some((one) => wanted.includes(one.status));
  if (!has('failed', 'unknown', 'not_attempted')) return { result: 'done', outcome: 'done', diagnostics: [] };
  const failures = results.flatMap(({ id, status, error }): Diagnostic[] =>
    error === null || (status === 'not_attempted' && stop.signal.aborted)
      ? []
      : [{ code: 'revoke-failed', severity: 'error', message: `${id}: ${error}` }],
  );
  return judgeEnd(has('unknown') ? 'unknown' : has('done', 'gone') ? 'partial' : 'error', stop, failures);
}
