// Parses a saved plan, and says whether it is still valid: its format, shape and fingerprint are checked before anything in it is
// trusted, its steps must be exactly those of a new plan, and no policy may be violated now. Pure.

import { canonicalJson, isObject, MAX_LEVELS, readJson, type Json } from '../core/json.ts';
import { IMPORTS } from '../catalog/address.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { LiveResource, Snapshot } from '../resource/snapshot.ts';
import { countSteps } from './count-steps.ts';
import { analyse, fingerprintPlan, type PlanInput } from './build.ts';
import { importsIn } from './match/imports.ts';
import type { PlanOptions } from './plan-options.ts';
import { PLAN_FORMAT, type Change, type Plan, type PlanDiagnostic, type PolicyViolation, type Step } from './plan.ts';
import { isRemoval, changedFields, fingerprintFields } from './fingerprint.ts';
import type { Result } from '../core/diagnostic.ts';

/** Why a saved plan cannot be applied any more. */
interface Staleness {
  readonly address: string;
  readonly message: string;
}

/** The result of checking a saved plan. */
interface Review {
  /** Steps that are not, request by request, in the new plan, and objects whose secrets changed. */
  readonly stale: readonly Staleness[];
  /** Current policy violations of its steps; the consent given with the plan still counts. */
  readonly violations: readonly PolicyViolation[];
  /** Errors of the new plan about its addresses, or without an address. */
  readonly diagnostics: readonly PlanDiagnostic[];
}

/**
 * Makes a new plan with the saved plan's options and the current ones, and compares. Live objects that the saved plan does not
 * touch may have changed.
 */
export function reviewSavedPlan(saved: Plan, input: PlanInput): Review {
  const { plan: now, violationsOf } = analyse({
    ...input,
    options: withPending(saved, input, withConsent(input.options, saved.made_with)),
  });
  const chosen = new Set(saved.steps.map(keyOf));
  const concerns = concernsOf(saved);
  // What is counted is what is applied, whatever the file says.
  const summary = { ...countSteps(saved.steps, [], saved.blocked.length), unchanged: saved.summary.unchanged };
  const violations = violationsOf(
    ({ action, phase, address, live }) =>
      chosen.has(keyOf({ action, ...(phase && { phase }), address, live_id: live?.id ?? null })),
    summary,
  );
  return {
    stale: [...changedImports(saved, now), ...findStale(saved, now, input.snapshot)],
    violations,
    diagnostics: now.diagnostics.filter((one) => one.severity === 'error' && concerns(one.address)),
  };
}

/** True for the addresses of a plan and their parents, and for no address, which may be about anything. */
export function concernsOf({ steps }: Plan): (address: string | null) => boolean {
  const touched = new Set(
    steps.flatMap(({ address }) => address.split('.').map((_, at, parts) => parts.slice(0, at + 1).join('.'))),
  );
  return (address) => address === null || touched.has(address);
}

function withConsent(options: PlanOptions, made: Plan['made_with']): PlanOptions {
  return {
    ...options,
    allowDeletes: more(options.allowDeletes, made?.allow_deletes),
    allowLoss: [...options.allowLoss, ...(made?.allow_loss ?? [])],
    targets: made?.targets ?? [],
  };
}

/** What was pending when the plan was saved is pending in the new plan, too, even if it exists by now: apply fills it in. */
function withPending({ imports = [] }: Plan, { manifest, snapshot }: PlanInput, options: PlanOptions): PlanOptions {
  const { known } = importsIn(manifest, snapshot);
  const pending = imports.flatMap(({ name, live_id: id }) => (id === null ? [`${IMPORTS}.${name}`] : []));
  const given = options.pendingImports ?? new Set();
  return { ...options, pendingImports: new Set(pending.filter((address) => known.has(address) || given.has(address))) };
}

/** Imports whose object or values are no longer those that the plan was made with. */
function changedImports({ imports = [] }: Plan, now: Plan): Staleness[] {
  const current = new Map(now.imports?.map((one) => [one.name, one]));
  return imports.flatMap(({ name, live_id: id, values }): Staleness[] => {
    const address = `${IMPORTS}.${name}`;
    const found = current.get(name);
    if (found === undefined || (id !== null && found.live_id === null))
      return [{ address, message: `${address} (${id ?? ''}) is gone, or cannot be told from others` }];
    const attrs = Object.keys(values).filter((attr) => shown(values[attr]) !== shown(found.values[attr]));
    if (id === found.live_id && attrs.length === 0) return [];
    const what = attrs.map((attr) => `${attr} was ${shown(values[attr])}, and is ${shown(found.values[attr])}`);
    const which = id === found.live_id ? '' : ` is another object now, ${found.live_id ?? ''} in place of ${id ?? ''}`;
    const message = `${address}${which || ' has changed since the plan was made'}${what.length === 0 ? '' : `: ${what.join('; ')}`}`;
    return [{ address, message }];
  });
}

function shown(value: Json = null): string {
  return canonicalJson(value);
}

type Allowed = PlanOptions['allowDeletes'];

function more(a: Allowed, b: Allowed): Allowed {
  if (a === 'all' || b === 'all') return 'all';
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

/** Steps of the saved plan that are not, request by request, in the new plan, and steps needed only because secrets changed. */
function findStale(saved: Plan, now: Plan, snapshot: Snapshot): Staleness[] {
  const byKey = new Map(now.steps.map((step) => [keyOf(step), step]));
  const byId = new Map(snapshot.resources.map((live) => [live.id, live]));
  const stale = saved.steps.flatMap((step) => {
    const current = byKey.get(keyOf(step));
    if (current !== undefined && contentOf(current) === contentOf(step)) return [];
    return [{ address: step.address, message: whyStale(step, current, byId) }];
  });
  return [...stale, ...findNewSecrets(saved, now)];
}

/** The manifest's digest covers no secrets: a changed one shows as a change that the saved plan lacks. */
function findNewSecrets(saved: Plan, now: Plan): Staleness[] {
  const tasksOf = ({ steps, blocked }: Plan) => [
    ...steps.map((step) => ({ ...step, key: keyOf(step) })),
    ...blocked.map((one) => ({ changes: [], ...one, action: 'update', key: `${one.address} ${one.path}` })),
  ];
  const planned = new Set(tasksOf(saved).map(({ key }) => key));
  return tasksOf(now).flatMap(({ key, action, address, changes }) => {
    const isSecret = ({ sensitive, cause }: Change) => sensitive && (cause === 'config' || cause === 'both');
    const paths = changes.filter(isSecret).map(({ path }) => path);
    if (paths.length === 0 || action === 'create' || planned.has(key)) return [];
    const what = `the sensitive value of ${paths.join(', ')} is not the one applied last`;
    return [{ address, message: `${address} needs a change that the plan lacks: ${what}` }];
  });
}

/** Several objects with the same address may be deleted, each in its own step. */
function keyOf({ action, phase, address, live_id }: Pick<Step, 'action' | 'phase' | 'address' | 'live_id'>): string {
  const isLeftover = action === 'delete' || action === 'release';
  return `${address} ${action} ${phase ?? ''} ${isLeftover ? (live_id ?? '') : ''}`;
}

/** What a step does and its fingerprint, without its number, its place in a file or its texts. */
function contentOf({ live_id, kind, precondition, requests }: Step): string {
  return canonicalJson({ live_id, kind, precondition, requests } as unknown as Json);
}

function whyStale(step: Step, current: Step | undefined, byId: ReadonlyMap<string, LiveResource>): string {
  const { address, live_id: id } = step;
  if (id === null) {
    if (current?.live_id !== undefined && current.live_id !== null)
      return `${address} exists now, as ${current.live_id}`;
    return current === undefined
      ? `${address} exists now, or no longer needs to be created`
      : `${address} would now be created with other values: a secret of it, or something that it refers to, has changed`;
  }
  const live = byId.get(id);
  if (live === undefined) return `${address} (${id}) is gone`;
  const children = [...byId.values()].filter(({ parentId }) => isRemoval(step) && parentId === id);
  const now = fingerprintFields(kindByName(live.kind), live, { children, before: step.seen });
  const moved = changedFields(step.seen ?? {}, now);
  if (moved.length > 0) return `${address} (${id}) has changed since the plan was made: ${moved.join(', ')}`;
  return `${address} (${id}) has not changed, but its change now needs other requests: the plan was edited, or a secret of it or something that it refers to has changed`;
}

/** The requests of a plan hold values of a manifest some levels deeper than the manifest. */
const PLAN_LEVELS = MAX_LEVELS + 16;

const NAME_A_PLAN = 'name a file that `edgeform plan --out` wrote';

/** Returns what is wrong with the shape of a plan document, if anything. */
type CheckShape = (document: Json) => string | undefined;

export function parsePlan(text: string, checkShape: CheckShape): Result<Plan> {
  const reading = readJson(text, PLAN_LEVELS);
  if (reading.problem !== undefined) return unusablePlan(`it ${reading.why}`, NAME_A_PLAN);
  const { json } = reading;
  if (!isObject(json)) return unusablePlan('it is not a JSON object', NAME_A_PLAN);
  const { format } = json;
  if (format !== PLAN_FORMAT)
    return unusablePlan(formatProblem(format), 'make a new plan with this version of edgeform');
  const problem = checkShape(json);
  if (problem !== undefined) return unusablePlan(problem, 'make a new plan with this version of edgeform');
  const plan = json as unknown as Plan;
  if (fingerprintPlan(plan) !== plan.fingerprint)
    return unusablePlan('it was edited: its fingerprint does not match its content', 'make a new plan');
  return { value: plan, diagnostics: [] };
}

function formatProblem(format: Json | undefined): string {
  const found = typeof format === 'string' ? JSON.stringify(format.slice(0, 40)) : 'none';
  const isLater = typeof format === 'string' && /^edgeform-plan\/(?:[2-9]|[1-9]\d+)$/.test(format);
  return isLater
    ? `it has the format ${found}, which is newer than ${PLAN_FORMAT}`
    : `its format is ${found}, not ${PLAN_FORMAT}`;
}

function unusablePlan(problem: string, fix: string): Result<Plan> {
  const message = `the saved plan cannot be used: ${problem}`;
  return { diagnostics: [{ code: 'bad-plan-file', severity: 'error', message, fix }] };
}
