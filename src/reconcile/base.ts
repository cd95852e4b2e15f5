// Compares the plan of a manifest with what that of a revision would do, on the same read of the live state. Writes nothing.

import { rangeText, type Diagnostic } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { withDiagnostics } from '../plan/build.ts';
import { stepsOf, withOrigins, type ComparableStep, type Comparison } from '../plan/compare.ts';
import type { Plan } from '../plan/plan.ts';
import type { Snapshot } from '../resource/snapshot.ts';
import { NO_NOTES, notesFor, readNotes } from './execution/noted.ts';
import { planFrom, planInput, preview } from './plan.ts';
import { seenBy } from './read.ts';
import type { RunInput } from './run.ts';

/** A revision that plans are compared with: what is there, ready to be planned at the same services, or why there is none. */
export interface Base<Ready> extends Pick<Comparison, 'rev' | 'commit'> {
  readonly found: Ready | Exclude<Comparison['found'], { readonly is: 'compared' }>;
}

/** The manifest of a revision. */
export type ManifestBase = Base<{ readonly is: 'manifest'; readonly run: RunInput }>;

/** The plan of a manifest, and which of it only the change since a revision causes. Nothing more is asked of the service. */
export async function makeComparedPlan(run: RunInput, base: ManifestBase): Promise<Plan> {
  const seen = await preview(run, 'nothing was changed');
  return comparedPlan(planFrom(run, seen), run.manifest, comparisonWith(base, seen.read));
}

/** What the manifest of a revision would do on a live state that was read for another one. */
function comparisonWith({ found, ...base }: ManifestBase, read: Snapshot): Comparison {
  if (found.is !== 'manifest') return { ...base, found };
  const { manifest, connection, options, platform } = found.run;
  try {
    const owner = { stack: manifest.stack, service: connection.baseUrl.href };
    const notes = notesFor(readNotes(options.journal, owner, platform).accounts, read) ?? NO_NOTES;
    const steps = stepsOf(planInput(withKnownTargets(found.run), seenBy(manifest, read, notes.view), notes));
    return { ...base, found: comparedTo(found.run, steps) };
  } catch (error) {
    return { ...base, found: unreadable(base.rev, diagnosticsOf(error)) };
  }
}

/** The run of a revision, with those of the targets that its manifest has. */
export function withKnownTargets(run: RunInput): RunInput {
  return { ...run, options: { ...run.options, targets: knownTargets(run) } };
}

function knownTargets({ manifest, options }: RunInput): readonly string[] {
  const known = new Set(manifest.resources.map(({ address }) => address));
  return options.targets.filter((target) => known.has(target));
}

/** What a revision would do. If it has none of the targets, that is nothing: a plan without targets is about everything. */
export function comparedTo(run: RunInput, steps: readonly ComparableStep[]): Comparison['found'] {
  const isLeftOut = run.options.targets.length > 0 && knownTargets(run).length === 0;
  return { is: 'compared', manifest: run.manifest, steps: isLeftOut ? [] : steps };
}

/** The problems of a failure; anything else is a bug. */
function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  if (error instanceof Failure) return error.diagnostics;
  throw error;
}

/** Why a revision cannot be compared with: what is wrong there must not keep the plan from being made. */
export function unreadable(rev: string, problems: readonly Diagnostic[]): { is: 'unreadable'; problem: Diagnostic } {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first = problems[0]] = errors;
  const place = first?.range === undefined ? '' : ` (${rangeText(first.range)})`;
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : '';
  const why = `what is there cannot be planned${place}: ${first?.message ?? ''}${more}`;
  const problem: Diagnostic = {
    code: 'base-unreadable',
    severity: 'warning',
    message: `the plan is not compared with ${JSON.stringify(rev)}, because ${why}`,
    fix: `${first?.fix ?? 'correct it there'}; or compare with another revision`,
  };
  return { is: 'unreadable', problem };
}

/** The plan with what the comparison says; a missing one is a warning. */
export function comparedPlan(plan: Plan, manifest: Manifest, comparison: Comparison): Plan {
  const { found } = comparison;
  const compared = withOrigins(plan, manifest, comparison);
  return found.is === 'unreadable' ? withDiagnostics(compared, [found.problem]) : compared;
}
