// One policy, compiled: judges a resource, a step or a plan. A policy that cannot be evaluated never passes.

import type { SourceRange } from '../core/diagnostic.ts';
import { truncateMiddle } from '../core/bounds.ts';
import type { Action } from '../plan/plan.ts';
import { Undecided, wordsOf, type Evaluate, type Variables } from './cel.ts';
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
  /** Undefined for all. */
  readonly actions: ReadonlySet<Action> | undefined;
  /** By the name of the kind; under the empty name for a policy on plans. */
  readonly byKind: ReadonlyMap<string, Expressions>;
  /** Where its name is. */
  readonly range: () => SourceRange;
}

/** `unknown` depends on a value that is not known or not to be seen; `failed` is an error of the policy. */
export type Verdict =
  | { readonly is: 'passed' }
  | { readonly is: 'violated' | 'undecided' | 'failed'; readonly message: string };

const PASSED: Verdict = { is: 'passed' };
/** Longest message. */
const MAX_MESSAGE = 500;

export function evaluatePolicy({ when, expression, message }: Expressions, variables: Variables): Verdict {
  try {
    if (when !== undefined && !isTrue(when(variables))) return PASSED;
    if (isTrue(expression(variables))) return PASSED;
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
