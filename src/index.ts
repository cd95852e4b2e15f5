// The library entry: load a manifest, run the engine on it and render, with their types. Nothing else is public.
// `createRun` with `makePlan`, `detectDrift`, `readOutputs` and `applyManifest` is the engine of the command line, and
// `createFleetRun` with `planFleet`, `driftFleet`, `applyFleet` and `destroyFleet` that of many stacks. The layers below them
// have no journal and verify nothing, so they are private: nothing here writes without a plan, a journal and a check. Every
// returned text has passed the output filter, as on the command line. Plans, events and reports are exact values: use these
// functions to show them.

import type { Result } from './core/diagnostic.ts';
import type { Plan } from './plan/plan.ts';
import { parsePlan } from './plan/parse-plan.ts';
import { filtered } from './platform/filter.ts';
import * as formats from './render/formats.ts';
import { documentJson } from './render/view/documents.ts';
import { planShapeProblem } from './schema/plan-shape.ts';

export type { Diagnostic, Result } from './core/diagnostic.ts';
export { Failure } from './core/failure.ts';
export type { RunOutcome } from './core/run-outcome.ts';
export { Secret } from './core/secrets/secret.ts';
export { readManifestFiles } from './manifest/read-files.ts';
export type { LoadInput } from './manifest/load.ts';
export { loadManifest } from './manifest/load.ts';
export type { Manifest } from './manifest/manifest.ts';
export type { ClientSettings } from './service/settings.ts';
export type { Change, Plan, Step } from './plan/plan.ts';
export type { DeletedObject, Loss, Reason } from './plan/step-facts.ts';
export type { DriftResult } from './drift/drift.ts';
export type { Finding } from './drift/finding.ts';
export type { StepResult } from './apply/event.ts';
export type { EndedRun, RunIdentity, StartedBy } from './core/run-record.ts';
export type { NewRun } from './reconcile/create-run.ts';
export { createRun } from './reconcile/create-run.ts';
export { detectDrift, makePlan } from './reconcile/plan.ts';
export { readOutputs } from './reconcile/outputs.ts';
export { applyManifest } from './reconcile/apply.ts';
export type { ApplyFleetRun } from './fleet/apply.ts';
export { applyFleet, destroyFleet } from './fleet/apply.ts';
export type { NewFleet } from './fleet/fleet.ts';
export { createFleetRun } from './fleet/fleet.ts';
export type { FleetRun, FleetStack, StackResult } from './fleet/fleet.ts';
export { driftFleet } from './fleet/drift.ts';
export { planFleet } from './fleet/plan.ts';
export type { RunReport } from './reconcile/run-report.ts';
export type { RunEvent, RunInput, RunOptions } from './reconcile/run.ts';
export type { Format } from './render/formats.ts';
export { formatsFor } from './render/formats.ts';
export type { Found } from './render/view/problems.ts';
export type { RenderOptions } from './render/render-options.ts';

/**
 * Parses the text of a file written by `plan --out`, or returns why it cannot be used: checks format, shape and fingerprint.
 * `applyManifest` with it as `saved` checks whether it can still be applied.
 */
export function parseSavedPlan(text: string): Result<Plan> {
  return parsePlan(text, planShapeProblem);
}

/** A plan, in any format. */
export function renderPlanAs(...given: Parameters<typeof formats.renderPlanAs>): string {
  return filtered(formats.renderPlanAs(...given));
}

/** The report of an apply or destroy, in any format. */
export function renderReportAs(...given: Parameters<typeof formats.renderReportAs>): string {
  return filtered(formats.renderReportAs(...given));
}

/** The findings of drift, in any format. */
export function renderDriftAs(...given: Parameters<typeof formats.renderDriftAs>): string {
  return filtered(formats.renderDriftAs(...given));
}

/** Problems, in any format. */
export function renderDiagnosticsAs(...given: Parameters<typeof formats.renderDiagnosticsAs>): string {
  return filtered(formats.renderDiagnosticsAs(...given));
}

/**
 * The plan as JSON, as in a plan file. A plain field that repeats a secret is masked; `parseSavedPlan` rejects that text, so
 * such a plan cannot be saved.
 */
export function planJson(plan: Plan): string {
  return filtered(documentJson(plan));
}
