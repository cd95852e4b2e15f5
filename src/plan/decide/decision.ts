// What is known when a resource is decided, and the decision.

import type { Diagnostic } from '../../core/diagnostic.ts';
import type { ValueObject } from '../../core/value.ts';
import type { Marker } from '../../resource/snapshot.ts';
import type { PlanContext } from '../plan-options.ts';
import { type FieldDiff } from '../../resource/diff.ts';
import type { StepDraft } from './step-draft.ts';
import type { Pair } from '../match/match.ts';
import type { Blocked } from '../plan.ts';

/** The decision for one resource; without drafts, nothing needs to be done. */
export interface Decision {
  readonly drafts: readonly StepDraft[];
  readonly blocked: readonly Blocked[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Nothing to do and nothing to report. */
export const NOTHING: Decision = { drafts: [], blocked: [], diagnostics: [] };

export interface DecisionInput {
  readonly pair: Pair;
  /** The spec with every known reference filled in. */
  readonly spec: ValueObject;
  /** The spec that the service will have: with live values for ignored paths, even in a new object. */
  readonly next: ValueObject;
  readonly context: PlanContext;
  /** The marker for the desired state; slow, because of the digests. */
  readonly marker: () => Marker;
}

/** The fields of a live object compared with the manifest. */
export interface Compared {
  readonly diffs: readonly FieldDiff[];
  readonly same: readonly FieldDiff[];
  /** Salt of the digests in the object's marker. */
  readonly salt: string;
}
