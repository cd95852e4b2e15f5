// What a kind of resource is: names, endpoints, fields and its cross-field rules. The engine knows only this shape.

import type { Diagnostic, ProblemText } from '../core/diagnostic.ts';
import type { JsonObject } from '../core/json.ts';
import type { Field, Fields } from './field.ts';
import type { Provenance } from './provenance.ts';

/** Assumed operations, switched off by name when a service lacks them (ADR-0004). */
export const CAPABILITIES = ['https-edge-list', 'routes', 'module-delete', 'paging-limit'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/** One operation of a kind: `path` contains `{id}` and, for child kinds, `{parent_id}`. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly source: Provenance;
  /** Present when the operation is assumed and can be switched off. */
  readonly capability?: Capability;
}

export interface ListOperation extends Operation {
  /** The key of the list inside the envelope (§4). */
  readonly key: string;
}

/** The parent of a child kind, whose responses contain the children. */
interface Parent {
  readonly kind: string;
  /** The parent's response field that lists the children, and the key under the parent's block in the manifest. */
  readonly listedAs: string;
  /** The child's response field with the parent's id. */
  readonly idField: string;
}

/** The fields that say which requests an object answers, and the two values of `form`. */
export interface Door {
  readonly selector: string;
  readonly form: string;
  readonly exact: string;
  readonly prefix: string;
}

/** A broken cross-field rule: `path` is a dotted field path inside the spec. */
export type BrokenRule = ProblemText & { readonly path: NonNullable<Diagnostic['path']> };

export interface Kind {
  /** Singular name, as shown in plans, for example. */
  readonly name: string;
  /** Top-level key of the manifest (or key under the parent's block). */
  readonly manifestKey: string;
  readonly title: string;
  readonly doc: string;
  readonly source: Provenance;
  /** Prefix of ids with the underscore, for example `ra_`. */
  readonly idPrefix: string;
  /** The specification does not show the prefix, so ids with other prefixes are valid, too (§2). */
  readonly isPrefixAssumed?: true;
  readonly operations: {
    readonly create?: Operation;
    readonly list?: ListOperation;
    readonly get: Operation;
    readonly update?: Operation;
    readonly delete: Operation;
  };
  readonly parent?: Parent;
  readonly fields: Fields;
  /** What cannot be had again when an object is replaced, in words; losing one then needs consent. */
  readonly irreplaceable?: string;
  /** What a deletion loses, in words, for the plan. */
  readonly loss?: string;
  /** Its objects answer the requests to their parent that match a selector (record 0101). */
  readonly door?: Door;
  /** Its objects authenticate requests, perhaps those of the run itself: they are deleted after everything else. */
  readonly authenticates?: true;
  /** Only read and deleted, never in a manifest (application sessions, §2). */
  readonly unmanaged?: true;
  /** Columns of a table of live objects after the id: a heading, and the dotted path of the value in responses. */
  readonly columns?: readonly { readonly title: string; readonly path: string }[];
  readonly starter?: Starter;
  /**
   * Cross-field rules (§7), each evaluated on its own. An unknown reference is replaced by some text, and a rule that reads an
   * unknown value does not count, so a rule reads no more than it needs.
   */
  readonly checks?: readonly ((spec: never) => readonly BrokenRule[])[];
}

/** What a new manifest has of a kind for newcomers to uncomment; YAML lines without tabs. */
export interface Starter {
  /** Below the kind's key. */
  readonly block: readonly string[];
  /** What the block refers to, and what refers to it. */
  readonly variables?: readonly string[];
  readonly presets?: readonly string[];
  readonly outputs?: readonly string[];
}

type ValueOf<F extends Field> = F extends { readonly type: 'string' }
  ? string
  : F extends { readonly type: 'integer' | 'number' }
    ? number
    : F extends { readonly type: 'boolean' }
      ? boolean
      : F extends { readonly type: 'list' }
        ? readonly ValueOf<F['items']>[]
        : F extends { readonly type: 'map' }
          ? Readonly<Record<string, string>>
          : F extends { readonly type: 'object' }
            ? SpecOf<F['fields']>
            : never;

/** The spec type of a table of fields; while cross-field rules run, any field may be absent. */
type SpecOf<F extends Fields> = { readonly [K in keyof F]?: ValueOf<F[K]> };

interface KindDefinition<F extends Fields> extends Omit<Kind, 'fields' | 'checks'> {
  readonly fields: F;
  readonly checks?: readonly ((spec: SpecOf<F>) => readonly BrokenRule[])[];
}

export function brokenRules({ checks = [] }: Kind, spec: JsonObject): BrokenRule[] {
  // Each rule is typed by its own kind's table, which is not known here.
  return checks.flatMap((check) => check(spec as never));
}

/** Defines one kind; infers the type of the spec that `checks` receive from the table. */
export function defineKind<const F extends Fields>(definition: KindDefinition<F>): Kind {
  return definition;
}
