// The write gate: the one function through which every POST, PATCH and DELETE leaves, also those that no plan names.
// It decides nothing about what should be done; it refuses what must never be done, by the rules of one table.

import { ApiError } from '../../service/transport.ts';
import type { WriteClient } from '../../service/transport.ts';
import type { Json } from '../../core/json.ts';
import type { GateScope, GatedWrite } from './gate-rules.ts';
import { ANSWER_RULES } from './answer-rules.ts';
import { WRITE_RULES } from './gate-rules.ts';

/** A write that may be sent, once. */
interface AdmittedWrite {
  /** The body of the answer (null for 204). Throws `ApiError`; one of class `unknown` when the answer cannot be believed. */
  readonly send: () => Promise<Json>;
}

export interface Gate {
  /** Throws `GateViolation` when a rule forbids the write; nothing was sent then. */
  readonly admit: (write: GatedWrite) => AdmittedWrite;
}

/** A write that a rule of the gate forbids. */
export class GateViolation extends Error {
  override readonly name = 'GateViolation';
  /** Name of the rule. */
  readonly rule: string;

  constructor(rule: string, message: string) {
    super(message);
    this.rule = rule;
  }
}

/** The gate in front of a client. Nothing else calls the client's `write`. */
export function createGate(client: Pick<WriteClient, 'write'>, scope: GateScope): Gate {
  return {
    admit: (write) => {
      for (const { name, check } of WRITE_RULES) {
        const why = check(write, scope);
        if (why !== undefined) throw new GateViolation(name, `${why}; nothing was changed`);
      }
      return { send: () => send(client, write, scope) };
    },
  };
}

async function send(client: Pick<WriteClient, 'write'>, write: GatedWrite, scope: GateScope): Promise<Json> {
  const body = await client.write(write.request);
  for (const { check } of ANSWER_RULES) {
    const why = check({ write, body }, scope);
    if (why === undefined) continue;
    const message = `the answer to ${write.request.method} for ${write.address} ${why}`;
    throw new ApiError({ code: 'api-not-understood', message, failure: 'unknown' });
  }
  return body;
}
