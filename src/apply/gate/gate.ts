// The write gate: the one function that every POST, PATCH and DELETE passes. It does not decide what should be done; it refuses
// what must never be done, by one table of rules.

import { requestType } from '../../service/outcomes.ts';
import { ApiError, type ReadClient, type WriteClient } from '../../service/transport.ts';
import type { Code } from '../../core/codes.ts';
import type { Json } from '../../core/json.ts';
import { WRITE_RULES, type GateScope, type GatedWrite } from './gate-rules.ts';
import { ANSWER_RULES } from './answer-rules.ts';

/** What is read right before a write: its object and parent, who uses what it deletes, and what it carries of imports. */
export type Observations = Pick<GatedWrite, 'observed' | 'parent' | 'users' | 'imports'>;
type Observe = (reader: ReadClient) => Promise<Observations>;

export interface Gate {
  /**
   * Sends a write and returns the body of its answer (null for 204). The rules are checked right before it is sent, with what
   * `observe` reads then; earlier reads do not count. Throws what `observe` throws, and `GateViolation` if a rule forbids the
   * write: then nothing was sent. Throws `ApiError`, of class `unknown` if the answer cannot be trusted.
   */
  readonly send: (write: Omit<GatedWrite, keyof Observations>, observe?: Observe) => Promise<Json>;
}

/** A write that is not sent because a rule forbids it or its object no longer exists. */
export class GateViolation extends Error {
  override readonly name = 'GateViolation';
  readonly rule: string;
  /** The message without the part about the whole step. */
  readonly reason: string;
  /** Of a rule that is asked of the plan, too. */
  readonly code: Code | undefined;

  /** `isMore` if an earlier request of the step was carried out. */
  constructor(
    rule: string,
    reason: string,
    { isMore = false, code }: { isMore?: boolean | undefined; code?: Code | undefined } = {},
  ) {
    super(`${reason}; nothing ${isMore ? 'more ' : ''}was changed`);
    [this.rule, this.reason, this.code] = [rule, reason, code];
  }
}

/** Whatever a write knew before counts for nothing. */
const NOT_OBSERVED = {
  observed: undefined,
  parent: undefined,
  users: undefined,
  imports: undefined,
} satisfies Observations;

/** The gate in front of a client. Nothing else calls the client's `write`. */
export function createGate(client: Pick<WriteClient, 'write'>, scope: GateScope): Gate {
  return {
    send: async (write, observe) => {
      const check = async (reader: ReadClient) => {
        const fresh = (await observe?.(reader)) ?? {};
        admit({ ...write, ...NOT_OBSERVED, ...fresh }, scope);
      };
      const body = await client.write({ ...write.request, check });
      believe(write, body, scope);
      return body;
    },
  };
}

function admit(write: GatedWrite, scope: GateScope): void {
  for (const { name, check, code } of WRITE_RULES) {
    const why = check(write, scope);
    if (why !== undefined) throw new GateViolation(name, why, { isMore: write.request.finishes, code });
  }
}

function believe(write: GatedWrite, body: Json, scope: GateScope): void {
  for (const { check } of ANSWER_RULES) {
    const why = check({ write, body }, scope);
    if (why === undefined) continue;
    const message = `the answer to ${write.request.method} for ${write.address} ${why}`;
    throw new ApiError({
      code: 'api-not-understood',
      message,
      known: 'unusable',
      type: requestType(write.request.method),
    });
  }
}
