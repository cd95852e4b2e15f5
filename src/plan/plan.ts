// The plan as a value: plain JSON, without secrets, holding the exact requests. One format for preview, saving and apply.

import type { Code } from '../core/codes.ts';
import type { Diagnostic } from '../core/diagnostic.ts';
import type { Json, JsonObject } from '../core/json.ts';

export const PLAN_FORMAT = 'edgeform-plan/1';

export type Action = 'create' | 'update' | 'replace' | 'delete' | 'adopt' | 'release';
export type Cause = 'config' | 'drift' | 'both' | 'unknown';
/** `update`: field sent; `replace-module`: module sent whole; `remove-module`: module deleted or disabled; `replace-resource`: create-only. */
type Effect = 'update' | 'replace-module' | 'remove-module' | 'replace-resource';

/**
 * One field difference. What is sensitive on either side is `{ "sensitive": true }` on both; inside lists and objects, with
 * `"changed": true` in `after` when it is another value. Values known after apply are `${address.attr}`
 * text, and a `${` that was meant as text is `$${`.
 */
export interface Change {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly effect: Effect;
  readonly cause: Cause;
  readonly sensitive: boolean;
  /** Extra words, for example that the service will choose the value again. */
  readonly note?: string;
}

/**
 * One HTTP request, complete but for placeholders that the applier fills mechanically:
 * in `path` and in strings of `body`, `${ADDRESS.ATTR}` is a value of a live or just created object (`$${` is a literal `${`);
 * in `body`, `{ "sensitive": true, "from": "ADDRESS#FIELD.PATH" }` is the manifest's secret at that path (its references
 * filled in), and `live:ID#FIELD.PATH` that of a live object;
 * `${digest:FIELD}` inside the metadata text is the digest of the body's own field after filling.
 */
export interface PlannedRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
}

/** Which part of its action a step is: the halves of a replacement, or the detaching before an update. */
export type Phase = 'create' | 'delete' | 'detach';

/**
 * One action on one resource. A replacement is two steps with the action `replace`, told apart by `phase`; an object that
 * has to let go of a value before it can take its new one has an `update` of phase `detach` first.
 */
export interface Step {
  readonly id: string;
  readonly action: Action;
  readonly phase?: Phase;
  readonly address: string;
  readonly kind: string;
  /** Id of the live object the step changes; null for creations. */
  readonly live_id: string | null;
  readonly reason: string;
  /** `file:line:column` of the block, or null when the manifest has none. */
  readonly source: string | null;
  /** What is lost when the step runs, in words; dangerous steps have it. */
  readonly loss?: string;
  /**
   * Of a creation in place of an object that somebody else deleted: its id, null when only its address is known, and how it is
   * known that it was there.
   */
  readonly deleted_outside?: { readonly live_id: string | null; readonly evidence: string };
  readonly depends_on: readonly string[];
  /** Digest of the live object the plan saw, or null for creations. */
  readonly precondition: string | null;
  /** Digest by field of what the plan saw, so that a stale plan can name what moved; absent for creations. */
  readonly seen?: Readonly<Record<string, string>>;
  readonly changes: readonly Change[];
  readonly requests: readonly PlannedRequest[];
}

/** How many there are of each. */
type PlanSummary = Readonly<Record<Action | 'unchanged' | 'blocked' | 'drifted', number>>;

/** A needed change that the service has no way to do. */
export interface Blocked {
  readonly address: string;
  /** Empty for the whole object. */
  readonly path: string;
  readonly reason: string;
  /** What stays different, and who caused it. */
  readonly changes?: readonly Change[];
}

/** A safety rule that stops apply, with what it found and the flag that would allow it (null when none does). */
export interface PolicyViolation {
  readonly rule: Code;
  readonly message: string;
  readonly addresses: readonly string[];
  readonly flag: string | null;
}

/** A diagnostic as the plan file has it: it names an address or none, and no place in a file. */
export interface PlanDiagnostic extends Pick<Diagnostic, 'code' | 'severity' | 'message'> {
  readonly address: string | null;
}

/** What the user gave with the plan: a saved plan is judged again with it, and what was allowed then stays allowed. */
interface MadeWith {
  readonly allow_deletes?: number | 'all';
  readonly allow_replace?: readonly string[];
  readonly targets?: readonly string[];
}

/** What an apply does, exactly: a plain value may repeat a secret. `renderPlanAs` and `planJson` of the library show it. */
export interface Plan {
  readonly format: typeof PLAN_FORMAT;
  readonly stack: string;
  readonly service: string;
  /** False when `--target` left something out. */
  readonly complete: boolean;
  readonly fingerprint: string;
  readonly manifest_digest: string;
  /** Missing when nothing was given. */
  readonly made_with?: MadeWith;
  readonly summary: PlanSummary;
  readonly steps: readonly Step[];
  readonly blocked: readonly Blocked[];
  readonly refusals: readonly PolicyViolation[];
  /** `owner` is `kind.name` of another stack's address, when the object carries its marker. */
  readonly unmanaged: readonly { readonly kind: string; readonly id: string; readonly owner: string | null }[];
  /** Values; null while known only after apply. */
  readonly outputs: Readonly<Record<string, Json>>;
  readonly diagnostics: readonly PlanDiagnostic[];
}
