// Scripted faults: which of them apply to a request. Knows how they are counted, not how they are executed.

import type { JsonObject } from '../core/json.ts';

/** Which requests a fault applies to; `nth` counts matching requests from 1; all of them if missing. */
interface FaultMatch {
  readonly method?: string;
  /** Regular expression for the path with its query. */
  readonly path?: string;
  readonly nth?: number;
}

/** What happens to a request. */
export type FaultEffect =
  /** Replaces the answer; with `effect`, the request is carried out first. */
  | {
      readonly action: 'status';
      readonly status: number;
      readonly body?: JsonObject | string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly effect?: boolean;
    }
  | { readonly action: 'delay'; readonly ms: number }
  /** Breaks the connection before, or after, the request is carried out. */
  | { readonly action: 'dropBefore' }
  | { readonly action: 'dropAfter' }
  /** Truncates the body after this many bytes, by default in the middle. */
  | { readonly action: 'truncate'; readonly bytes?: number }
  /** A read answers as it would have before the latest writes, by default before the last one. */
  | { readonly action: 'staleList'; readonly writes?: number };

export type Fault = FaultEffect & { readonly match?: FaultMatch };

/** Returns the faults that apply to the next request; every call counts as one request. */
export function createFaults(faults: readonly Fault[]): (method: string, path: string) => Fault[] {
  const scripted = faults.map((fault) => ({ fault, pattern: new RegExp(fault.match?.path ?? '', 'u'), seen: 0 }));
  return (method, path) =>
    scripted
      .filter((entry) => {
        const { match } = entry.fault;
        if (match?.method !== undefined && match.method.toUpperCase() !== method) return false;
        if (!entry.pattern.test(path)) return false;
        entry.seen += 1;
        return match?.nth === undefined || match.nth === entry.seen;
      })
      .map((entry) => entry.fault);
}
