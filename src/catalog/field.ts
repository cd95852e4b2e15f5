// The language in which a kind's fields are described. Every trait is read by a generic engine; none names a kind.

import type { Json } from '../core/json.ts';
import type { Provenance } from './provenance.ts';

/** Who may write a field: every request, only the create, only updates (§4 endpoint configurations), or nobody. */
type WriteAccess = 'always' | 'create' | 'update' | 'never';

/** What a response says of a field: its value, a mask in place of a secret, or the value once at creation (§5). */
type ReadAccess = 'echoed' | 'masked' | 'once';

/**
 * The value that counts while the manifest omits the field: a known one (absent and this value are the same),
 * or one that the service chooses (the field is then not compared).
 */
type Default = { readonly value: Json } | 'service';

/** How the field appears in responses when that differs from requests, for example `backend_id` → `backend: Ref`. */
interface ResponseShape {
  readonly name: string;
  /** `ref`: one Ref; `refs`: Refs in a list (one bare Ref is accepted too, §2); `same`: renamed only. */
  readonly shape: 'ref' | 'refs' | 'same';
}

interface Traits {
  readonly doc: string;
  readonly source: Provenance;
  /** Must be given in the manifest, wherever its parent object is given. */
  readonly required?: true;
  /** Default `always`. */
  readonly write?: WriteAccess;
  /** Default `echoed`. */
  readonly read?: ReadAccess;
  /** The value is a secret: opaque in memory, masked in every output. */
  readonly sensitive?: true;
  /** Absent means: no default given means the field is simply absent (null in responses). */
  readonly default?: Default;
  /** A feature object that updates replace whole and cannot remove (§4). */
  readonly module?: true;
  /**
   * The module's name, as the last path segment of the DELETE that removes it (capability `module-delete`). Only modules
   * have one: no operation is made up for other values, so one that an update cannot clear is blocked (ADR-0020).
   */
  readonly remove?: string;
  /** Sent in every update, also when unchanged (what its omission does is not shown, §4). */
  readonly alwaysSend?: true;
  /** No two objects may hold the same value: among all objects of the service, or among siblings of one parent. */
  readonly unique?: 'service' | 'parent';
  /**
   * Text that a required unique value takes while it stands aside for another object; `{id}` is the object's id.
   * A value without it, and outside a list, cannot stand aside.
   */
  readonly standIn?: string;
  /**
   * On a value that the service assigns: others serve it. An object that holds it as a value unique in the service is in
   * use of this one, as if it referred to its id (ADR-0021).
   */
  readonly serves?: true;
  readonly response?: ResponseShape;
  readonly examples?: readonly Json[];
  /**
   * What the emulator answers where the service decides. `{name}` in a text stands for another value of the object;
   * `emulator/template.ts` lists the rest. Nothing but the emulator reads it.
   */
  readonly emulate?: Json;
}

/** A linear-time regular expression for the whole value, and the words that describe it. */
export interface Pattern {
  readonly regex: string;
  readonly words: string;
}

export interface StringField extends Traits {
  readonly type: 'string';
  /** Closed set of values; only where the specification shows it. */
  readonly values?: readonly string[];
  /** Open set, for editor completion only; other values are accepted. */
  readonly suggestions?: readonly string[];
  readonly maxBytes?: number;
  readonly maxChars?: number;
  readonly pattern?: Pattern;
  /** Tabs and line breaks may be in it, as in a text for people or in XML. */
  readonly lines?: 'many';
  /** Equal when equal but for case, for example `JSON` and `json` (§2). */
  readonly caseless?: true;
  /** Of a value that the service assigns: the most characters that are expected of it (assumed, ADR-0004). */
  readonly longest?: number;
  /** A line break at the end makes no difference, as of a key that was read from a file. */
  readonly finalBreak?: 'ignored';
  /** Of a value that must be the only one: a regular expression for the start that counts, where it matches. */
  readonly uniqueStart?: string;
  /** The manifest may say `null`, which is the same as leaving the field out. */
  readonly nullable?: true;
  /** Why the text cannot be a secret, to follow "because"; closed sets and ids never can. */
  readonly neverSecret?: string;
  /** An id of another object: kinds of this catalogue by name, or an id that is only checked for its form. */
  readonly ref?: RefTarget;
}

/** `kinds`: names of catalogue kinds whose `id` may be given; `prefixes`: literal ids are accepted with these prefixes. */
export interface RefTarget {
  readonly kinds: readonly string[];
  readonly prefixes: readonly string[];
  /** The specification does not show these prefixes: others will do. */
  readonly isPrefixAssumed?: true;
}

export interface NumberField extends Traits {
  readonly type: 'integer' | 'number';
  readonly min?: number;
  readonly max?: number;
}

interface BooleanField extends Traits {
  readonly type: 'boolean';
}

export interface ListField extends Traits {
  readonly type: 'list';
  readonly items: Field;
  /** `kept`: order has a meaning (failover backends); `ignored`: compared as a set. */
  readonly order: 'kept' | 'ignored';
  readonly maxItems?: number;
}

/** Map of free names to strings, for example headers. */
export interface MapField extends Traits {
  readonly type: 'map';
  /** `lower`: the service lower-cases names, so names differing in case are one (ADR-0004). */
  readonly keys: 'kept' | 'lower';
  /** What the names look like. */
  readonly names: Pattern;
  /** What each value looks like. */
  readonly items: StringField;
}

export interface ObjectField extends Traits {
  readonly type: 'object';
  readonly fields: Fields;
  /** Exactly one of the fields is set, the others null, for example target kinds (§2). */
  readonly exactlyOne?: true;
  /** With `exactlyOne`: the choice is made at creation; choosing another is a replacement of the whole resource. */
  readonly fixedChoice?: true;
  /** Accept and keep unknown names as they are (targets whose fields are not shown, §2). */
  readonly open?: true;
}

export type Field = StringField | NumberField | BooleanField | ListField | MapField | ObjectField;
export interface Fields {
  readonly [name: string]: Field;
}
