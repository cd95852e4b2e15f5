// plan(desired, live, options): the whole planner as one pure function. Preview, saved plans and apply all use it.

import { canonicalJson } from '../base/json.ts';
import type { Json } from '../base/json.ts';
import { Secret } from '../base/secret.ts';
import { mapLeaves } from '../base/value.ts';
import { secretDigest, sha256 } from '../base/digest.ts';
import type { LiveResource, Snapshot } from '../live/snapshot.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { PlanContext } from './context.ts';
import type { Decision } from './decide.ts';
import { decide, deletion, needsReplacement, release } from './decide.ts';
import type { Draft } from './draft.ts';
import { guard } from './guard.ts';
import type { Match } from './match.ts';
import { match } from './match.ts';
import type { PlanOptions } from './options.ts';
import type { Ordered } from './order.ts';
import { order } from './order.ts';
import type { Plan, Refusal, Step, Summary } from './plan.ts';
import { PLAN_FORMAT } from './plan.ts';
import { display } from './placeholder.ts';
import { resolveValue } from './resolve.ts';
import { withTargets } from './targets.ts';

export interface PlanInput {
  readonly manifest: Manifest;
  readonly snapshot: Snapshot;
  /** Origin and path of the service, for the plan's header. */
  readonly service: string;
  readonly options: PlanOptions;
}

/** Computes the plan. Pure: the same inputs, in any order, give the same plan to the byte. */
export function buildPlan({ manifest, snapshot, service, options }: PlanInput): Plan {
  const desired = options.destroy ? [] : withTargets(manifest.resources, options.targets);
  const complete = options.targets.length === 0;
  const matched = match(manifest, desired, snapshot);
  const context = contextOf(manifest, matched, options);
  const decisions = matched.pairs.map((pair) => decide(pair, context));
  const removals = complete ? removalDrafts(matched, options) : [];
  const drafts = [...decisions.flatMap((decision) => decision.drafts), ...removals];
  const ordered = order(drafts);
  const steps = toSteps(ordered);
  const blocked = decisions.flatMap((decision) => decision.blocked);
  const refusals = [...guard({ manifest, snapshot, drafts: ordered.drafts, options }), ...cycleRefusal(ordered)];
  return {
    format: PLAN_FORMAT,
    stack: manifest.stack,
    service,
    complete,
    fingerprint: fingerprintOf({ stack: manifest.stack, service, complete, steps }),
    manifest_digest: manifest.digest,
    summary: summarize(steps, decisions),
    steps,
    blocked,
    refusals,
    unmanaged: matched.unmanaged.map((live) => ({
      kind: live.kind,
      id: live.id,
      owner: live.marker === undefined ? null : `${live.marker.stack}: ${live.marker.address}`,
    })),
    outputs: options.destroy ? {} : outputsOf(manifest, context),
    diagnostics: [...matched.diagnostics, ...decisions.flatMap((decision) => decision.diagnostics)],
  };
}

/** What the plan will do, and where; not where its lines stand in a file. */
function fingerprintOf({ steps, ...rest }: Pick<Plan, 'stack' | 'service' | 'complete' | 'steps'>): string {
  const bare = steps.map(({ source: _, ...step }) => step);
  return sha256(canonicalJson({ ...rest, steps: bare as unknown as Json }));
}

function contextOf(manifest: Manifest, matched: Match, options: PlanOptions): PlanContext {
  const paired = new Map<string, LiveResource>();
  for (const { desired, live } of matched.pairs) if (live !== undefined) paired.set(desired.address, live);
  const replaced = new Set<string>();
  for (const pair of matched.pairs) {
    const parentGoes = pair.desired.parent !== undefined && replaced.has(pair.desired.parent);
    if (pair.live !== undefined && (parentGoes || needsReplacement(pair, paired))) replaced.add(pair.desired.address);
  }
  const known = new Map([...paired].filter(([address]) => !replaced.has(address)));
  return { stack: manifest.stack, options, known, replaced };
}

/** Deletions and releases; an object inside a deleted one goes with it and has no step of its own (§4, cascade). */
function removalDrafts(matched: Match, options: PlanOptions): Draft[] {
  const doomed = new Set(matched.orphans.map((live) => live.id));
  const reason = options.destroy ? 'the stack is destroyed' : 'no longer in the manifest';
  const inside = new Map<string, LiveResource[]>();
  for (const live of matched.orphans) {
    if (live.parentId !== undefined) inside.set(live.parentId, [...(inside.get(live.parentId) ?? []), live]);
  }
  const deletions = matched.orphans
    .filter((live) => live.parentId === undefined || !doomed.has(live.parentId))
    .map((live) => deletion(live, inside.get(live.id) ?? [], reason));
  return [...deletions, ...matched.released.map((live) => release(live))];
}

function toSteps({ drafts, dependsOn }: Ordered): Step[] {
  const idByKey = new Map(drafts.map((draft, index) => [draft.key, `s${index + 1}`]));
  return drafts.map((draft) => ({
    id: idByKey.get(draft.key) ?? '',
    action: draft.action,
    ...(draft.phase && { phase: draft.phase }),
    address: draft.address,
    kind: draft.kind.name,
    live_id: draft.live?.id ?? null,
    reason: draft.reason,
    source: draft.source,
    ...(draft.loss !== undefined && { loss: draft.loss }),
    depends_on: (dependsOn.get(draft.key) ?? []).flatMap((key) => idByKey.get(key) ?? []),
    precondition: draft.live === undefined ? null : preconditionOf(draft.live),
    changes: draft.changes,
    requests: draft.requests,
  }));
}

/** Digest of the live object that the plan saw. */
export function preconditionOf(live: LiveResource): string {
  const spec = mapLeaves(live.spec, (leaf) => (leaf instanceof Secret ? secretDigest(leaf.reveal(), live.id) : leaf));
  return sha256(canonicalJson({ id: live.id, spec: spec as Json, metadata: live.metadata }));
}

function cycleRefusal({ cycle }: Ordered): Refusal[] {
  if (cycle === undefined) return [];
  const addresses = cycle.map((draft) => draft.address);
  return [
    {
      rule: 'circular-order',
      message: `these steps wait for each other, because each takes a value that another still holds: ${[...addresses, addresses[0] ?? ''].join(' → ')}; remove the value from one of them, apply, and add it again`,
      addresses,
      flag: null,
    },
  ];
}

function summarize(steps: readonly Step[], decisions: readonly Decision[]): Summary {
  const count = (action: Step['action']) =>
    steps.filter((step) => step.action === action && step.phase !== 'delete').length;
  const drifted = steps.filter((step) =>
    step.changes.some((change) => change.cause === 'drift' || change.cause === 'both'),
  );
  return {
    create: count('create'),
    update: count('update'),
    replace: count('replace'),
    delete: count('delete'),
    adopt: count('adopt'),
    release: count('release'),
    unchanged: decisions.filter((decision) => decision.drafts.length === 0 && decision.blocked.length === 0).length,
    blocked: decisions.reduce((total, decision) => total + decision.blocked.length, 0),
    drifted: drifted.length,
  };
}

function outputsOf(manifest: Manifest, context: PlanContext): Readonly<Record<string, Json>> {
  const names = [...manifest.outputs.keys()].sort();
  return Object.fromEntries(
    names.map((name) => {
      const value = resolveValue(manifest.outputs.get(name) ?? null, context.known);
      return [name, display(value)];
    }),
  );
}
