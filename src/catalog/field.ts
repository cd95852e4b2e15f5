// The language that describes a kind's fields. Every trait is read by a generic engine; none names a kind.

import type { Json } from '../core/json.ts';
import type { Provenance } from './provenance.ts';

/** Which requests may write a field. */
type WriteAccess =
  /** Creations and updates. */
  | 'always'
  /** Creations only: a change needs a new object. */
  | 'create'
  /** Updates only (§4 endpoint configurations). */
  | 'update'
  /** None: only the service sets it. */
  | 'never';

/** What a response returns for a field. */
type ReadAccess =
  /** Its value. */
  | 'echoed'
  /** A mask in place of a secret. */
  | 'masked'
  /** Its value, in the answer to the creation alone (§5). */
  | 'once';

/**
 * The value of an omitted field: a known one (which equals an absent field), or one that the service chooses (the field is then
 * not compared).
 */
type Default = { readonly value: Json } | 'service';

/** How the field appears in responses when that differs from requests, for example `backend_id` → `backend: Ref`. */
interface ResponseShape {
  readonly name: string;
  /** `ref`: one Ref; `refs`: Refs in a list (one bare Ref is accepted too, §2); `same`: renamed only. */
  readonly shape: 'ref' | 'refs' | 'same';
}

/** How a field decides who gets in: which of two values lets more in (record 0101). Inside a module that does, a field without one is `either`. */
export type Access =
  /** A module that keeps out whom it does not let in, as long as it is on. */
  | 'guard'
  /** What it names is served, or let in: more of it opens, and none of it closes. */
  | 'reach'
  /** A list of those who get in; without any, perhaps everybody. */
  | 'admits'
  /** The larger value lets more in: a longer time, or a switch that is on. */
  | 'more'
  /** The larger value lets fewer in: a later version, or a switch that is on. */
  | 'less'
  /** It decides who gets in, and two values do not tell which of them lets more in. */
  | 'either'
  /** Inside a module that decides who gets in: it does not. */
  | 'neutral';

interface Traits {
  readonly doc: string;
  readonly source: Provenance;
  /** Required in the manifest wherever its parent object is given. */
  readonly required?: true;
  /** Default `always`. */
  readonly write?: WriteAccess;
  /** Default `echoed`. */
  readonly read?: ReadAccess;
  /** The value is a secret: opaque in memory, masked in every output. */
  readonly sensitive?: true;
  /** Without a default, an omitted field is absent (null in responses). */
  readonly default?: Default;
  /** A feature object that updates replace whole and cannot remove (§4). */
  readonly module?: true;
  /**
   * The last path segment of the DELETE that removes the module (capability `module-delete`). Only modules have one: we do not
   * invent operations for other values, so one that an update cannot clear is blocked (ADR-0020).
   */
  readonly remove?: string;
  /** Sent in every update, even if unchanged (the specification does not show what omitting it does, §4). */
  readonly alwaysSend?: true;
  /** No two objects may hold the same value: in the whole service, or among children of one parent. */
  readonly unique?: 'service' | 'parent';
  /**
   * Temporary text of a required unique value while its object is detached; `{id}` is the object's id. Without it, only a value
   * in a list can be detached.
   */
  readonly standIn?: string;
  /**
   * A value assigned by the service that others serve. An object that holds it as a service-wide unique value uses this object,
   * as if it referred to its id (ADR-0021).
   */
  readonly serves?: true;
  /** For a top-level field that decides who gets in, and for the fields inside it. */
  readonly access?: Access;
  readonly response?: ResponseShape;
  readonly examples?: readonly Json[];
  /**
   * What the emulator answers where the service decides. `{name}` in a text is another value of the object;
   * `emulator/template.ts` lists the rest. Only the emulator reads it.
   */
  readonly emulate?: Json;
}

/** A linear-time regular expression for the whole value, and its description. */
export interface Pattern {
  readonly regex: string;
  readonly words: string;
}

/** How a text is compared; `normal-form.ts` has the rules. */
export type TextForm =
  /** Without case, for example `JSON` and `json` (§2). */
  | 'caseless'
  /** Without white space at its ends, as in a text for people. */
  | 'trimmed'
  /** By type and base64 text of the key. */
  | 'public-key'
  /** With scheme and host in their normal form. */
  | 'url'
  /** A DNS name or an IP address. */
  | 'host'
  /** A host and a port. */
  | 'hostport'
  /** An e-mail address. */
  | 'email'
  /** A path, a host, or a host with a path (§2). */
  | 'selector'
  /** A rule of an ACL, which may name a domain or an address (§2). */
  | 'bind-rule';

/** How a number is compared. */
export type NumberForm =
  /** As the service keeps it, in 32 bits. */
  'float32';

export interface StringField extends Traits {
  readonly type: 'string';
  /** Closed set of values; only where the specification lists them. */
  readonly values?: readonly string[];
  /** Open set, for editor completion only; other values are accepted. */
  readonly suggestions?: readonly string[];
  readonly maxBytes?: number;
  readonly maxChars?: number;
  readonly pattern?: Pattern;
  /** May contain tabs and line breaks, such as a text for people or XML; a text from a file keeps its final line break. */
  readonly lines?: 'many';
  /** Which spellings are the same value, and which of them is sent; without it, every character counts (ADR-0043). */
  readonly form?: TextForm;
  /** The manifest may contain `null`, which means the same as omitting the field. */
  readonly nullable?: true;
  /** Why the text cannot be a secret, as the end of a sentence after "because"; closed sets and ids never can. */
  readonly neverSecret?: string;
  /** An id of another object: of kinds in this catalogue, or only checked for its form. */
  readonly ref?: RefTarget;
}

/** `kinds`: names of catalogue kinds; `prefixes`: prefixes of accepted literal ids. */
export interface RefTarget {
  readonly kinds: readonly string[];
  readonly prefixes: readonly string[];
  /** The specification does not show these prefixes, so others are accepted. */
  readonly isPrefixAssumed?: true;
}

interface IntegerField extends Traits {
  readonly type: 'integer';
  readonly min?: number;
  readonly max?: number;
}

export interface DecimalField extends Traits {
  readonly type: 'number';
  readonly min?: number;
  readonly max?: number;
  readonly form?: NumberForm;
}

export type NumberField = IntegerField | DecimalField;

interface BooleanField extends Traits {
  readonly type: 'boolean';
}

export interface ListField extends Traits {
  readonly type: 'list';
  readonly items: Field;
  /** `kept`: order matters (failover backends); `ignored`: compared as a set. */
  readonly order: 'kept' | 'ignored';
  /** For a list of those who get in (`access: 'admits'`): what an empty one means, where the specification says so. */
  readonly whenEmpty?: 'everyone';
  readonly maxItems?: number;
}

/** Map of free names to strings, for example headers. */
export interface MapField extends Traits {
  readonly type: 'map';
  /** `lower`: the service converts keys to lower case, so keys that differ only in case are the same (ADR-0004). */
  readonly keys: 'kept' | 'lower';
  readonly names: Pattern;
  readonly items: StringField;
}

export interface ObjectField extends Traits {
  readonly type: 'object';
  readonly fields: Fields;
  /** Exactly one of the fields is set, the others null, for example target kinds (§2). */
  readonly exactlyOne?: true;
  /** With `exactlyOne`: the choice is fixed at creation; changing it replaces the whole resource. */
  readonly fixedChoice?: true;
  /** Accepts and keeps unknown names (targets whose fields the specification does not show, §2). */
  readonly open?: true;
}

export type Field = StringField | NumberField | BooleanField | ListField | MapField | ObjectField;
export interface Fields {
  readonly [name: string]: Field;
}
