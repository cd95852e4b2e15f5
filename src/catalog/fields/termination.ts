// Rules about where TLS ends (§2, §7).

import type { BrokenRule } from '../kind.ts';
import { documented } from '../provenance.ts';

/** What needs the traffic in clear cannot be there when TLS passes through to the application (§2). */
export function checkUpstream({
  tls_termination: termination,
  mutual_tls: mutual,
}: {
  readonly tls_termination?: { readonly terminate_at?: string; readonly enabled?: boolean };
  readonly mutual_tls?: { readonly enabled?: boolean };
}): BrokenRule[] {
  const passes = termination?.terminate_at === 'upstream' && termination.enabled !== false;
  if (!passes || mutual === undefined || mutual.enabled === false) return [];
  return [
    {
      path: 'mutual_tls',
      message: 'mutual_tls needs the traffic, and TLS passes through to the application (`terminate_at: upstream`)',
      expected: 'no mutual_tls beside `terminate_at: upstream`',
      got: 'mutual_tls',
      fix: 'remove mutual_tls, or set `terminate_at: edge`',
      source: documented('§2'),
    },
  ];
}

/** `min_version` must be absent when TLS is terminated upstream (§7). */
export function checkTermination(
  module: { readonly terminate_at?: string; readonly min_version?: string } | undefined,
): BrokenRule[] {
  if (module?.terminate_at !== 'upstream' || module.min_version === undefined) return [];
  return [
    {
      path: 'tls_termination.min_version',
      message: 'min_version has no meaning when TLS is terminated upstream',
      expected: 'no min_version',
      got: module.min_version,
      fix: 'remove min_version, or set `terminate_at: edge`',
      source: documented('§7'),
    },
  ];
}
