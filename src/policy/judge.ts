// Judges manifests and plans by compiled policies. A policy that cannot be evaluated never passes.

import { truncateMiddle } from '../core/bounds.ts';
import { kindByName } from '../catalog/lookup.ts';
import type { Kind } from '../catalog/kind.ts';
import { fieldEntries } from '../catalog/walk.ts';
import type { Diagnostic, SourceRange } from '../core/diagnostic.ts';
import { Failure } from '../core/failure.ts';
import type { Value, ValueObject } from '../core/value.ts';
import type { DesiredResource, Manifest } from '../manifest/manifest.ts';
import type { StepDraft } from '../plan/decide/step-draft.ts';
import type { JudgedPlan, Judgement } from '../plan/policies/user-policies.ts';
import { canonicalField } from '../resource/canonical.ts';
import { resolveSpec, type KnownObjects } from '../resource/resolve.ts';
import { Undecided, wordsOf, type Evaluate, type Meter, type Variables } from './cel.ts';
import type { Scope } from './types.ts';
import type { Subject } from './visible.ts';

/** The expressions of a policy, for one kind. */
export interface Expressions {
  readonly when: Evaluate | undefined;
  readonly expression: Evaluate;
  /** Literal texts, and expressions between them. */
  readonly message: readonly (string | Evaluate)[];
}

export interface Policy {
  readonly name: string;
  readonly on: Subject;
  readonly severity: 'error' | 'warning';
  /** Empty for all. */
  readonly actions: ReadonlySet<unknown>;
  /** By the name of the kind; under the empty name for a policy on plans. */
  readonly byKind: ReadonlyMap<string, Expressions>;
  /** Where its name is. */
  readonly range: () => SourceRange;
}

export interface PolicySet {
  readonly policies: readonly Policy[];
  readonly scopeOf: (on: Subject, kind: string) => Scope;
  readonly meter: Meter;
  /** Texts of their files. */
  readonly sources: ReadonlyMap<string, string>;
}

/** A resource, a step or a plan; a plan has no kind. */
interface Judged {
  readonly address?: string | undefined;
  readonly kind: string;
  readonly action?: string;
  /** The block in the manifest. */
  readonly range?: (() => SourceRange) | undefined;
  readonly variables: (make: Scope['make']) => Variables;
}

/** What one policy says of it: `undecided` depends on a value that is not known or not to be seen. */
interface Finding extends Pick<Judged, 'address' | 'range'> {
  readonly policy: Policy;
  readonly is: 'violated' | 'undecided' | 'failed';
  readonly message: string;
}

const MAX_MESSAGE = 500;
/** Enough to see what is wrong: a policy that fails usually fails for every resource. */
const MAX_FAILURES = 100;

/** Every violation in a manifest. What depends on a value that only a plan knows is left to the plan. */
export function judgeManifest({ stack, resources }: Manifest, set: PolicySet): Diagnostic[] {
  set.meter.restart();
  const judged = resources.map((resource) => resourceOf(resource, new Map(), stack));
  return findings('object', judged, set)
    .filter(({ is }) => is !== 'undecided')
    .map(diagnosticOf);
}

/** Violations of a plan. A policy that cannot be decided yet is violated. */
export function judgePlan({ pairs, drafts, known, ...plan }: JudgedPlan, set: PolicySet): Judgement {
  set.meter.restart();
  const { stack, service, summary } = plan;
  const values = { stack, service, summary: { ...summary } };
  const resources = pairs.map(({ desired }) => resourceOf(desired, known, stack));
  const byAddress = new Map(resources.map((one) => [one.address, one]));
  const steps = drafts.map((draft) => stepOf(draft, byAddress.get(draft.address), values));
  const whole: Judged = { kind: '', variables: (make) => ({ plan: make('plan', values), stack }) };
  const found = [
    ...findings('object', resources, set),
    ...findings('step', steps, set),
    ...findings('plan', [whole], set),
  ];
  const failed = found.filter(({ is }) => is === 'failed');
  if (failed.length > 0) throw new Failure('invalid', failed.map(diagnosticOf), set.sources);
  // Both steps of a replacement may violate the same.
  const distinct = new Map(found.map((one) => [`${one.policy.name} ${one.address} ${one.message}`, one]));
  const said = [...distinct.values()].map((one) => {
    const source = one.range === undefined ? null : placeText(one.range());
    return { ...diagnosticOf(one), places: { source, policy: placeText(one.policy.range()) } };
  });
  const refused = said.filter(({ severity }) => severity === 'error');
  return {
    refusals: refused.map(({ code: rule, message, address, places }) => {
      return { rule, message, addresses: address === undefined ? [] : [address], flag: null, ...places };
    }),
    warnings: said.flatMap(({ code, severity, message, address = null, places }) =>
      severity === 'warning' ? [{ code, severity, message, address, ...places }] : [],
    ),
  };
}

/** Values are made only if a policy is about them. */
function findings(on: Subject, all: readonly Judged[], { policies, scopeOf }: PolicySet): Finding[] {
  const own = policies.filter((policy) => policy.on === on);
  const found: Finding[] = [];
  let failures = 0;
  for (const judged of all) {
    const { kind, action, address, range } = judged;
    const variables = own.length === 0 ? {} : judged.variables(scopeOf(on, kind).make);
    for (const policy of own) {
      const expressions = policy.byKind.get(kind);
      const isMeant = action === undefined || policy.actions.size === 0 || policy.actions.has(action);
      const verdict = expressions !== undefined && isMeant ? evaluate(expressions, variables) : undefined;
      if (verdict !== undefined) found.push({ policy, address, range, ...verdict });
      if (verdict?.is === 'failed') failures += 1;
    }
    if (failures >= MAX_FAILURES) break;
  }
  return found;
}

/** Undefined if it passes. */
function evaluate(
  { when, expression, message }: Expressions,
  variables: Variables,
): Pick<Finding, 'is' | 'message'> | undefined {
  try {
    if (when !== undefined && !isTrue(when(variables))) return undefined;
    if (isTrue(expression(variables))) return undefined;
    const parts = message.map((part) => (typeof part === 'string' ? part : shown(part, variables)));
    return { is: 'violated', message: truncateMiddle(parts.join(''), MAX_MESSAGE) };
  } catch (error) {
    if (error instanceof Undecided) return { is: 'undecided', message: error.what };
    return { is: 'failed', message: wordsOf(error) };
  }
}

function isTrue(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new Error('the expression is neither true nor false');
  return value;
}

function shown(part: Evaluate, variables: Variables): string {
  try {
    return String(part(variables));
  } catch (error) {
    if (error instanceof Undecided) return `(${error.what})`;
    throw error;
  }
}

function resourceOf({ address, kind, spec, range }: DesiredResource, known: KnownObjects, stack: string): Judged {
  let object: unknown;
  const made = (make: Scope['make']) =>
    (object ??= make('object', withDefaults(kindByName(kind), resolveSpec(spec, known))));
  return { address, kind, range, variables: (make) => onDemand({ object: () => made(make), stack: () => stack }) };
}

function stepOf(
  { address, kind, action, live, changes: all, loss = '' }: StepDraft,
  resource: Judged | undefined,
  plan: ValueObject,
): Judged {
  const changes = all.map(({ path, effect, cause }) => ({ path, effect, cause }));
  const [first = 'config', ...others] = new Set(changes.map(({ cause }) => cause));
  const step = { action, address, kind: kind.name, cause: others.length === 0 ? first : 'both', changes, loss };
  const variables = (make: Scope['make']) =>
    onDemand({
      object: () => resource?.variables(make)['object'] ?? make('object', {}),
      before: () => make('before', live === undefined ? {} : withDefaults(kind, live.spec)),
      step: () => make('step', step),
      plan: () => make('plan', plan),
      stack: () => plan['stack'],
    });
  return { address, kind: kind.name, action, range: resource?.range, variables };
}

/** Variables that are made when an expression reads them first. */
function onDemand(makers: Readonly<Record<string, () => unknown>>): Variables {
  const made: Record<string, unknown> = {};
  const get = (_: Variables, name: string) => (made[name] ??= makers[name]?.());
  return new Proxy<Variables>(made, { get });
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

function placeText({ file, line, column }: SourceRange): string {
  return `${file}:${line}:${column}`;
}

function diagnosticOf({
  policy: { name, severity, range: ownRange },
  address,
  range,
  is,
  message,
}: Finding): Diagnostic {
  const where = address === undefined ? '' : `${address}: `;
  const about = { severity: is === 'failed' ? 'error' : severity, ...(address !== undefined && { address }) } as const;
  const places = { ...(range && { range: range() }), related: [{ message: 'the policy', range: ownRange() }] };
  switch (is) {
    case 'violated':
      return { code: `policy/${name}`, message: `${where}${message}`, ...about, ...places };
    case 'undecided':
      return {
        code: `policy/${name}`,
        message: `${where}policy ${name} cannot be decided before apply, because it depends on ${message}`,
        ...about,
        ...places,
      };
    case 'failed':
      return {
        code: 'policy-failed',
        message: `${where}policy ${name} cannot be evaluated: ${message}`,
        ...(message.startsWith('No such key') && { fix: 'test a field that may be absent with has() first' }),
        ...about,
        ...places,
      };
    default:
      return is satisfies never;
  }
}
