// Judges manifests and plans by all policies. Knows which policy is about what, and what becomes of a verdict.

import { kindByName } from '../catalog/lookup.ts';
import type { Kind } from '../catalog/kind.ts';
import { fieldEntries } from '../catalog/walk.ts';
import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import type { ValueObject } from '../core/value.ts';
import type { DesiredResource, Manifest } from '../manifest/manifest.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import type { JudgedPlan, Judgement } from '../plan/policies/user-policies.ts';
import type { Action, Cause, Change } from '../plan/plan.ts';
import { canonicalField } from '../resource/canonical.ts';
import { resolveSpec, type KnownObjects } from '../resource/resolve.ts';
import type { Meter, Variables } from './cel.ts';
import { evaluatePolicy, type Policy, type Verdict } from './policy.ts';
import type { Scope } from './types.ts';
import type { Subject } from './visible.ts';

/** Compiled policies, and what they can see. */
export interface PolicySet {
  readonly policies: readonly Policy[];
  readonly scopeOf: (on: Subject, kind: string) => Scope;
  readonly meter: Meter;
  /** Texts of their files. */
  readonly sources: ReadonlyMap<string, string>;
}

/** A resource, a step or a plan that policies are about. */
interface Judged {
  readonly address?: string;
  /** Empty for a plan. */
  readonly kind: string;
  readonly action?: Action;
  /** The place of the block, if the manifest has one. */
  readonly range?: (() => SourceRange) | undefined;
  /** The values of the variables; `make` makes one. */
  readonly variables: (make: Scope['make']) => Variables;
}

/** What one policy says of it. */
interface Finding {
  readonly policy: Policy;
  readonly judged: Judged;
  readonly verdict: Exclude<Verdict, { readonly is: 'passed' }>;
}

/** Every violation in a manifest. What depends on a value that only a plan knows is left to the plan. */
export function judgeManifest({ stack, resources }: Manifest, set: PolicySet): Diagnostic[] {
  set.meter.restart();
  const judged = resources.map((resource) => resourceOf(resource, new Map(), stack));
  return findings('object', judged, set).flatMap((one): Diagnostic[] => {
    if (one.verdict.is === 'undecided') return [];
    if (one.verdict.is === 'failed') return [failureOf(one)];
    const { policy, judged: subject } = one;
    return [
      {
        code: `policy/${policy.name}`,
        severity: policy.severity,
        message: messageOf(one),
        ...(subject.address !== undefined && { address: subject.address }),
        ...(subject.range && { range: subject.range() }),
        related: [{ message: 'the policy', range: policy.range() }],
      },
    ];
  });
}

/** Violations of a plan. A policy that cannot be decided yet is violated. */
export function judgePlan({ pairs, drafts, known, ...whole }: JudgedPlan, set: PolicySet): Judgement {
  set.meter.restart();
  const { stack, service, summary } = whole;
  const plan = { stack, service, summary: { ...summary } };
  const resources = pairs.map(({ desired }) => resourceOf(desired, known, stack));
  const byAddress = new Map(resources.map((one) => [one.address ?? '', one]));
  const found = [
    ...findings('object', resources, set),
    ...findings(
      'step',
      drafts.map((draft) => stepOf(draft, byAddress.get(draft.address), plan)),
      set,
    ),
    ...findings('plan', [{ kind: '', variables: (make) => ({ plan: make('plan', plan), stack }) }], set),
  ];
  const failed = found.filter(({ verdict }) => verdict.is === 'failed');
  if (failed.length > 0) throw new Failure('invalid', failed.map(failureOf), set.sources);
  const [refused, warned] = (['error', 'warning'] as const).map((severity) =>
    found.filter(({ policy }) => policy.severity === severity),
  );
  return {
    refusals: (refused ?? []).map((one) => {
      const { address } = one.judged;
      return {
        ...placesOf(one),
        rule: ruleOf(one),
        message: messageOf(one),
        addresses: address === undefined ? [] : [address],
        flag: null,
      };
    }),
    warnings: (warned ?? []).map((one) => ({
      ...placesOf(one),
      code: ruleOf(one),
      severity: 'warning',
      message: messageOf(one),
      address: one.judged.address ?? null,
    })),
  };
}

/** Enough to see what is wrong: a policy that fails usually fails for every resource. */
const MAX_FAILURES = 100;

/** Values are made only if a policy is about them. */
function findings(on: Subject, all: readonly Judged[], { policies, scopeOf }: PolicySet): Finding[] {
  const own = policies.filter((policy) => policy.on === on);
  const found: Finding[] = [];
  let failures = 0;
  for (const judged of all) {
    const { kind, action } = judged;
    const isMeant = ({ actions }: Policy) => action === undefined || actions === undefined || actions.has(action);
    const chosen = own.flatMap((policy) => {
      const expressions = isMeant(policy) ? policy.byKind.get(kind) : undefined;
      return expressions === undefined ? [] : [{ policy, expressions }];
    });
    const variables = chosen.length === 0 ? {} : judged.variables(scopeOf(on, kind).make);
    for (const { policy, expressions } of chosen) {
      const verdict = evaluatePolicy(expressions, variables);
      if (verdict.is !== 'passed') found.push({ policy, judged, verdict });
      if (verdict.is === 'failed') failures += 1;
    }
    if (failures >= MAX_FAILURES) break;
  }
  return found;
}

function resourceOf({ address, kind, spec, range }: DesiredResource, known: KnownObjects, stack: string): Judged {
  let object: unknown;
  const variables = (make: Scope['make']) => {
    object ??= make('object', whole(kindByName(kind), resolveSpec(spec, known)));
    return { object, stack };
  };
  return { address, kind, range, variables };
}

function stepOf(
  { address, kind, action, live, changes, loss = '' }: StepDraft,
  resource: Judged | undefined,
  plan: ValueObject & { readonly stack: string },
): Judged {
  const told = changes.map(({ path, effect, cause }) => ({ path, effect, cause }));
  const step = { action, address, kind: kind.name, cause: causeOf(changes), changes: told, loss };
  const variables = (make: Scope['make']) =>
    onDemand({
      object: () => resource?.variables(make)['object'] ?? make('object', {}),
      before: () => make('before', live === undefined ? {} : whole(kind, live.spec)),
      step: () => make('step', step),
      plan: () => make('plan', plan),
      stack: () => plan.stack,
    });
  return { address, kind: kind.name, action, range: resource?.range, variables };
}

/** Variables that are made when an expression reads them first. */
function onDemand(makers: Readonly<Record<string, () => unknown>>): Variables {
  const made: Record<string, unknown> = {};
  const get = (_: Record<string, unknown>, name: string) => (made[name] ??= makers[name]?.());
  return new Proxy<Record<string, unknown>>(made, { get });
}

function causeOf(changes: readonly Change[]): Cause {
  const [first = 'config', ...others] = new Set(changes.map(({ cause }) => cause));
  return others.length === 0 ? first : 'both';
}

/** The fields with defaults filled in. */
function whole(kind: Kind, spec: ValueObject): ValueObject {
  return Object.fromEntries(
    fieldEntries(kind.fields).flatMap(([name, field]) => {
      const value = canonicalField(field, Object.hasOwn(spec, name) ? spec[name] : undefined);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function ruleOf({ policy }: Finding): `policy/${string}` {
  return `policy/${policy.name}`;
}

function messageOf({ policy: { name }, judged: { address }, verdict: { is, message } }: Finding): string {
  const where = address === undefined ? '' : `${address}: `;
  if (is === 'undecided')
    return `${where}policy ${name} cannot be decided before apply, because it depends on ${message}`;
  return `${where}${message}`;
}

function placesOf({ policy, judged: { range } }: Finding) {
  return { source: range === undefined ? null : placeText(range()), policy: placeText(policy.range()) };
}

function placeText({ file, line, column }: SourceRange): string {
  return `${file}:${line}:${column}`;
}

function failureOf({ policy: { name, range }, judged: { address }, verdict: { message } }: Finding): Diagnostic {
  const about = address === undefined ? '' : ` for ${address}`;
  const isAbsent = message.startsWith('No such key');
  return {
    code: 'policy-failed',
    severity: 'error',
    message: `policy ${name} cannot be evaluated${about}: ${message}`,
    range: range(),
    ...(address !== undefined && { address }),
    ...(isAbsent && { fix: 'test with has() first whether a field is there that may be absent' }),
  };
}
