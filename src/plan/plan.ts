// The plan as a value: plain JSON with the exact requests and without secrets. One format for preview, saving and apply.

import type { Code } from '../core/codes.ts';
import type { PlacesJson, PlanDiagnostic } from '../core/diagnostic-json.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { ListDifference } from '../core/list-difference.ts';
import type { Exposure } from './exposure.ts';
import type { DeletedObject, Loss, Reason } from './step-facts.ts';

export const PLAN_FORMAT = 'edgeform-plan/1';

/** What a step does with its object. */
export type Action =
  /** Makes an object that does not exist. */
  | 'create'
  /** Changes fields of an object that the stack owns. */
  | 'update'
  /** Makes a new object and deletes the old one, because a create-only field changed. */
  | 'replace'
  /** Deletes an object that the stack owns. */
  | 'delete'
  /** Takes ownership of an object, and changes what differs. */
  | 'adopt'
  /** Gives ownership up, and changes nothing else. */
  | 'release';

/** Who caused a difference, by the digests in the marker. */
export type Cause =
  /** The manifest changed since it was applied. */
  | 'config'
  /** The object was changed outside since it was applied. */
  | 'drift'
  /** Both changed. */
  | 'both'
  /** There is no marker, or too many values that the service may have chosen. */
  | 'unknown'
  /** The service shows another value than was sent, and no run has seen its answer: it did not take the value, as far as can be known. */
  | 'not-taken';

/** What a change does at the service. */
type Effect =
  /** The field is sent. */
  | 'update'
  /** The module is sent whole (§4). */
  | 'replace-module'
  /** The module is deleted, or switched off where the service cannot delete it (ADR-0005). */
  | 'remove-module'
  /** The field is create-only: a new object takes the place of the old one. */
  | 'replace-resource';

/**
 * One field difference. A value that is sensitive on either side is `{ "sensitive": true }` on both; inside lists and objects,
 * with `"changed": true` in `after` if it changed. Values known after apply are `${address.attr}` text, and a literal `${` is
 * `$${`.
 */
export interface Change {
  readonly path: string;
  readonly before: Json;
  readonly after: Json;
  readonly effect: Effect;
  readonly cause: Cause;
  readonly sensitive: boolean;
  /** Of lists with a sensitive item: which go and which come, decided before anything was masked. */
  readonly items?: ListDifference;
  /** Extra text, for example that the service will choose the value again. */
  readonly note?: string;
}

/**
 * One HTTP request, complete except for placeholders that apply fills in mechanically:
 * in `path` and in strings of `body`, `${ADDRESS.ATTR}` is a value of a live or newly created object (`$${` is a literal `${`);
 * in `body`, `{ "sensitive": true, "from": "ADDRESS#FIELD.PATH" }` is the manifest's secret at that path (with references
 * filled in), and `live:ID#FIELD.PATH` that of a live object;
 * `${digest:FIELD}` inside the metadata text is the digest of the body's own field after filling in.
 */
export interface PlannedRequest {
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: JsonObject;
}

/** The part of its action that a step performs. */
export type Phase =
  /** Of a replacement: makes the new object. */
  | 'create'
  /** Of a replacement: deletes the old object. */
  | 'delete'
  /** Before an update: gives up a value that another step claims. */
  | 'detach';

/** Whether a step is the doing of what the manifest has more than the one of a revision. */
export type Origin =
  /** The manifest of the revision would not have it, or not with these changes. */
  | 'this-change'
  /** The manifest of the revision would have it, too. */
  | 'already-pending';

/**
 * One action on one resource. A replacement is two steps with the action `replace` and different phases; an object that must
 * give up a value before it can take its new one has an `update` step with the phase `detach` first.
 */
export interface Step {
  readonly id: string;
  /** Of a plan that was compared with the manifest of a revision. */
  readonly origin?: Origin;
  readonly action: Action;
  readonly phase?: Phase;
  readonly address: string;
  readonly kind: string;
  /** Id of the live object the step changes; null for creations. */
  readonly live_id: string | null;
  readonly reason: Reason;
  /** For an object that `moved` brings from another stack: that stack. */
  readonly from_stack?: string;
  /** The commit that the object's marker names: where it was last written from, as that run claimed. */
  readonly applied_from?: string;
  /** `file:line:column` of the block, or null when the manifest has none. */
  readonly source: string | null;
  /** What the step loses; set for dangerous steps. Both halves of a replacement have it. */
  readonly loss?: Loss;
  /** The flags of this run without which a rule would refuse the step; absent without any. */
  readonly allowed_by?: readonly string[];
  /** Every object that the step deletes: its own first, then the children of that. */
  readonly deletes?: readonly DeletedObject[];
  /**
   * For a creation in place of an object deleted outside: its id, null when only its address is known, and the evidence that it
   * existed.
   */
  readonly deleted_outside?: { readonly live_id: string | null; readonly evidence: string };
  /** True for the deletion of what the stack never owned: a foreign child of an exclusive parent. */
  readonly foreign_child?: true;
  readonly depends_on: readonly string[];
  /**
   * It starts when every other step has ended, whatever became of it: deleting an API key may end the run's own access. No other
   * step waits for it.
   */
  readonly last?: true;
  /** The imports (`imports.NAME`) whose values its requests carry; absent without any. */
  readonly imports?: readonly string[];
  /** Digest of the live object when the plan was made, or null for creations. */
  readonly precondition: string | null;
  /** Digests by field, so that a stale plan can name what changed; absent for creations. */
  readonly seen?: Readonly<Record<string, string>>;
  readonly changes: readonly Change[];
  readonly requests: readonly PlannedRequest[];
}

/** Number of steps by action, and other counts. */
type PlanSummary = Readonly<Record<Action | 'unchanged' | 'blocked' | 'drifted', number>>;

/** A needed change that the service cannot make. */
export interface Blocked extends PlanDiagnostic {
  readonly address: string;
  /** Empty for the whole object. */
  readonly path: string;
  /** What remains different, and who caused it. */
  readonly changes?: readonly Change[];
}

/** A policy violation, which stops apply: what was found, and what would allow it. */
export interface PolicyViolation extends PlacesJson {
  readonly rule: Code;
  readonly message: string;
  /** What to do besides consenting; absent when only consent is left. */
  readonly fix?: string;
  readonly addresses: readonly string[];
  /** The flag that would allow it; null when none does. */
  readonly flag: string | null;
  /** The entry of the manifest that would allow it, too; absent when none does. */
  readonly entry?: string;
  /** The entry of `moved` that would keep the object, and the stack whose manifest it belongs to; absent where none is known. */
  readonly moved?: MovedEntry;
}

interface MovedEntry {
  readonly stack: string;
  readonly from: string | { readonly stack: string; readonly address: string };
  readonly to: string;
}

/** The user's options for the plan: a saved plan is checked again with them, and what they allowed stays allowed. */
interface MadeWith {
  readonly allow_deletes?: number | 'all';
  readonly allow_loss?: readonly string[];
  readonly allow_takeover?: readonly string[];
  readonly refuses_openings?: boolean;
  readonly allow_opening?: readonly string[];
  readonly recreate?: true;
  readonly targets?: readonly string[];
  /** Digest of the user's policies. */
  readonly policies?: string;
}

/** An imported object as the plan was made with it. */
interface PlannedImport {
  readonly name: string;
  readonly kind: string;
  /** Stack and address in its marker; absent for an import by id. */
  readonly stack?: string;
  readonly address?: string;
  /** Null until another stack has created it. */
  readonly live_id: string | null;
  /** The values that the manifest uses, by attribute; null until they are known. */
  readonly values: Readonly<Record<string, Json>>;
}

/** A child of one of the stack's objects that the manifest does not have and that is not the stack's. Apply leaves it. */
export interface ForeignChildFound {
  /** Its parent's address with its id as the name. */
  readonly address: string;
  readonly kind: string;
  readonly live_id: string;
  /** Address of the object that it is in. */
  readonly parent: string;
  /** By field; those by which people know it come first. A secret is `{ "sensitive": true }`. */
  readonly values: JsonObject;
  /** What adopts it; null when no new block can. */
  readonly adopt: ForeignChildAdoption | null;
}

interface ForeignChildAdoption {
  /** Where the block belongs: the address of its parent and a key. */
  readonly under: string;
  /** One line of YAML. */
  readonly block: string;
  /** Sensitive variables in the block, which the manifest has to declare. */
  readonly variables: readonly string[];
}

/** A step of a saved plan that an earlier run has carried out. */
type DoneStep = Pick<Step, 'id' | 'address' | 'action'>;

/** A step that the manifest of a revision would have, and that of the plan has not; values are not kept. */
export type FormerStep = Pick<Step, 'action' | 'phase' | 'address' | 'kind' | 'live_id'>;

/** What a plan was compared with. It is for people: nothing that is applied depends on it. */
export interface PlanBase {
  /** The revision as it was given. */
  readonly rev: string;
  readonly commit: string;
  readonly status: BaseStatus;
  /** Null where there is no manifest, or none that can be planned. */
  readonly manifest_digest: string | null;
  readonly no_longer_planned: readonly FormerStep[];
}

export type BaseStatus =
  /** Both manifests were planned. */
  | 'compared'
  /** The revision has no manifest there: everything is this change. */
  | 'no-manifest'
  /** It cannot be planned, as a warning says; steps have no origin. */
  | 'unreadable';

/** An object outside the stack that stays. */
interface UnmanagedObject {
  readonly kind: string;
  readonly id: string;
  /** Another owning stack with the address there, or null. */
  readonly owner: string | null;
  /** Of one that no stack owns, inside an object of another stack: that stack. */
  readonly parent_stack?: string;
}

/** Exactly what an apply does; a plain value may repeat a secret. Show it with `renderPlanAs` or `planJson`. */
export interface Plan {
  readonly format: typeof PLAN_FORMAT;
  readonly stack: string;
  readonly service: string;
  /** False when `--target` left something out. */
  readonly complete: boolean;
  readonly fingerprint: string;
  readonly manifest_digest: string;
  /** Absent unless the plan was compared with a revision. */
  readonly base?: PlanBase;
  /** Absent when no options were given. */
  readonly made_with?: MadeWith;
  readonly summary: PlanSummary;
  /** Absent when nothing is imported, and when everything is destroyed. */
  readonly imports?: readonly PlannedImport[];
  readonly steps: readonly Step[];
  /** Of a saved plan that was applied before: what is done. Then `steps` are those that are left. */
  readonly already_done?: readonly DoneStep[];
  /** What the steps do to who gets in, in their order. */
  readonly exposures: readonly Exposure[];
  readonly blocked: readonly Blocked[];
  readonly refusals: readonly PolicyViolation[];
  readonly unmanaged: readonly UnmanagedObject[];
  /** Absent when there are none. */
  readonly foreign_children?: readonly ForeignChildFound[];
  /** Values; null until known after apply. */
  readonly outputs: Readonly<Record<string, Json>>;
  readonly diagnostics: readonly PlanDiagnostic[];
}
