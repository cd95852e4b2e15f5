// The library entry: load, read, plan, apply and render, with their types. Nothing else is public.

export type { Diagnostic, Outcome, SourceRange } from './base/diagnostic.ts';
export { Secret } from './base/secret.ts';
export type { ClientSettings } from './api/settings.ts';
export { createReadClient, createWriteClient } from './api/client.ts';
export type { ReadClient, WriteClient } from './api/transport.ts';
export { ApiError } from './api/transport.ts';
export type { LoadInput } from './manifest/load.ts';
export { loadManifest } from './manifest/load.ts';
export type { DesiredResource, Lifecycle, Manifest } from './manifest/manifest.ts';
export { readSnapshot } from './live/read.ts';
export type { LiveResource, Marker, Snapshot } from './live/snapshot.ts';
export { buildPlan } from './plan/build.ts';
export type { PlanOptions } from './plan/options.ts';
export type { Change, Plan, PlannedRequest, Refusal, Step } from './plan/plan.ts';
export { applyPlan } from './apply/apply.ts';
export type { ApplyEvent, StepResult } from './apply/event.ts';
export { renderPlan } from './render/plan-text.ts';
export { planJson } from './render/json.ts';
