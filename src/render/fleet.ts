// Many stacks as one document.

import type { Diagnostic } from '../core/diagnostic.ts';
import { EXIT_CODES, type RunOutcome } from '../core/run-outcome.ts';
import type { DriftResult } from '../drift/drift.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunReport } from '../reconcile/run-report.ts';
import type { Format } from './formats.ts';
import type { RenderOptions } from './render-options.ts';

/** What became of a fleet. */
export interface FleetOutcome {
  readonly command: 'list' | 'validate' | 'plan' | 'apply' | 'drift' | 'destroy';
  readonly stacks: readonly FleetStackOutcome[];
  readonly outcome: RunOutcome;
}

/** What became of one of its stacks. */
export type FleetStackOutcome = {
  readonly name: string;
  readonly stack: string | undefined;
  readonly service: string | undefined;
  readonly outcome: RunOutcome;
} & (
  | { readonly is: 'planned'; readonly plan: Plan }
  | { readonly is: 'applied'; readonly report: RunReport }
  | { readonly is: 'drift'; readonly drift: DriftResult }
  | { readonly is: 'checked' | 'failed'; readonly diagnostics: readonly Diagnostic[] }
  | { readonly is: 'blocked'; readonly by: string }
  | { readonly is: 'not-attempted' }
);

export function renderFleetAs(format: Format, fleet: FleetOutcome, _options: RenderOptions, _limit?: number): string {
  if (format === 'json') {
    const stacks = fleet.stacks.map(({ outcome, ...one }) => ({ ...one, exit_code: EXIT_CODES[outcome] }));
    return JSON.stringify({
      format: 'edgeform-fleet/1',
      command: fleet.command,
      stacks,
      exit_code: EXIT_CODES[fleet.outcome],
    });
  }
  return fleet.stacks.map((one) => `${one.name}  ${one.is}  ${one.outcome}`).join('\n');
}
