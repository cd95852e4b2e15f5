// Whether the service is well enough to be written to: not after several failures in a row on different resources.

const FAILURES = 5;
/** After so long one write may try whether the service is well again. */
const TRIAL_MS = 2_000;

export interface Circuit {
  /** The service broke down over this resource. */
  readonly failed: (isWrite: boolean, resource: string, now: number) => void;
  /** The service answered. */
  readonly answered: (isWrite: boolean) => void;
  /** True when nothing should be written now; false once after a rest, for the write that is about to be sent. */
  readonly isOpen: (now: number) => boolean;
}

/** Reads that succeed prove nothing about writes, so only a write that is answered makes up for writes that failed. */
export function createCircuit(): Circuit {
  const reads = new Set<string>();
  const writes = new Set<string>();
  let last = 0;
  return {
    failed: (isWrite, resource, now) => {
      last = now;
      (isWrite ? writes : reads).add(resource);
    },
    answered: (isWrite) => {
      reads.clear();
      if (isWrite) writes.clear();
    },
    isOpen: (now) => {
      if (reads.size + writes.size < FAILURES) return false;
      if (now - last < TRIAL_MS) return true;
      last = now;
      return false;
    },
  };
}

/** How often in a row the service gave no answer at all. */
export interface HostHealth {
  readonly timedOut: (now: number) => void;
  readonly answered: () => void;
  /** True while nothing should be asked; some time later it is tried again. */
  readonly isDown: (now: number) => boolean;
}

const TIMEOUTS_UNTIL_DOWN = 6;
const DOWN_MS = 30_000;

/** A service that never answers costs a whole time-out each time, so it is soon left alone. */
export function createHostHealth(): HostHealth {
  let times = 0;
  let last = 0;
  return {
    timedOut: (now) => {
      times += 1;
      last = now;
    },
    answered: () => {
      times = 0;
    },
    isDown: (now) => times >= TIMEOUTS_UNTIL_DOWN && now - last < DOWN_MS,
  };
}
