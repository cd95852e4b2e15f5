// A problem as plans hold it in JSON, and back: the same facts, with places as text. Other documents list places in three members.

import { rangeIn, rangeText, type Diagnostic } from './diagnostic.ts';

/** The places of a problem, as `file:line:column`. */
export interface PlacesJson {
  /** Where it is: a block or an entry of the manifest; null when the manifest has none. */
  readonly source?: string | null;
  /** The policy of the user that found it. */
  readonly policy?: string;
}

/** A problem in a plan. */
export interface PlanDiagnostic
  extends Pick<Diagnostic, 'code' | 'severity' | 'message' | 'path' | 'expected' | 'got' | 'fix'>, PlacesJson {
  /** Null for a problem of the whole, and of an object without an address. */
  readonly address: string | null;
  readonly live_id?: string;
}

/** In a plan, the only related place of a problem is that of a policy. */
export function diagnosticJson(problem: Diagnostic): PlanDiagnostic {
  const { code, severity, message, address, path, live_id, expected, got, fix, range, related = [] } = problem;
  const [policy] = related;
  return {
    code,
    severity,
    message,
    address: address ?? null,
    ...(path !== undefined && { path }),
    ...(live_id !== undefined && { live_id }),
    ...(expected !== undefined && { expected }),
    ...(got !== undefined && { got }),
    ...(fix !== undefined && { fix }),
    ...(range && { source: rangeText(range) }),
    ...(policy && { policy: rangeText(policy.range) }),
  };
}

export function diagnosticOf({ address, live_id, source, policy, ...facts }: PlanDiagnostic): Diagnostic {
  return {
    ...facts,
    ...(address !== null && { address }),
    ...(live_id !== undefined && { live_id }),
    ...placesOf({ source, policy }),
  };
}

export function placesOf({
  source,
  policy,
}: {
  readonly [Name in keyof PlacesJson]: PlacesJson[Name] | undefined;
}): Pick<Diagnostic, 'range' | 'related'> {
  const [range, at] = [rangeIn(source), rangeIn(policy)];
  return { ...(range && { range }), ...(at && { related: [{ message: 'the policy', range: at }] }) };
}
