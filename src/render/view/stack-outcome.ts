// How a command for a fleet ended for one stack. Knows no engine, and draws nothing.

import type { Diagnostic, QuotedFiles } from '../../core/diagnostic.ts';
import type { RunOutcome, StackResult } from '../../core/run-outcome.ts';
import type { Plan } from '../../plan/plan.ts';
import type { DriftView, ReportView } from './documents.ts';
import type { View } from './view.ts';

/** What became of one stack; `outcome` is what the command for a single stack would have ended with. */
export type FleetStackOutcome = {
  /** Its name in the fleet. */
  readonly name: string;
  readonly stack: string | undefined;
  readonly service: string | undefined;
  /** Undefined in a fleet without waves. */
  readonly wave?: number | undefined;
  readonly outcome: RunOutcome;
} & (
  | { readonly is: 'planned'; readonly plan: Plan }
  | { readonly is: 'applied'; readonly report: ReportView }
  | { readonly is: 'drift'; readonly drift: DriftView }
  /** Its drift was accepted; the document of the single command. */
  | { readonly is: 'accepted'; readonly document: object }
  | { readonly is: 'checked' | 'failed'; readonly diagnostics: readonly Diagnostic[]; readonly sources?: QuotedFiles }
  | { readonly is: 'blocked'; readonly by: string }
  /** `after` is the wave that did not end well. */
  | { readonly is: 'not-attempted'; readonly after?: number }
);

/** Its outcome, or what a plan or drift found where that ends with 0 or 2. */
export function resultOf(stack: FleetStackOutcome, view?: Pick<View, 'facts'>): StackResult {
  const { is, outcome } = stack;
  if (is === 'blocked') return 'blocked';
  if (is === 'not-attempted') return 'not_attempted';
  if (outcome !== 'done' && outcome !== 'pending') return outcome;
  const result = view?.facts['result'];
  if (is === 'drift' && stack.drift.drift.drifted) return 'drift';
  if (is === 'planned' && (result === 'pending' || result === 'refused' || result === 'error')) return result;
  return outcome === 'pending' ? outcome : 'ok';
}
