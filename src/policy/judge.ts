// Judges manifests and plans by compiled policies. A policy that cannot be evaluated never passes.

import { kindByName } from '../catalog/lookup.ts';
import type { Kind } from '../catalog/kind.ts';
import { fieldEntries } from '../catalog/walk.ts';
import { truncateMiddle } from '../core/bounds.ts';
import type { Diagnostic, QuotedFiles, SourceRange } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import { lazy } from '../core/lazy.ts';
import type { Path } from '../core/json.ts';
import { valueAt, type Value, type ValueObject } from '../core/value.ts';
import type { DesiredResource, Manifest } from '../manifest/manifest.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import type { JudgedPlan } from '../plan/policies/user-policies.ts';
import { ownerNamed } from '../resource/marker/ownership.ts';
import { canonicalField } from '../resource/canonical.ts';
import { effectiveSpec } from '../resource/carry.ts';
import { resolveSpec, type KnownObjects } from '../resource/resolve.ts';
import type { LiveResource } from '../resource/snapshot.ts';
import { Undecided, wordsOf, type Expression } from './cel.ts';
import { MAX_STEPS, type Budget } from './meter.ts';
import type { PolicyScope } from './types.ts';
import type { Subject } from './visible.ts';

/** A policy as it is for one kind, or for every kind. */
export interface Policy {
  readonly name: string;
  readonly on: Subject;
  readonly kind: string;
  /** Empty for all. */
  readonly actions: ReadonlySet<unknown>;
  readonly severity: 'error' | 'warning';
  /** Where its name is. */
  readonly range: () => SourceRange;
  readonly scope: PolicyScope;
  readonly when: Expression | undefined;
  readonly expression: Expression;
  /** Literal texts, and expressions between them. */
  readonly message: readonly (string | Expression)[];
}

/** A resource, a step or a plan; a plan has no kind. */
interface Judged {
  readonly on: Subject;
  readonly address?: string | undefined;
  /** What violations call it, if not by its address. */
  readonly id?: string;
  readonly kind: string;
  /** A live object of another stack. */
  readonly isForeign?: boolean;
  readonly action?: string;
  /** The block in the manifest. */
  readonly range?: (() => SourceRange) | undefined;
  /** The place of a value that the block has. */
  readonly rangeOf?: ((path: Path) => SourceRange | undefined) | undefined;
  /** The value of each variable. */
  readonly values: Readonly<Record<string, () => Value>>;
}

/** In place of the name of a kind: a policy about plans, or that names no kinds. */
export const EVERY_KIND = '';

/** Every violation in a manifest. What depends on a value that only a plan knows is left to the plan. */
export function judgeManifest({ stack, resources }: Manifest, policies: readonly Policy[]): Diagnostic[] {
  const objects = new Objects();
  const judged = resources.map((resource) => resourceOf({ resource, stack, known: new Map() }, objects));
  return judgeAll(judged, policies).filter(({ is }) => is !== 'undecided');
}

/** Violations of a plan. A policy that cannot be decided yet is violated. */
export function judgePlan(plan: JudgedPlan, policies: readonly Policy[], sources: QuotedFiles): Diagnostic[] {
  const { pairs, known, stack, live: left } = plan;
  const summary = { stack, service: plan.service, summary: { ...plan.summary } };
  const objects = new Objects();
  const resources = pairs.map(({ desired, live }) => resourceOf({ resource: desired, known, stack, live }, objects));
  const lives = liveObjects(left, stack);
  const whole: Judged = { on: 'plan', kind: EVERY_KIND, values: { plan: () => summary, stack: () => stack } };
  const found = judgeAll([...resources, ...lives, ...judgedSteps(plan, resources, summary), whole], policies);
  const failed = found.filter(({ is }) => is === 'failed');
  if (failed.length > 0) throw new Failure('invalid', failed, sources);
  // Both steps of a replacement may violate the same.
  return [...new Map(found.map((finding) => [`${finding.code} ${finding.message}`, finding])).values()];
}

function judgedSteps({ drafts }: JudgedPlan, resources: readonly Judged[], plan: ValueObject): Judged[] {
  const byAddress = new Map(resources.map((resource) => [resource.address, resource]));
  // Both steps of a replacement see both objects.
  const replaced = new Map(
    drafts.flatMap(({ action, address, live }) =>
      action === 'replace' && live !== undefined ? [[address, live] as const] : [],
    ),
  );
  return drafts.map((draft) => {
    const live = draft.live ?? (draft.action === 'replace' ? replaced.get(draft.address) : undefined);
    return stepOf({ ...draft, live }, byAddress.get(draft.address), plan);
  });
}

/** What one policy says of one of them: `undecided` depends on a value that is not known or not to be seen. */
interface Finding extends Diagnostic {
  readonly is: 'violated' | 'undecided' | 'failed';
}

function judgeAll(all: readonly Judged[], policies: readonly Policy[]): Finding[] {
  const { stackTraceLimit } = Error;
  // Loops absorb errors, whose traces would cost more than all the rest.
  Error.stackTraceLimit = 0;
  try {
    const budget = { steps: MAX_STEPS };
    const chosen = new Map<string, Policy[]>();
    return all.flatMap((judged) => {
      const key = [judged.on, judged.kind, judged.action].join(' ');
      const concerned = chosen.get(key) ?? policies.filter((policy) => concerns(policy, judged));
      chosen.set(key, concerned);
      const valueOf = evaluatorOf(judged, budget);
      return concerned.flatMap((policy) => judgeOne(judged, policy, valueOf) ?? []);
    });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function concerns({ on, kind, actions }: Policy, judged: Judged): boolean {
  const isMeant = judged.action === undefined || actions.size === 0 || actions.has(judged.action);
  return on === judged.on && [judged.kind, EVERY_KIND].includes(kind) && isMeant;
}

type ValueOf = (expression: Expression, scope: PolicyScope) => unknown;

/** Evaluates for one of them. Values are made when the first expression reads them; the budget is for all. */
function evaluatorOf({ values }: Judged, budget: Budget): ValueOf {
  const valuesByScope = new Map<PolicyScope, Record<string, unknown>>();
  return ({ evaluate, reads }, scope) => {
    let made = valuesByScope.get(scope);
    if (made === undefined) valuesByScope.set(scope, (made = {}));
    for (const name of reads) made[name] ??= scope.make(name, values[name]?.() ?? null);
    return evaluate(made, budget);
  };
}

/** Undefined if it passes. */
function judgeOne(judged: Judged, policy: Policy, valueOf: ValueOf): Finding | undefined {
  const { address, id: shownAs = address } = judged;
  const { name, severity } = policy;
  const range = placeOf(judged, policy);
  const finding = (is: Finding['is'], text: string): Finding => ({
    ...{ is, code: `policy/${name}`, severity, related: [{ message: 'the policy', range: policy.range() }] },
    message: shownAs === undefined ? text : `${shownAs}: ${text}`,
    ...(address !== undefined && { address }),
    ...(range && { range }),
  });
  try {
    const message = violationOf(policy, valueOf);
    const fix = `change ${shownAs ?? 'the plan'} so that the policy ${name} is kept, or change the policy`;
    return message === undefined ? undefined : { ...finding('violated', message), fix };
  } catch (error) {
    if (error instanceof Undecided) {
      const text = `policy ${name} cannot be decided before apply, because it depends on ${error.message}`;
      // No plan of this stack can make the value of another one known.
      const fix = 'create what it depends on in a run before, or let the policy test what is known before apply';
      return { ...finding('undecided', text), fix, ...(judged.isForeign === true && { severity: 'warning' }) };
    }
    const why = wordsOf(error);
    const fix = why.startsWith('No such key') && { fix: 'test a field that may be absent with has() first' };
    const failed = finding('failed', `policy ${name} cannot be evaluated: ${why}`);
    return { ...failed, code: 'policy-failed', severity: 'error', ...fix };
  }
}

/** The first value of the block that the policy's expression names; the block, if it has none of them. */
function placeOf({ range, rangeOf }: Judged, { expression }: Policy): SourceRange | undefined {
  for (const { variable, path } of expression.members) {
    const place = variable === 'object' ? rangeOf?.(path) : undefined;
    if (place !== undefined) return place;
  }
  return range?.();
}

/** What is said; undefined if it passes. */
function violationOf({ scope, when, expression, message }: Policy, valueOf: ValueOf): string | undefined {
  if (when !== undefined && !isTrue(valueOf(when, scope))) return undefined;
  if (isTrue(valueOf(expression, scope))) return undefined;
  const parts = message.map((part) => (typeof part === 'string' ? part : shown(() => valueOf(part, scope))));
  return truncateMiddle(parts.join(''));
}

function isTrue(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Error('the expression is neither true nor false');
  return value;
}

function shown(valueOf: () => unknown): string {
  try {
    return String(valueOf());
  } catch (error) {
    if (error instanceof Undecided) return `(${error.message})`;
    throw error;
  }
}

/** The objects of the resources by address, so that each sees what it is in. */
class Objects extends Map<string, () => ValueObject> {
  /** The object at an address, with the address. */
  at(address: string | undefined): ValueObject {
    return address === undefined ? {} : { ...this.get(address)?.(), address };
  }
}

interface JudgedResource {
  readonly resource: DesiredResource;
  readonly known: KnownObjects;
  readonly stack: string;
  readonly live?: LiveResource | undefined;
}

/** With a live object, what a step would leave: values under `ignore_changes` are the live ones. */
function resourceOf({ resource, known, stack, live }: JudgedResource, objects: Objects): Judged {
  const { address, parent, kind: name, spec, range, rangeOf } = resource;
  const kind = kindByName(name);
  const { ignoreChanges } = resource.lifecycle;
  const object = lazy(() => {
    const wanted = resolveSpec(spec, known);
    return withDefaults(kind, live === undefined ? wanted : effectiveSpec(kind, wanted, live, ignoreChanges));
  });
  objects.set(address, object);
  // A default that is filled in stands nowhere.
  const placeIn = (path: Path) => (valueAt(spec, path) === undefined ? undefined : rangeOf?.(path));
  const values = { object, address: () => address, parent: () => objects.at(parent), stack: () => stack };
  return { on: 'object', address, kind: name, range, rangeOf: placeIn, values };
}

/** Live objects as the service has them. One of another stack is called by its id: its address is no address of this plan. */
function liveObjects({ resources, byId }: JudgedPlan['live'], stack: string): Judged[] {
  return resources.map((live) => {
    const { kind, id, parentId = '', marker } = live;
    const owner = ownerNamed(live) ?? '';
    const object = lazy(() => withDefaults(kindByName(kind), live.spec));
    const parent = lazy(() => {
      const around = byId.get(parentId);
      if (around === undefined) return {};
      return { ...withDefaults(kindByName(around.kind), around.spec), address: around.marker?.address ?? '' };
    });
    const values = { object, parent, address: () => marker?.address ?? '', owner: () => owner, stack: () => stack };
    const isOurs = marker?.stack === stack;
    const isForeign = owner !== '' && owner !== stack;
    return { on: 'live', kind, values, isForeign, ...(isOurs ? { address: marker.address } : { id }) };
  });
}

function stepOf(
  { address, kind, action, live, changes: all, exposures: exposed = [], loss }: StepDraft,
  resource: Judged | undefined,
  plan: ValueObject,
): Judged {
  const step = lazy(() => {
    const changes = all.map(({ path, effect, cause }) => ({ path, effect, cause }));
    const [first = 'config', ...others] = new Set(changes.map(({ cause }) => cause));
    const cause = others.length === 0 ? first : 'both';
    const exposures = exposed.map(({ effect, path }) => ({ effect, path }));
    const opens = exposures.some(({ effect }) => effect === 'opens');
    return { action, address, kind: kind.name, cause, changes, exposures, opens, loss: loss?.cost ?? '' };
  });
  const values = {
    object: resource?.values['object'] ?? (() => ({})),
    before: lazy(() => (live === undefined ? {} : withDefaults(kind, live.spec))),
    step,
    plan: () => plan,
    stack: () => plan['stack'] ?? null,
  };
  return { on: 'step', address, kind: kind.name, action, range: resource?.range, rangeOf: resource?.rangeOf, values };
}

/** The fields with defaults filled in. */
function withDefaults(kind: Kind, spec: ValueObject): ValueObject {
  const made: Record<string, Value> = {};
  for (const [name, field] of fieldEntries(kind.fields)) {
    const value = canonicalField(field, Object.hasOwn(spec, name) ? spec[name] : undefined);
    if (value !== undefined) made[name] = value;
  }
  return made;
}
