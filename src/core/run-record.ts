// What is kept of a run that wrote: when, who, from which commit, and what. Who and commit are claims of the environment.

/** Who started a run, from which commit, and where it can be looked up. Claims, which prove nothing; null where nothing is claimed. */
export interface StartedBy {
  readonly actor: string | null;
  readonly commit: string | null;
  readonly link: string | null;
}

export const STARTED_BY_NOBODY: StartedBy = { actor: null, commit: null, link: null };

/** A run that has begun. */
export interface RunIdentity extends StartedBy {
  /** Random for every run. */
  readonly id: string;
  /** Wall time, ISO 8601 in UTC. */
  readonly began: string;
}

/** A run that has ended. */
export interface EndedRun extends RunIdentity {
  readonly ended: string;
  /** Fingerprint of the plan that it carried out. */
  readonly plan: string;
}

/** One step that a run carried out, or tried to. */
interface RecordedStep {
  readonly address: string;
  readonly action: string;
  readonly status: string;
}

/** The line of a run in a history. */
export interface RunRecord extends Omit<EndedRun, 'id'> {
  readonly v: 1;
  readonly run: string;
  readonly command: 'apply' | 'destroy';
  readonly stack: string;
  /** Base URL. */
  readonly service: string;
  /** The number of steps by status. */
  readonly totals: Readonly<Record<string, number>>;
  readonly exit_code: number;
  /** Those that were begun, in the order of the plan, up to a limit. */
  readonly steps: readonly RecordedStep[];
  /** How many more there were. */
  readonly steps_left_out: number;
}
