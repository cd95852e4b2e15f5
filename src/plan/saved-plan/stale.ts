// Why a saved plan cannot be applied any more, as a problem. Knows none of the reasons.

import type { Diagnostic } from '../../core/diagnostic.ts';

export function stalePlan(why: string, fix = 'make a new plan, read it, and apply it'): Diagnostic {
  return { code: 'stale-plan', severity: 'error', message: `${why}; nothing was changed`, fix };
}

export function staleAt(address: string, why: string): Diagnostic {
  return { ...stalePlan(why), address };
}
