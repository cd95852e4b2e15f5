// Types of the emulator: how it is started and what a test can see and do.

import type { Json, JsonObject } from '../base/json.ts';
import type { Capability } from '../catalog/kind.ts';

/** One scripted fault: the n-th request (from 1) that matches gets the action; without `nth`, every one. */
export interface Fault {
  readonly method?: string;
  /** Regular expression for the path. */
  readonly path?: string;
  readonly nth?: number;
  readonly action:
    | { readonly type: 'status'; readonly status: number; readonly body?: Json; readonly headers?: Readonly<Record<string, string>> }
    | { readonly type: 'delay'; readonly ms: number }
    | { readonly type: 'drop-before' | 'drop-after' | 'truncate' };
}

export interface EmulatorOptions {
  readonly port?: number;
  readonly apiKey?: string;
  /** Objects are kept here across restarts. */
  readonly stateFile?: string;
  readonly pageSize?: number;
  readonly latencyMs?: number;
  /** List key → objects, in response shape. */
  readonly seed?: JsonObject;
  readonly versionHeader?: { readonly name: string; readonly value: string };
  /** Assumed operations that this service does not have. */
  readonly disabled?: readonly Capability[];
  readonly faults?: readonly Fault[];
}

export interface RequestRecord {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  readonly body: Json;
}

export interface Emulator {
  readonly url: string;
  readonly apiKey: string;
  /** Every request so far, in order of arrival. */
  readonly requests: readonly RequestRecord[];
  /** Stored objects of a list, oldest first, in request shape with identity. */
  readonly objects: (listKey: string) => readonly JsonObject[];
  /** Changes an object behind everyone's back. */
  readonly mutate: (id: string, patch: JsonObject) => void;
  readonly close: () => Promise<void>;
}
