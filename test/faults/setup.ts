// What a world is made of: a scenario that is ready to run, the place where it runs, and what came of it. Types and names.

import type { Stored } from '../../src/emulator/state/store.ts';
import { HOME } from './disk.ts';
import type { Planned } from './faults.ts';
import type { Command, Ran } from './machine.ts';
import type { FinalState, Violation } from './oracles.ts';
import type { Scenario } from './scenarios.ts';
import { SECRETS } from './scenarios.ts';
import type { Entry, Knobs, Service } from './service.ts';

/** Probes: no output may hold them. */
export const API_KEY = 'probe-key-5f0c2b7e91d84a63';
export const SECRET_PROBES = new Map(
  SECRETS.map((name, index) => [name, `probe-${name}-${'9d3e71ab'.repeat(index + 1)}`]),
);

/** How long one run may take in virtual time: its deadline and some seconds, or a while without one. */
export function limitOf({ deadlineS }: Scenario): number {
  return 1000 * (deadlineS === undefined ? 1_200 : deadlineS + 7);
}

export const TOKENS = `${HOME}/tokens`;

/** A scenario that is ready to run, with what a run without faults makes of it. */
export interface Setup {
  readonly scenario: Scenario;
  readonly knobs: Knobs;
  readonly objects: readonly Stored[];
  /** Files that the runs before it left, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** Ids of other people's objects that stay theirs. */
  readonly foreign: ReadonlySet<string>;
  readonly finalState: FinalState;
  readonly posts: ReadonlyMap<string, number>;
  readonly clean: Ran;
}

export interface FaultPlan {
  readonly faults: readonly Planned[];
  readonly seed: number;
  /** Virtual time between the faulty run and the next. */
  readonly gapMs: number;
}

export interface WorldOutcome {
  readonly violations: readonly Violation[];
  /** Runs without faults that still had something to do. */
  readonly reruns: number;
  readonly runs: readonly Ran[];
  readonly log: readonly Entry[];
}

/** Where runs happen: simulated, or processes of their own. */
export interface Runner {
  readonly service: Service;
  readonly run: (command: Command, machine?: number) => Promise<Ran>;
  /** Lets time go by. */
  readonly pass: (ms: number) => Promise<void>;
  /** Lets everything arrive that is still on its way. */
  readonly drain: () => Promise<void>;
  /** Files by path, as they are now; those of further machines below a folder named after each. */
  readonly files: () => ReadonlyMap<string, string>;
}
